/// Bytes of an account's name.
///
/// More: longer names; each is sent with every call, and shown in lists.
public let longestAccountName = 128

extension String {
    /// Whether it may be an account's name: 1 to 128 bytes, and what its reader sees is all of it.
    ///
    /// Of two names that look the same one may call as the other. So there are none of the characters that hide, nor
    /// joiners, selectors, spaces at the ends or two in a row, spaces of other widths, and no more than four marks above or
    /// below one letter (Unicode's UTS #39, section 5.4, counts them so). Letters that look like those of another script are
    /// let through: people write in their own.
    public var isAccountName: Bool {
        guard !isEmpty, utf8.count <= longestAccountName else { return false }
        var marks = 0
        var isAfterSpace = true
        for scalar in unicodeScalars {
            guard scalar.isReadable, !scalar.properties.isDefaultIgnorableCodePoint else { return false }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                marks += 1
                guard !isAfterSpace, marks <= 4 else { return false }
            case .spaceSeparator:
                guard scalar == " ", !isAfterSpace else { return false }
                (marks, isAfterSpace) = (0, true)
            default: (marks, isAfterSpace) = (0, false)
            }
        }
        return !isAfterSpace
    }
}
