import HubEngine
@_spi(_Unicode) import Swift

extension String {
    /// The text in the one spelling that all texts have which Swift holds to be equal (Unicode's normal form C).
    ///
    /// SQLite compares bytes; were names compared by these as they come, the hub's memory and the file would not agree on who is who.
    var key: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var scalars = UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
    }
}

extension Handle {
    /// What two handles of the same party have in common, as one text.
    var storedKey: String {
        let key = key
        return "\(key.type.rawValue):\(key.value.key)"
    }
}

extension BlockRule {
    /// What two rules that mean the same have in common, as one text.
    var storedKey: String {
        switch self {
        case .handle(let handle): handle.storedKey
        case .prefix(let digits): "prefix:\(digits)"
        case .link(let link): "link:\(link.text)"
        }
    }
}
