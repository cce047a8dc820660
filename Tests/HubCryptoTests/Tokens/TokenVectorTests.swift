import Foundation
import Testing

@testable import HubCrypto

/// The examples of the RFCs.
struct TokenVectorTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let hs256 =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let es256 =
        "eyJhbGciOiJFUzI1NiJ9.\(claims)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    private static let edDSA =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
        + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"

    private func verify(_ token: String, key: String) throws -> TokenError? {
        let verifier = TokenVerifier(
            keys: try KeySet(Array("{\"keys\":[\(key)]}".utf8)),
            policy: TokenPolicy(issuer: "joe", audience: "callhub")
        )
        return fault(TokenError.self) { _ = try verifier.verify(token, at: now) }
    }

    /// The RFCs' tokens have no audience; that it is missed shows that the signature was right.
    @Test(arguments: [
        (
            hs256,
            #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
        ),
        (
            es256,
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
                + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
        ),
    ])
    func `the tokens of RFC 7515 appendix A verify`(token: String, key: String) throws {
        #expect(try verify(token, key: key) == .missing(claim: "aud"))
        for place in [token.startIndex, token.index(token.startIndex, offsetBy: 60)] {
            var changed = token
            changed.replaceSubrange(place...place, with: token[place] == "a" ? "b" : "a")
            #expect(try verify(changed, key: key) != .missing(claim: "aud"))
        }
    }

    @Test func `the token of RFC 8037 appendix A verifies`() throws {
        let key = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
        // Its payload is no JSON, which is looked at after the signature.
        #expect(try verify(Self.edDSA, key: key) == .notJSON(.payload, reason: "is not JSON at byte 0"))
        let changed = Self.edDSA.replacing("RXho", with: "RXhp").replacing("RXhhbXBs", with: "RXhhbXBt")
        #expect(try verify(changed, key: key) == .wrongSignature)
    }

    @Test func `signing reproduces the token of RFC 8037 appendix A`() throws {
        let seed = bytes("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
        let key = try #require(SigningKey(stored: hexadecimal("302e020100300506032b657004220420") + seed))
        let token = CompactToken.signed(
            header: Array(#"{"alg":"EdDSA"}"#.utf8),
            payload: Array("Example of Ed25519 signing".utf8),
            with: key
        )
        #expect(token == Self.edDSA)
    }
}
