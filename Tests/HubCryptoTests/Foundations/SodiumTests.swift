import Testing

@testable import HubCrypto

struct SodiumTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 matches the vectors of FIPS 180`(message: String, digest: String) {
        #expect(SHA256.digest(Array(message.utf8)) == hexadecimal(digest))
    }

    @Test func `HMAC and HKDF match the vectors of RFC 4231 and RFC 5869`() {
        let key = Array("Jefe".utf8)
        let digest = key.withUnsafeBufferPointer { HMAC.sha256(Array("what do ya want for nothing?".utf8), key: $0) }
        #expect(digest == hexadecimal("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        let derived = HMAC.hkdf(
            from: [UInt8](repeating: 0x0B, count: 22),
            salt: Array(0...12),
            info: Array(0xF0...0xF9),
            count: 32
        )
        #expect(derived == hexadecimal("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
    }

    @Test func `random bytes have the requested count and differ each time`() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(-1).isEmpty)
        let drawn = (0..<100).map { _ in SecureRandom.bytes(16) }
        #expect(drawn.allSatisfy { $0.count == 16 })
        #expect(Set(drawn).count == 100)
    }

    @Test func `constant-time comparison compares every byte`() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equal([1, 2, 3], [0, 2, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
        #expect(!ConstantTime.equal([], [0]))
    }

    @Test func `a secret is exposed unchanged, and wiping overwrites it with zeros`() throws {
        let secret = try #require(SecretBytes([1, 2, 3], count: 3))
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
        #expect(SecretBytes([], count: 0)?.count == 0)
        var bytes: [UInt8] = [1, 2, 3]
        bytes.wipe()
        #expect(bytes == [0, 0, 0])
    }
}
