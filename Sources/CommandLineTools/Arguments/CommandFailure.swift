/// The failure of a command: a message of one sentence, and the exit code for scripts.
package struct CommandFailure: Error {
    package let code: Int32
    package let message: String

    package init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }
}
