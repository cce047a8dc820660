/// Reads the password that a command needs.
package enum PasswordInput {
    /// Reads the password of an existing account from standard input; on a terminal it is asked for once.
    package static func line() throws(CommandFailure) -> String {
        let line = Terminal.isInteractive ? try Terminal.secrets(["Password: "]).first : try Terminal.line()
        guard let line else { throw CommandFailure(1, "standard input has no password; it must have one line.") }
        return line
    }
}
