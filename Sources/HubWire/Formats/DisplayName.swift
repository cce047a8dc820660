extension Unicode.Scalar {
    /// Indicates that a character is visible or has a visible effect: no control, direction mark or invisible one.
    ///
    /// A hidden character in a name makes it look like another name. Joiners and variation selectors are accepted:
    /// Persian, names in Japanese and emoji are written with them.
    public var isReadable: Bool {
        switch value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x02FF: return true
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: return true
        default: break
        }
        guard !properties.isDefaultIgnorableCodePoint else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}

extension String {
    /// Indicates that a text may be shown as a name: at most 256 bytes, all characters readable.
    public var isValidDisplayName: Bool { utf8.count <= maximumNameBytes && unicodeScalars.allSatisfy(\.isReadable) }

    /// Indicates that the text may be a guest's name: a display name that is not only spaces.
    public var isGuestName: Bool {
        isValidDisplayName && unicodeScalars.contains { !$0.properties.isWhitespace }
    }
}

extension String {
    /// Indicates that a text may be shown as a message: one line of 1 to 256 bytes, all characters readable.
    public var isValidMessage: Bool {
        !isEmpty && utf8.count <= maximumMessageTextBytes && unicodeScalars.allSatisfy(\.isReadable)
    }

    /// The text as a valid message: in one line, without what cannot be read, cut at its end; nil: nothing is left.
    package var messageLine: String? {
        let words = split(whereSeparator: \.isWhitespace).map { $0.unicodeScalars.filter(\.isReadable) }
        var line = ""
        for character in words.filter({ !$0.isEmpty }).map({ String($0) }).joined(separator: " ") {
            guard line.utf8.count + character.utf8.count <= maximumMessageTextBytes else { break }
            line.append(character)
        }
        return line.isEmpty ? nil : line
    }
}

/// The maximum length in bytes of the text with which a call is declined.
///
/// More: longer texts; more for a caller to be sent by those they call.
let maximumMessageTextBytes = 256

/// The maximum length in bytes of a name, an identifier or a label.
///
/// More: longer names; fewer fit into the limits of an account's data.
let maximumNameBytes = 256
