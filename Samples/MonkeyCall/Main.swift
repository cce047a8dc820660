import SampleTerminal

@main
enum Main {
    @MainActor
    static func main() {
        let app = MonkeyCallApp(Terminal())
        app.terminal.run()
    }
}
