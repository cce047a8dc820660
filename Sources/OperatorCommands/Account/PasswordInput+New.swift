import CommandLineTools
import HubCrypto
import HubWire

extension PasswordInput {
    static let fromStandardInput = Option(
        "--password-stdin",
        help: "read the password from the first line of standard input instead of a prompt"
    )

    /// Reads and hashes a new password: typed twice on the terminal, or a line of standard input.
    ///
    /// - Parameters:
    ///   - name: The account's name, for the prompt; the password must not be it.
    ///   - given: The parsed command line.
    ///   - alternative: The option to suggest if there is no terminal to ask on.
    /// - Returns: The hash to store.
    /// - Throws: `UsageError` if there is no terminal; `CommandFailure` if the two passwords differ, none is given, or
    ///   the password is not accepted.
    static func new(of name: String, _ given: Arguments, alternative: String) throws -> PasswordHash {
        let text: String
        if given.has(fromStandardInput) {
            text = try line()
        } else {
            guard Terminal.isInteractive else {
                throw UsageError(
                    "there is no terminal to prompt for the password; use --password-stdin or \(alternative)."
                )
            }
            let typed = try Terminal.secrets(["Password of \(visible(name)): ", "The same again: "])
            guard let first = typed.first, typed.allSatisfy({ $0.utf8.elementsEqual(first.utf8) }) else {
                throw CommandFailure(4, "the two passwords differ; nothing was changed.")
            }
            text = first
        }
        do throws(NewPasswordError) {
            guard let hash = PasswordHash(try NewPassword(text, for: name).password) else { throw .unusable(.noMemory) }
            return hash
        } catch {
            throw CommandFailure(error == .unusable(.noMemory) ? 2 : 1, error.description)
        }
    }
}
