import enum HubWire.Base64URL

/// The parts of an argon2id text in the reference implementation's encoding, version 19.
struct Argon2PHCString: Hashable {
    let kibibytes: Int
    let passes: Int
    let lanes: Int
    let salt: [UInt8]
    let hash: [UInt8]

    /// Parses a text; nil if libsodium would not verify it, or if its cost is outside the limits.
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

    /// The cost parameters as they are in the text.
    var costText: String { "m=\(kibibytes),t=\(passes),p=\(lanes)" }

    /// Parses a positive number in canonical form: digits only, no leading zero.
    private static func number(_ text: Substring, named name: String) -> Int? {
        guard text.hasPrefix(name), let value = Int(text.dropFirst(name.count)), value > 0 else { return nil }
        return text == "\(name)\(value)" ? value : nil
    }

    /// Decodes Base64 in the standard alphabet, without padding.
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
