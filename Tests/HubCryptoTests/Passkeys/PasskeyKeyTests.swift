import Testing

@testable import HubCrypto

/// The public keys and signatures of passkeys in their encodings.
struct PasskeyKeyTests {
    private static let x = hexadecimal("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    private static let y = hexadecimal("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")

    private static func es256(_ changes: [Int: CBORValue?] = [:]) -> CBORValue {
        var members: [CBORValue: CBORValue] = [
            CBORValue(1): CBORValue(2), CBORValue(3): CBORValue(-7), CBORValue(-1): CBORValue(1),
            CBORValue(-2): .bytes(x), CBORValue(-3): .bytes(y),
        ]
        for (label, value) in changes { members[CBORValue(label)] = value }
        return .map(members)
    }

    @Test func `a key of P-256 is read`() throws {
        let key = try PasskeyPublicKey(cose: Self.es256())
        #expect(key.bytes == [4] + Self.x + Self.y)
    }

    @Test func `another algorithm, curve or kind of key is refused, and a point that is not on the curve`() {
        let refused: [([Int: CBORValue?], PasskeyError)] = [
            ([3: CBORValue(-257)], .unsupportedAlgorithm), ([3: CBORValue(-8)], .unsupportedAlgorithm),
            ([3: CBORValue(-35)], .unsupportedAlgorithm), ([3: nil], .unsupportedAlgorithm),
            ([1: CBORValue(1)], .unsupportedAlgorithm), ([-1: CBORValue(2)], .unsupportedAlgorithm),
            ([-1: CBORValue(6)], .unsupportedAlgorithm), ([-2: .bytes(Self.y)], .invalidKey),
            ([-2: .bytes([])], .malformed("public key")), ([-2: .bytes(Self.x + [0])], .malformed("public key")),
            ([-3: .flag(true)], .malformed("public key")), ([-3: nil], .malformed("public key")),
            ([-4: .bytes(Self.x)], .malformed("public key")), ([2: .bytes([1])], .malformed("public key")),
        ]
        for (changes, expected) in refused {
            #expect(fault(PasskeyError.self) { _ = try PasskeyPublicKey(cose: Self.es256(changes)) } == expected)
        }
        // The neutral element of Ed25519: every signature of it fits every message.
        let neutral = [1] + [UInt8](repeating: 0, count: 31)
        let edwards: [CBORValue: CBORValue] = [
            CBORValue(1): CBORValue(1), CBORValue(3): CBORValue(-8), CBORValue(-1): CBORValue(6),
            CBORValue(-2): .bytes(neutral),
        ]
        #expect(throws: PasskeyError.invalidKey) { try PasskeyPublicKey(cose: .map(edwards)) }
        #expect(PasskeyPublicKey(algorithm: -257, bytes: [4] + Self.x + Self.y) == nil)
    }

    @Test func `DER of a signature has one form`() {
        let short = "00000000000000000000000000000000000000000000000000000000000000" + "01"
        let high = "8000000000000000000000000000000000000000000000000000000000000000"
        let accepted = [
            ("3006 020101 020101", short + short), ("3026 022100\(high) 020101", high + short),
            ("3026 020101 022100\(high)", short + high),
        ]
        for (der, jose) in accepted { #expect(ECDSASignature.jose(der: hexadecimal(der)) == hexadecimal(jose)) }
        let refused = [
            "", "30", "3000", "3006 020101 0201", "3006 020101 020101 00", "3106 020101 020101", "3006 020181 020101",
            "3007 02020001 020101", "3006 030101 020101", "3005 0200 020101", "308106 020101 020101",
            "3006 020401 020101", "3027 02220100\(high) 020101", "3007 020101 020101 00",
            "3026 022101\(high) 020101", "3025 0220\(high) 020101",
        ]
        for der in refused { #expect(ECDSASignature.jose(der: hexadecimal(der)) == nil, "\(der)") }
    }
}
