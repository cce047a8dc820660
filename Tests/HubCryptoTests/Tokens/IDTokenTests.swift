import Foundation
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

struct IDTokenTests {
    private let issuer: TestIssuer
    private let keys: KeySet
    private static let nonce = String(repeating: "n", count: 43)

    init() throws {
        issuer = try TestIssuer()
        let own = [issuer.curve.publicJWK, issuer.edwards.publicJWK, RSAVector.key]
        let shared = #"{"kty":"oct","kid":"secret","k":"\#(Base64URL.text(of: issuer.secret))"}"#
        keys = try KeySet(Array("{\"keys\":[\((own + [shared]).joined(separator: ","))]}".utf8))
    }

    private func refusal(_ token: String, accessToken: String? = nil) -> TokenError? {
        fault(TokenError.self) { _ = try verify(token, accessToken: accessToken) }
    }

    private func verify(_ token: String, accessToken: String? = nil, at date: Date = now) throws -> IDTokenClaims {
        let verifier = IDTokenVerifier(
            keys: keys,
            issuer: "https://issuer.example",
            clientID: "callhub",
            leeway: .seconds(30)
        )
        return try verifier.verify(token, nonce: Self.nonce, accessToken: accessToken, at: date)
    }

    private func token(_ changes: [String: String?] = [:], by key: SigningKey? = nil, header: String? = nil) -> String {
        let key = key ?? issuer.edwards
        let usual: [String: String?] = ["nonce": "\"\(Self.nonce)\""]
        let payload = TestIssuer.payload(usual.merging(changes) { $1 })
        return TestIssuer.token(header ?? issuer.header(of: key), payload, by: key)
    }

    @Test func `tokens by ES256, EdDSA and RS256 are accepted`() throws {
        #expect(try verify(token(by: issuer.curve)).subject == "alice")
        #expect(try verify(token(by: issuer.edwards)).subject == "alice")
        #expect(try verify(RSAVector.token).subject == "alice")
    }

    @Test func `a token by RS256 whose claims or signature were changed is refused`() throws {
        let parts = RSAVector.token.split(separator: ".").map(String.init)
        let other = Base64URL.text(of: TestIssuer.payload(["sub": "\"mallory\"", "nonce": "\"\(Self.nonce)\""]).utf8)
        #expect(refusal("\(parts[0]).\(other).\(parts[2])") == .wrongSignature)
        var signature = bytes(parts[2])
        for change in [0, signature.count / 2, signature.count - 1] {
            signature[change] ^= 1
            #expect(refusal("\(parts[0]).\(parts[1]).\(Base64URL.text(of: signature))") == .wrongSignature)
            signature[change] ^= 1
        }
        for wrong in [[], [0], Array(signature.dropLast()), signature + [0], [0] + signature] {
            #expect(refusal("\(parts[0]).\(parts[1]).\(Base64URL.text(of: wrong))") == .wrongSignature)
        }
    }

    @Test func `an RSA key of fewer than 2048 bits is not used`() throws {
        let right = issuer.curve.publicJWK
        let found = try KeySet(Array("{\"keys\":[\(RSAVector.shortKey),\(right)]}".utf8))
        #expect(found.keys.count == 1 && found.ignored.count == 1)
    }

    @Test(arguments: [
        ("AQAB", "AQAB"), ("", "AQAB"), ("AQAB", ""), ("AA", "AA"),
    ])
    func `numbers that are no RSA key are not used`(modulus: String, exponent: String) throws {
        let text = #"{"kty":"RSA","n":"\#(modulus)","e":"\#(exponent)"}"#
        let found = try KeySet(Array("{\"keys\":[\(text),\(issuer.curve.publicJWK)]}".utf8))
        #expect(found.keys.count == 1)
    }

    @Test func `the secret of the client signs no ID token, nor does nobody`() {
        let payload = TestIssuer.payload(["nonce": "\"\(Self.nonce)\""])
        #expect(
            refusal(TestIssuer.token(#"{"alg":"HS256","kid":"secret"}"#, payload, secret: issuer.secret))
                == .symmetricAlgorithm
        )
        let unsigned = Base64URL.text(of: #"{"alg":"none"}"#.utf8) + "." + Base64URL.text(of: payload.utf8) + "."
        #expect(refusal(unsigned) == .unknownAlgorithm)
    }

    @Test func `the algorithm of the header must be that of the key`() {
        let (curve, edwards) = (issuer.curve, issuer.edwards)
        #expect(refusal(token(by: edwards, header: #"{"alg":"RS256","kid":"\#(edwards.id)"}"#)) == .wrongAlgorithm)
        #expect(refusal(token(by: curve, header: #"{"alg":"HS256","kid":"\#(curve.id)"}"#)) == .wrongAlgorithm)
        #expect(refusal(token(by: curve, header: #"{"alg":"ES256","kid":"rsa"}"#)) == .wrongAlgorithm)
        #expect(refusal(token(header: #"{"alg":"EdDSA","kid":"unknown"}"#)) == .unknownKey)
    }

    @Test(
        arguments: [
            ("iss", "\"https://issuer.example/\"", TokenError.wrongIssuer), ("iss", nil, .missing(claim: "iss")),
            ("aud", "\"another\"", .wrongAudience), ("aud", nil, .missing(claim: "aud")),
            ("aud", "[\"callhub\",\"another\"]", .wrongAuthorizedParty), ("azp", "\"another\"", .wrongAuthorizedParty),
            ("azp", "7", .wrongAuthorizedParty), ("exp", nil, .missing(claim: "exp")),
            ("iat", nil, .missing(claim: "iat")), ("nonce", nil, .missing(claim: "nonce")),
            ("nonce", "\"another\"", .wrongNonce), ("nonce", "\"\"", nil), ("nonce", "7", nil),
            ("sub", nil, .missing(claim: "sub")), ("sub", "\"\"", nil), ("sub", "7", nil),
            ("at_hash", "\"x\"", .wrongAccessToken), ("at_hash", "null", .wrongAccessToken),
        ] as [(String, String?, TokenError?)]
    )
    func `a token with a wrong claim is refused`(claim: String, value: String?, error: TokenError?) {
        let found = refusal(token([claim: value]), accessToken: "access")
        #expect(found != nil)
        if let error { #expect(found == error) }
    }

    @Test func `a token is accepted from its issue to its expiry, with the leeway on both sides`() throws {
        let text = token()
        for (offset, isRight) in [(-41, false), (-40, true), (0, true), (629, true), (630, false)] {
            let isAccepted = (try? verify(text, at: now + TimeInterval(offset))) != nil
            #expect(isAccepted == isRight, "\(offset)")
        }
    }

    @Test func `a token for several audiences is accepted if it was issued to this client`() throws {
        let changes = ["aud": "[\"another\",\"callhub\"]", "azp": "\"callhub\""]
        #expect(try verify(token(changes)).subject == "alice")
    }

    @Test func `the hash of the access token has to be its own, by the digest of the algorithm`() throws {
        let short = Base64URL.text(of: SHA256.digest(Array("access".utf8)).prefix(16))
        let long = Base64URL.text(of: SHA512.digest(Array("access".utf8)).prefix(32))
        let right = [(issuer.curve, short, long), (issuer.edwards, long, short)]
        for (key, hash, wrong) in right {
            let text = token(["at_hash": "\"\(hash)\""], by: key)
            #expect(try verify(text, accessToken: "access").subject == "alice")
            #expect(refusal(text, accessToken: "other") == .wrongAccessToken)
            #expect(refusal(text) == .wrongAccessToken)
            #expect(refusal(token(["at_hash": "\"\(wrong)\""], by: key), accessToken: "access") == .wrongAccessToken)
        }
    }

    @Test func `claims are found by their name, or by the path to a member`() throws {
        let claims = try verify(
            token([
                "a.b": "\"exact\"", "a": "{\"b\":\"path\",\"c\":{\"d\":[\"x\",\"y\"]}}", "flag": "true", "no": "false",
                "word": "\"true\"", "empty": "\"\"", "one": "\"x\"",
            ])
        )
        #expect(claims.text("a.b") == "exact")
        #expect(claims.contains("y", in: "a.c.d") && !claims.contains("z", in: "a.c.d"))
        #expect(claims.contains("x", in: "one") && !claims.contains("x", in: "a.c") && !claims.contains("x", in: "b"))
        #expect(claims.contains("true", in: "flag") && !claims.contains("true", in: "no"))
        #expect(claims.text("empty") == nil && claims.text("a") == nil && claims.text("") == nil)
        #expect(claims.isDenied("no") && !claims.isDenied("flag") && !claims.isDenied("word"))
        #expect(!claims.isDenied("missing") && claims.isDenied("one"))
    }
}
