import enum HubWire.Base64URL

/// The parts of an argon2id text, as all programs write it (the reference implementation's encoding, version 19).
struct Argon2Text: Hashable {
    let kibibytes: Int
    let passes: Int
    let lanes: Int
    let salt: [UInt8]
    let hash: [UInt8]

    /// Reads a text; nil for anything that libsodium would not verify, or whose cost nobody can have chosen.
    init?(_ text: String) {
        guard text.utf8.count < 128 else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19" else { return nil }
        let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3,
            let kibibytes = Self.number(costs[0], named: "m="),
            kibibytes <= PasswordCost.megabyteLimits.upperBound << 10,
            let passes = Self.number(costs[1], named: "t="), passes <= PasswordCost.passLimits.upperBound,
            let lanes = Self.number(costs[2], named: "p="), lanes <= 64, kibibytes >= 8 * lanes,
            let salt = Self.bytes(parts[4]), salt.count >= 8,
            let hash = Self.bytes(parts[5]), hash.count >= 16
        else { return nil }
        (self.kibibytes, self.passes, self.lanes, self.salt, self.hash) = (kibibytes, passes, lanes, salt, hash)
    }

    /// The parameters of the cost, as they stand in the text.
    var costText: String { "m=\(kibibytes),t=\(passes),p=\(lanes)" }

    /// A number from 1 in its one form: digits alone, no zero in front.
    private static func number(_ text: Substring, named name: String) -> Int? {
        guard text.hasPrefix(name), let value = Int(text.dropFirst(name.count)), value > 0 else { return nil }
        return text == "\(name)\(value)" ? value : nil
    }

    /// Base64 of the usual alphabet, without padding.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
        return Base64URL.bytes(
            of:
                text.utf8.map {
                    $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
                }
        )
    }

    static func base64(_ bytes: [UInt8]) -> String {
        String(Base64URL.text(of: bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    }
}
