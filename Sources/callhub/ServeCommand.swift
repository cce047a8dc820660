/// `callhub serve`: runs a hub.
enum ServeCommand {
    /// Runs until a signal ends it; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        Console.err("callhub serve: the server is not part of this build yet.\n")
        return 1
    }
}
