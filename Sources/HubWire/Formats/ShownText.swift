extension Unicode.Scalar {
    /// Whether a reader sees it, or what it does: no control, no mark of direction, nothing that is invisible.
    ///
    /// What hides in a name makes it look like another one. Joiners and variation selectors are let through: Persian, names in
    /// Japanese and emoji are written with them.
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
    /// Whether it may be shown to others as a name: at most 256 bytes, each character of which is readable.
    public var isShownName: Bool { utf8.count <= longestName && unicodeScalars.allSatisfy(\.isReadable) }
}

/// Bytes of a name, an identifier or a label that is to be kept or shown.
///
/// More: longer names; fewer fit into what is kept of an account.
let longestName = 256
