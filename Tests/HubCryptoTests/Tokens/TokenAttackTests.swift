import Foundation
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

/// Tests of forged tokens, which the verifier must refuse.
struct TokenAttackTests {
    private let issuer: TestIssuer
    private let verifier: TokenVerifier

    init() throws {
        issuer = try TestIssuer()
        verifier = try issuer.verifier
    }

    private func refusal(_ token: String) -> TokenError? {
        fault(TokenError.self) { _ = try verifier.verify(token, at: now) }
    }

    private var right: String { issuer.token() }

    /// Returns the three parts of a token.
    private func parts(_ token: String) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Algorithms

    /// All spellings of "none" in upper and lower case, and some more.
    @Test func `the algorithm none is refused in every spelling`() {
        var names = [
            " none", "none ", "nоne", "", "null", "no\\u006ee", "HS512", "RS512", "PS256", "ES384", "hs256", "eddsa",
        ]
        for mask in 0..<16 {
            let letters = "none".enumerated().map { mask >> $0 & 1 == 1 ? $1.uppercased() : String($1) }
            names.append(letters.joined())
        }
        for name in names {
            for kid in ["", ",\"kid\":\"secret\"", ",\"kid\":\"\(issuer.edwards.id)\""] {
                let header = Base64URL.text(of: "{\"alg\":\"\(name)\"\(kid)}".utf8)
                let payload = Base64URL.text(of: TestIssuer.payload().utf8)
                for signature in ["", "AAAA", parts(right)[2]] {
                    #expect(refusal("\(header).\(payload).\(signature)") == .unknownAlgorithm, "\(name)")
                }
            }
        }
        for value in ["null", "0", "[\"none\"]", "{}", "true"] {
            let header = Base64URL.text(of: "{\"alg\":\(value)}".utf8)
            #expect(refusal("\(header).\(parts(right)[1]).") == .unknownAlgorithm)
        }
        #expect(refusal("\(Base64URL.text(of: "{}".utf8)).\(parts(right)[1]).") == .unknownAlgorithm)
    }

    /// HMAC signatures with the public key as the secret, in every form in which the verifier may hold that key.
    @Test func `a public key is not accepted as an HMAC secret`() throws {
        for key in [issuer.curve, issuer.edwards] {
            let raw = key.algorithm == .es256 ? key.pair.p256Point : key.pair.ed25519
            let head =
                key.algorithm == .es256
                ? "3059301306072a8648ce3d020106082a8648ce3d030107034200" : "302a300506032b6570032100"
            let der = hexadecimal(head) + raw
            let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            let pem = "-----BEGIN PUBLIC KEY-----\n\(lines)\n-----END PUBLIC KEY-----"
            let document = "{\"keys\":[\(key.publicJWK)]}"
            let secrets = [
                raw, der, Array(pem.utf8), Array((pem + "\n").utf8), Array(key.publicJWK.utf8), Array(document.utf8),
                Array(Base64URL.text(of: raw).utf8), [],
            ]
            for secret in secrets {
                let named = TestIssuer.token(
                    #"{"alg":"HS256","kid":"\#(key.id)"}"#,
                    TestIssuer.payload(),
                    secret: secret
                )
                #expect(refusal(named) == .wrongAlgorithm)
                let honest = #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)"}"#
                #expect(refusal(TestIssuer.token(honest, TestIssuer.payload(), secret: secret)) == .wrongSignature)
                let unnamed = TestIssuer.token(#"{"alg":"HS256"}"#, TestIssuer.payload(), secret: secret)
                #expect(refusal(unnamed) == .wrongSignature)
                let alone = TokenVerifier(keys: try KeySet(Array(document.utf8)), policy: TestIssuer.policy)
                #expect(fault(TokenError.self) { _ = try alone.verify(unnamed, at: now) } == .unknownKey)
            }
        }
    }

    @Test func `a key verifies its own algorithm only`() {
        for (name, key) in [("ES256", issuer.edwards), ("EdDSA", issuer.curve)] {
            let header = #"{"alg":"\#(name)","kid":"\#(key.id)"}"#
            #expect(refusal(TestIssuer.token(header, TestIssuer.payload(), by: key)) == .wrongAlgorithm)
        }
    }

    // MARK: Headers

    @Test(arguments: [
        "../../../dev/null", "/dev/null", "file:///dev/null", "http://evil.example/key", "secret/", "./secret",
        "secret\\u0000",
        "SECRET", "secret' OR '1'='1", "0", "keys/0", "%2e%2e%2fsecret", "*", "", "s\\u0435cret",
    ])
    func `a key id is only compared, never interpreted`(id: String) {
        let header = "{\"alg\":\"HS256\",\"kid\":\"\(id)\"}"
        for secret in [issuer.secret, []] {
            #expect(refusal(TestIssuer.token(header, TestIssuer.payload(), secret: secret)) == .unknownKey)
        }
    }

    @Test(arguments: ["null", "0", "[\"secret\"]", "{\"a\":1}", "true"])
    func `a key id that is not a string is refused, not ignored`(id: String) {
        let header = "{\"alg\":\"HS256\",\"kid\":\(id)}"
        #expect(refusal(TestIssuer.token(header, TestIssuer.payload(), secret: issuer.secret)) == .unknownKey)
    }

    @Test func `a key inside the token is ignored`() throws {
        let own = try SigningKey.fresh(.edDSA)
        for extra in ["\"jwk\":\(own.publicJWK)", #""jku":"https://evil.example""#, #""x5u":"https://evil.example""#] {
            let unnamed = "{\"alg\":\"EdDSA\",\(extra)}"
            #expect(refusal(TestIssuer.token(unnamed, TestIssuer.payload(), by: own)) == .wrongSignature)
            let named = "{\"alg\":\"EdDSA\",\"kid\":\"\(own.id)\",\(extra)}"
            #expect(refusal(TestIssuer.token(named, TestIssuer.payload(), by: own)) == .unknownKey)
        }
    }

    @Test(arguments: ["jwk", "jku", "x5u", "x5c", "x5t", "x5t#S256", "unheard-of"])
    func `key-carrying headers are ignored in a token with a valid signature`(member: String) throws {
        let value = member == "jwk" ? try SigningKey.fresh(.edDSA).publicJWK : #""https://evil.example""#
        let header = "{\"alg\":\"EdDSA\",\"kid\":\"\(issuer.edwards.id)\",\"\(member)\":\(value)}"
        #expect(refusal(TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards)) == nil)
    }

    @Test(arguments: ["[]", "[\"exp\"]", "[\"b64\"]", "null", "1"])
    func `critical extensions are refused`(value: String) {
        let header = "{\"alg\":\"EdDSA\",\"b64\":false,\"crit\":\(value)}"
        #expect(refusal(TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards)) == .criticalExtensions)
    }

    // MARK: JSON

    @Test func `a duplicate member in header or payload is refused`() {
        let header = #"{"alg":"none","alg":"EdDSA"}"#
        let duplicateMember = TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards)
        #expect(refusal(duplicateMember) == .notJSON(.header, reason: #"has the member "alg" twice"#))
        for payload in [
            #"{"sub":"alice","sub":"admin"}"#, #"{"sub":"alice","\u0073ub":"admin"}"#,
            #"{"handles":[{"type":"generic","type":"generic"}]}"#,
        ] {
            let token = TestIssuer.token(issuer.header(of: issuer.edwards), payload, by: issuer.edwards)
            guard case .notJSON(.payload, let reason)? = refusal(token) else {
                Issue.record("\(payload) is accepted")
                continue
            }
            #expect(reason.hasSuffix(" twice"))
        }
    }

    @Test func `a payload is not parsed before its signature is verified`() {
        let payload = Base64URL.text(of: [0xFF, 0x00])
        #expect(refusal("\(parts(right)[0]).\(payload).\(parts(right)[2])") == .wrongSignature)
        let signed = CompactToken.signed(
            header: Array(issuer.header(of: issuer.edwards).utf8),
            payload: [0x22, 0xFF, 0x22],
            with: issuer.edwards
        )
        #expect(refusal(signed ?? "") == .notJSON(.payload, reason: "is not UTF-8"))
    }

    @Test(arguments: ["[]", "1", "\"alice\"", "null", "true"])
    func `a part that is not a JSON object is refused`(json: String) {
        let token = TestIssuer.token(issuer.header(of: issuer.edwards), json, by: issuer.edwards)
        #expect(refusal(token) == .notJSON(.payload, reason: "is another kind of JSON"))
        let headed = TestIssuer.token(json, TestIssuer.payload(), by: issuer.edwards)
        #expect(refusal(headed) == .notJSON(.header, reason: "is another kind of JSON"))
    }

    @Test func `deeply nested JSON is refused without recursion`() {
        let deep = String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)
        let token = TestIssuer.token(issuer.header(of: issuer.edwards), "{\"a\":\(deep)}", by: issuer.edwards)
        #expect(refusal(token) == .tooLong(bytes: token.utf8.count, limit: 8192))
        var patient = verifier
        patient.policy.maximumBytes = .max
        let reason = "has more than 16 levels of JSON"
        #expect(fault(TokenError.self) { _ = try patient.verify(token, at: now) } == .notJSON(.payload, reason: reason))
        let headed = TestIssuer.token("{\"alg\":\(deep)}", "{}", by: issuer.edwards)
        #expect(fault(TokenError.self) { _ = try patient.verify(headed, at: now) } == .notJSON(.header, reason: reason))
    }

    // MARK: Form

    @Test func `a token of more than 8 kB is refused, one of 8 kB is accepted`() throws {
        for length in [1 << 20, 8193] {
            let refused = refusal(String(repeating: "a", count: length))
            #expect(refused == .tooLong(bytes: length, limit: 8192))
            #expect(refused?.description == "The token has \(length) bytes; it must have 8192 at most.")
        }
        #expect(refusal(String(repeating: "a", count: 8192)) == .notCompact)
        #expect(refusal(String(repeating: ".", count: 8192)) == .notCompact)
        let padding = (8192 - right.utf8.count) / 4 * 3 - 12
        let long = issuer.token(["padding": "\"\(String(repeating: "x", count: padding))\""])
        #expect((8170...8192).contains(long.utf8.count))
        #expect(try verifier.verify(long, at: now).account == "alice")
    }

    @Test func `a truncated token is refused`() {
        let token = right
        for length in 0..<token.utf8.count { #expect(refusal(String(token.prefix(length))) != nil) }
    }

    @Test func `other serializations of a token are refused`() {
        let token = right
        let (header, payload, signature) = (parts(token)[0], parts(token)[1], parts(token)[2])
        let others = [
            " " + token, token + " ", token + "\n", token + "=", token + ".", "." + token, token + "." + signature,
            "\(header)=.\(payload).\(signature)", "\(header).\(payload).\(signature)==",
            "\(header) .\(payload).\(signature)",
            "\(header)..\(signature)", ".\(payload).\(signature)", "..", ".", "", "\(header).\(payload)",
            "Bearer " + token,
            "\(header).\(payload).\(signature)\0", "{\"payload\":\"\(payload)\"}", "\u{FEFF}" + token,
            "\(header)․\(payload)․\(signature)",
        ]
        for other in others { #expect(refusal(other) != nil, "\(other)") }
        // The last base64url character has unused bits.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let fitting = alphabet.filter { refusal(String(token.dropLast()) + String($0)) == nil }
        #expect(fitting == [token.last])
    }

    // MARK: Signatures

    @Test func `no altered signature is accepted`() {
        let curve = TestIssuer.token(issuer.header(of: issuer.curve), TestIssuer.payload(), by: issuer.curve)
        let shared = TestIssuer.token(#"{"alg":"HS256","kid":"secret"}"#, TestIssuer.payload(), secret: issuer.secret)
        for token in [right, curve, shared] {
            let signature = bytes(parts(token)[2])
            let half = signature.count / 2
            var others = [
                Array(signature[half...] + signature[..<half]), Array(signature.reversed()), [],
                Array(signature.dropLast()),
                signature + [0], [0] + signature, [UInt8](repeating: 0, count: signature.count),
                [UInt8](repeating: 0xFF, count: signature.count), Array(signature[..<half]),
                Array(signature[..<half]) + [UInt8](repeating: 0, count: half),
                [UInt8](repeating: 0, count: half) + Array(signature[half...]),
            ]
            for bit in 0..<signature.count * 8 {
                var other = signature
                other[bit / 8] ^= 1 << (bit % 8)
                others.append(other)
            }
            let head = parts(token)[..<2].joined(separator: ".")
            for other in others { #expect(refusal(head + "." + Base64URL.text(of: other)) == .wrongSignature) }
        }
    }

    @Test func `an ES256 signature is two fixed-size numbers, not DER`() {
        let token = TestIssuer.token(issuer.header(of: issuer.curve), TestIssuer.payload(), by: issuer.curve)
        let signature = bytes(parts(token)[2])
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let plain = Array(bytes.drop { $0 == 0 })
            let value = (plain.first ?? 0) & 0x80 == 0 ? plain : [0] + plain
            return [2, UInt8(value.count)] + value
        }
        let body = integer(signature[..<32]) + integer(signature[32...])
        let der = [0x30, UInt8(body.count)] + body
        let head = parts(token)[..<2].joined(separator: ".")
        #expect(refusal(token) == nil)
        #expect(refusal(head + "." + Base64URL.text(of: der)) == .wrongSignature)
    }

    @Test func `parts of two tokens combined are refused`() {
        let (alice, admin) = (parts(issuer.token()), parts(issuer.token(["callhub": "[\"admin\"]"])))
        #expect(refusal("\(alice[0]).\(admin[1]).\(alice[2])") == .wrongSignature)
        #expect(refusal("\(Base64URL.text(of: "{\"alg\":\"EdDSA\"}".utf8)).\(alice[1]).\(alice[2])") == .wrongSignature)
    }
}
