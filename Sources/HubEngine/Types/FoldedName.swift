/// A name in the form in which names are compared, without case.
///
/// `Carol`, `CAROL` and `carol` have one folded name, and so have `Straße` and `STRASSE`. Two folded names are equal as
/// Swift's strings are, by canonical equivalence: `é` is the same in one character and in two. A folded name is a key
/// of tables; users are shown the name as it was created. Folding is Unicode's full case folding, which depends on no
/// language: `İ` is `i` with a dot, and `ı` is a letter of its own.
public struct FoldedName: Hashable, Sendable {
    /// The folded text; folding it again returns an equal one.
    public let text: String

    /// Folds a name; one of ASCII without capitals is not copied.
    public init(_ name: String) {
        var isASCII = true
        var hasCapital = false
        for byte in name.utf8 {
            if byte >= 0x80 { isASCII = false }
            if (0x41...0x5A).contains(byte) { hasCapital = true }
        }
        text = isASCII ? (hasCapital ? name.lowercased() : name) : Self.fold(name)
    }

    /// Folds a text that is not ASCII, so that canonically equivalent texts have canonically equivalent results.
    ///
    /// The iota that is written below a Greek letter folds to a letter behind it. Marks of that Greek letter may
    /// precede or follow the iota, so the letter is appended behind all of them (The Unicode Standard, 3.13.5).
    private static func fold(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        var iotas = 0
        for scalar in name.unicodeScalars {
            if iotas > 0, !scalar.isReorderedMark {
                folded.append(contentsOf: repeatElement(iota, count: iotas))
                iotas = 0
            }
            let (text, hasIotaBelow) = scalar.caseFolded
            folded.append(contentsOf: text)
            if hasIotaBelow { iotas += 1 }
        }
        folded.append(contentsOf: repeatElement(iota, count: iotas))
        return String(folded)
    }

    private static let iota: Unicode.Scalar = "\u{3B9}"
}

extension Unicode.Scalar {
    /// Indicates that canonical ordering may move the character before or behind another mark.
    fileprivate var isReorderedMark: Bool {
        switch value {
        // Tibetan vowel signs that stand for two such marks, and have none of their classes.
        case 0xF73, 0xF75, 0xF81: true
        default: properties.canonicalCombiningClass != .notReordered
        }
    }

    /// The full case folding of the character (CaseFolding.txt, C and F), without an iota below, which is indicated.
    ///
    /// The standard library has mappings instead: first to lower case, so that `ẞ` becomes `ß`; then to upper case,
    /// which unites `ß` and `ss`, and `ς`, `σ` and `Σ`. Only `ı` folds to itself although its capital is that of `i`.
    fileprivate var caseFolded: (text: String.UnicodeScalarView, hasIotaBelow: Bool) {
        switch value {
        case 0x131: return (String(self).unicodeScalars, false)
        case 0x345: return (String.UnicodeScalarView(), true)
        default: break
        }
        var text = String(self).lowercased().uppercased().lowercased().unicodeScalars
        // The Greek letters with an iota below, in one character.
        let hasIotaBelow = (0x1F80...0x1FFC).contains(value) && text.count > 1 && text.last == "\u{3B9}"
        if hasIotaBelow { text.removeLast() }
        return (text, hasIotaBelow)
    }
}
