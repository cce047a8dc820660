import HubAccountData
import HubEngine
@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's normal form C, which all strings share that Swift compares as equal.
    ///
    /// SQLite compares bytes. Without a normal form, the hub and the file could disagree on which names are equal.
    var key: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var scalars = UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
    }

    /// The text that is equal for all spellings of an account's name.
    var nameKey: String { FoldedName(self).text.key }
}

extension Handle {
    /// The text that is equal for all handles of the same party.
    var storedKey: String {
        let key = key
        return "\(key.type.rawValue):\(key.value.key)"
    }
}

extension BlockRule {
    /// The text that is equal for all rules with the same meaning.
    var storedKey: String {
        switch self {
        case .handle(let handle): handle.storedKey
        case .prefix(let digits): "prefix:\(digits)"
        case .invitation(let invitation): "link:\(invitation.text)"
        }
    }
}
