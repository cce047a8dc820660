import Foundation

/// A password that a user has typed, normalised and kept in memory that is wiped afterwards.
///
/// It is prepared by RFC 8265's profile OpaqueString: other spaces become U+0020, then the text is put into
/// normalisation form C, so that it is the same from every keyboard; case and width stay. Control characters,
/// unassigned, private and invisible ones are rejected. Differently from the RFC, the joiners U+200C and U+200D and the
/// variation selectors are allowed anywhere: Persian and emoji are typed with them, and the standard library does not
/// have the joining types that the RFC's rule depends on.
///
/// NFC is Foundation's; FoundationEssentials and the standard library have no public implementation. The `String`
/// with the original password, and the client's message that contained it, cannot be wiped.
public final class Password: Sendable {
    /// The longest password, in bytes of UTF-8.
    ///
    /// More: no use, since 64 random letters are beyond guessing; less: passphrases in scripts of three bytes a letter
    /// might not fit.
    public static let maximumBytes = 1024

    let memory: SecretBytes

    /// Prepares a password.
    ///
    /// - Throws: ``PasswordError`` if the text is empty, too long or has a forbidden character, or no memory is left.
    public init(_ text: String) throws(PasswordError) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLong }
        let prepared = text.utf8.allSatisfy { $0 < 0x80 } ? text : Self.prepared(text)
        guard prepared.unicodeScalars.allSatisfy(Self.isPermitted) else { throw .disallowedCharacter }
        let count = prepared.utf8.count
        guard count > 0 else { throw .empty }
        guard count <= Self.maximumBytes else { throw .tooLong }
        guard let memory = SecretBytes(prepared.utf8, count: count) else { throw .noMemory }
        self.memory = memory
    }

    private static func prepared(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    /// Indicates that a character of the prepared text is in RFC 8264's FreeformClass.
    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x200C, 0x200D, 0xFE00...0xFE0F: return true
        // Jamo that were not composed into a syllable (OldHangulJamo).
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isNoncharacterCodePoint
        }
    }
}

/// A reason to reject a password.
public enum PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The text has more bytes than ``Password/maximumBytes``.
    case tooLong
    /// The text has a character that is no letter, digit, mark, symbol or space.
    case disallowedCharacter
    /// No memory is left.
    case noMemory

    /// The error and the requirement, in one sentence.
    public var description: String {
        switch self {
        case .empty: "The password is empty; it must have at least one character."
        case .tooLong: "The password is too long; it must have \(Password.maximumBytes) bytes of UTF-8 at most."
        case .disallowedCharacter:
            "The password has a control character or an invisible one; it must be letters, digits, marks and spaces."
        case .noMemory: "There is no memory left to look at a password; try again later."
        }
    }
}
