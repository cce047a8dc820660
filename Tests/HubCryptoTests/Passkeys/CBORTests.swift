import HubSimulation
import HubWire
import Testing

@testable import HubCrypto

/// The reader of CBOR: the examples of RFC 8949, and bytes that are none.
struct CBORTests {
    @Test(arguments: [
        ("00", CBORValue.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1_000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
        ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)), ("f4", .flag(false)), ("f5", .flag(true)),
        ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
        ("62c3bc", .text("ü")), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
        ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])), ("a0", .map([:])),
    ])
    func `the examples of the RFC are read`(text: String, value: CBORValue) throws {
        // An odd number of digits is a mistake in the example.
        let bytes = text == "62c3bc" ? [0x62, 0xC3, 0xBC] : hexadecimal(text)
        #expect(try CBORReader.value(of: bytes) == value)
    }

    @Test(arguments: [
        ("", CBORError.truncated), ("18", .truncated), ("1801", .notShortest), ("190017", .notShortest),
        ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest), ("1c", .unsupported), ("1f", .unsupported),
        ("5f42010243030405ff", .unsupported), ("9fff", .unsupported), ("bfff", .unsupported), ("ff", .unsupported),
        ("c074", .unsupported), ("f7", .unsupported), ("f90000", .unsupported), ("fb3ff199999999999a", .unsupported),
        ("f0", .unsupported), ("f8ff", .unsupported), ("61ff", .notUTF8), ("0000", .trailingBytes),
        ("a2010101", .truncated), ("a201010102", .duplicateKey), ("5bffffffffffffffff", .truncated),
        ("9bffffffffffffffff", .truncated), ("bbffffffffffffffff", .truncated), ("5b7fffffffffffffff", .truncated),
        ("9a80000000", .truncated), ("bb7fffffffffffffff", .truncated), ("5a00010000", .truncated),
        ("818181818181818181", .tooDeep),
    ])
    func `what is longer than it must be, indefinite, cut off or too deep is refused`(text: String, error: CBORError) {
        #expect(fault(CBORError.self) { _ = try CBORReader.value(of: hexadecimal(text)) } == error)
    }

    @Test func `random bytes and mutations of an attestation object never crash the reader`() throws {
        var random = SeededRandom(seed: 17)
        let attestation = try TestPasskey(format: "packed", hasExtensions: true).registration.attestationObject
        for _ in 0..<20_000 {
            var bytes = attestation
            for _ in 0...Int(random.next() % 6) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            _ = try? CBORReader.value(of: bytes)
            _ = try? AuthenticatorData(bytes)
            let noise = (0..<Int(random.next() % 80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if let value = try? CBORReader.value(of: noise) { _ = try? PasskeyPublicKey(cose: value) }
            _ = try? AuthenticatorData([UInt8](repeating: 0, count: 32) + noise)
            _ = ECDSASignature.jose(der: noise)
        }
    }
}
