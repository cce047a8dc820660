/// The failure of a command: a message of one sentence, and the exit code for scripts.
struct CommandFailure: Error {
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }
}
