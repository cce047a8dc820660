import HubEngine

/// Digits as they are typed, taken apart at their pauses: `12,34;56`.
struct KeyedDigits: Equatable {
    var digits: String
    var type: DTMFType

    init(_ digits: String, _ type: DTMFType = .singleTone) {
        self.digits = digits
        self.type = type
    }

    /// Reads what is typed; which characters are keys is for the hub to say.
    static func reading(_ text: String) throws(UsageError) -> [Self] {
        var parts = [KeyedDigits("")]
        for character in text {
            switch character {
            case ",": parts.append(KeyedDigits("", .softPause))
            case ";": parts.append(KeyedDigits("", .hardPause))
            default: parts[parts.count - 1].digits.append(character)
            }
        }
        // Before the first pause there need be nothing.
        if parts.count > 1, parts.first?.digits.isEmpty == true { parts.removeFirst() }
        guard parts.allSatisfy({ !$0.digits.isEmpty }) else {
            throw UsageError("After each pause come digits: keys 12,34;56.")
        }
        return parts
    }
}
