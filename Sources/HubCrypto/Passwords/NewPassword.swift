import Foundation

/// A password that a user chooses, checked as NIST SP 800-63B requires: its length, and that it is hard to guess.
///
/// There are no rules of letters and digits, which make passwords that are written down (section 5.1.1.2).
public struct NewPassword: Sendable {
    /// The minimum length in characters, which NIST requires.
    ///
    /// More: guessing takes longer; users choose passwords that they have elsewhere.
    public static let minimumCharacters = 8

    /// The password, prepared.
    public let password: Password

    /// Checks a password.
    ///
    /// - Parameters:
    ///   - text: The password as it was typed.
    ///   - account: The name of the account that it is for.
    /// - Throws: `NewPasswordError`, whose sentence says what is wrong.
    public init(_ text: String, for account: String) throws(NewPasswordError) {
        do throws(PasswordError) {
            password = try Password(text)
        } catch {
            throw error == .empty ? .tooShort : .unusable(error)
        }
        guard text.unicodeScalars.count >= Self.minimumCharacters else { throw .tooShort }
        let folded = Self.folded(text)
        guard folded != Self.folded(account) else { throw .isAccountName }
        guard !CommonPasswords.contains(folded), Set(folded).count > 1 else { throw .tooCommon }
    }

    private static func folded(_ text: String) -> String { text.lowercased().precomposedStringWithCanonicalMapping }
}

/// A reason to reject a password that a user chooses.
public enum NewPasswordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has fewer characters than ``NewPassword/minimumCharacters``.
    case tooShort
    /// It is the account's name.
    case isAccountName
    /// It is one of the commonest 10,000, or one character again and again.
    case tooCommon
    /// It cannot be a password at all.
    case unusable(PasswordError)

    /// The word for programs.
    public var reason: String {
        switch self {
        case .tooShort: "passwordTooShort"
        case .isAccountName: "passwordIsName"
        case .tooCommon: "passwordTooCommon"
        case .unusable: "passwordUnusable"
        }
    }

    /// The error and the requirement, in one sentence.
    public var description: String {
        switch self {
        case .tooShort: "The password is too short; it must have \(NewPassword.minimumCharacters) characters or more."
        case .isAccountName: "The password is the account's name; choose another one."
        case .tooCommon: "The password is one of the commonest, which are guessed first; choose another one."
        case .unusable(let error): error.description
        }
    }
}
