import SampleTerminal

@main
enum Main {
    @MainActor
    static func main() {
        let app = DirectoryApp(Terminal())
        app.terminal.run()
    }
}
