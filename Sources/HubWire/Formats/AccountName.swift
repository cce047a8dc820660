/// The maximum length of an account's name in bytes.
///
/// More: longer names; each is sent with every call, and shown in lists.
public let maximumAccountNameBytes = 128

extension String {
    /// Indicates that a text is a valid account name: 1 to 128 bytes, with no hidden characters.
    ///
    /// With two names that look the same, one account could call in the name of the other. So hidden characters are
    /// refused, as are joiners, variation selectors, spaces at the ends or two in a row, spaces of other widths, and
    /// more than four marks above or below one letter (counted as in Unicode's UTS #39, section 5.4). Letters that look
    /// like those of another script are accepted, since people write in their own.
    public var isAccountName: Bool {
        guard !isEmpty, utf8.count <= maximumAccountNameBytes else { return false }
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
