import Foundation
import Testing

@testable import HubCrypto

struct TokenSignerTests {
    private func verifier(for key: SigningKey) throws -> TokenVerifier {
        TokenVerifier(keys: try KeySet(Array("{\"keys\":[\(key.publicJWK)]}".utf8)), policy: TestIssuer.policy)
    }

    @Test(arguments: [SigningAlgorithm.es256, .edDSA])
    func `a signed token verifies with all its claims`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.fresh(algorithm)
        let signer = TokenSigner(key: key, issuer: TestIssuer.policy.issuer, audience: TestIssuer.policy.audience)
        let full = TokenClaims(
            account: "guest-\"1\"/\u{0}\u{1F}😀",
            name: "Gast",
            handles: [TokenClaims.Handle(type: .emailAddress, value: "a@b.example")],
            permissions: [.call, .admin, .observe],
            callee: TokenClaims.Handle(type: .phoneNumber, value: "+1 555"),
            expires: now.addingTimeInterval(3600),
            identifier: "7"
        )
        let least = TokenClaims(account: "a", permissions: [], expires: now.addingTimeInterval(1))
        for claims in [full, least] {
            let token = try #require(signer.sign(claims, at: now))
            #expect(try verifier(for: key).verify(token, at: now) == claims)
            #expect(throws: TokenError.self) { try verifier(for: key).verify(token, at: now.addingTimeInterval(7200)) }
        }
    }

    @Test func `a token signed by another key with the same key id is refused`() throws {
        let (key, other) = (try SigningKey.fresh(.edDSA), try SigningKey.fresh(.edDSA))
        let header = #"{"alg":"EdDSA","kid":"\#(key.id)"}"#
        let token = TestIssuer.token(header, TestIssuer.payload(), by: other)
        let refusal = fault(TokenError.self) { _ = try verifier(for: key).verify(token, at: now) }
        #expect(refusal == .wrongSignature)
    }

    @Test(arguments: [-1.0, .nan, .infinity, 1e300, 253_402_300_800])
    func `a time outside the token format is not signed`(seconds: Double) throws {
        let key = try SigningKey.fresh(.edDSA)
        let signer = TokenSigner(key: key, issuer: "i", audience: "a")
        let odd = Date(timeIntervalSince1970: seconds)
        #expect(signer.sign(TokenClaims(account: "a", expires: odd), at: now) == nil)
        #expect(signer.sign(TokenClaims(account: "a", expires: now), at: odd) == nil)
    }
}
