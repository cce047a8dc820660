import SampleTerminal

@main
enum Main {
    @MainActor
    static func main() {
        let app = HotlineApp(Terminal())
        app.terminal.run()
    }
}
