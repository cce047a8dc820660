import COpenSSL
import Testing

@testable import HubCrypto

struct KeyTests {
    /// Encodings of points whose order is 1, 2, 4 or 8, in and out of their canonical form.
    static let smallOrderPoints = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ]

    @Test(arguments: smallOrderPoints)
    func `a point of small order is refused as an Ed25519 key`(point: String) {
        #expect(AsymmetricKey(ed25519: hexadecimal(point)) == nil)
    }

    /// The reason for the test above: one signature, made without any key, fits every message.
    @Test func `OpenSSL alone accepts a key of small order`() {
        let point = hexadecimal(Self.smallOrderPoints[0])
        let key = hub_key_of_ed25519(point)
        defer { hub_key_free(key) }
        let signature = point + [UInt8](repeating: 0, count: 32)
        for message in ["one message", "and another"] {
            #expect(hub_key_verify(key, message, message.utf8.count, signature) == 1)
        }
    }

    @Test func `a point of mixed order is refused as an Ed25519 key`() {
        // The base point plus the point of order 2: on the curve, and in no subgroup of prime order.
        let mixed = [0x95] + [UInt8](repeating: 0x99, count: 31)
        #expect(AsymmetricKey(ed25519: mixed) == nil)
        #expect(AsymmetricKey(ed25519: [1, 2, 3]) == nil)
    }

    @Test func `only an uncompressed point on the curve is accepted as a P-256 key`() throws {
        let point = try SigningKey.fresh(.es256).pair.p256Point
        #expect(AsymmetricKey(p256Point: point) != nil)
        let offCurve = point.dropLast() + [(point.last ?? 0) ^ 1]
        #expect(AsymmetricKey(p256Point: Array(offCurve)) == nil)
        #expect(AsymmetricKey(p256Point: [2] + point[1..<33]) == nil)
        #expect(AsymmetricKey(p256Point: [6] + point.dropFirst()) == nil)
        #expect(AsymmetricKey(p256Point: [0] + point.dropFirst()) == nil)
        #expect(AsymmetricKey(p256Point: [4] + [UInt8](repeating: 0, count: 64)) == nil)
        #expect(AsymmetricKey(p256Point: [4] + [UInt8](repeating: 0xFF, count: 64)) == nil)
        #expect(AsymmetricKey(p256Point: [0]) == nil)
        #expect(AsymmetricKey(p256Point: []) == nil)
    }

    @Test(arguments: [
        ("0000000000000000000000000000000000000000000000000000000000000000", false),
        ("0000000000000000000000000000000000000000000000000000000000000001", true),
        ("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", true),
        ("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", false),
        ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", false),
        ("00", false),
    ])
    func `a private key is below the group's order and not zero`(scalar: String, isKey: Bool) {
        #expect((SigningKey(p256Scalar: hexadecimal(scalar)) != nil) == isKey)
    }

    @Test(arguments: [SigningAlgorithm.es256, .edDSA])
    func `a key survives storing and loading`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.fresh(algorithm)
        let back = try #require(SigningKey(stored: key.stored))
        #expect(back.algorithm == algorithm)
        #expect(back.id == key.id)
        #expect(back.stored == key.stored)
        #expect(key.pair.verifies(back.signature(of: [1, 2, 3]), of: [1, 2, 3]))
        #expect(try SigningKey.fresh(algorithm).id != key.id)
    }

    @Test(arguments: [SigningAlgorithm.es256, .edDSA])
    func `an invalid stored key is refused, whatever its fault`(algorithm: SigningAlgorithm) throws {
        let stored = try SigningKey.fresh(algorithm).stored
        for length in 0..<stored.count { #expect(SigningKey(stored: Array(stored[..<length])) == nil) }
        #expect(SigningKey(stored: stored + [0]) == nil)
        #expect(SigningKey.generate(.hs256) == nil)
    }

    @Test func `a stored key whose public and private parts do not match is refused`() throws {
        let (key, other) = (try SigningKey.fresh(.es256), try SigningKey.fresh(.es256))
        let point = key.pair.p256Point
        let stored = key.stored
        let place = try #require(stored.indices.first { stored[$0...].starts(with: point) })
        let mixed = stored[..<place] + other.pair.p256Point + stored[(place + point.count)...]
        #expect(SigningKey(stored: Array(mixed)) == nil)
    }

    @Test func `a stored key of another curve is refused`() {
        // X25519, RFC 8410 section 7's form.
        let x25519 = hexadecimal("302e020100300506032b656e04220420") + [UInt8](repeating: 7, count: 32)
        #expect(SigningKey(stored: x25519) == nil)
    }

    @Test func `a key's id is its RFC 7638 thumbprint`() throws {
        let seed = bytes("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
        let key = try #require(SigningKey(stored: hexadecimal("302e020100300506032b657004220420") + seed))
        // RFC 8037 appendix A.3.
        #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        #expect(
            key.publicJWK == #"{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","#
                + #""alg":"EdDSA","kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig"}"#
        )
    }
}
