import Foundation
import Testing

@testable import HubCrypto

struct PushAuthorizationTests {
    private let key: SigningKey
    private let authorization: PushAuthorization

    init() throws {
        key = try SigningKey.fresh(.es256)
        authorization = try PushAuthorization(key: key, contact: "mailto:admin@callhub.example")
    }

    @Test func `the authorization names the sender and is valid for half a day`() throws {
        let endpoint = try #require(PushEndpoint("https://push.example.net:8443/p/1"))
        let header = try authorization.header(for: endpoint, at: now)
        let match = try #require(header.wholeMatch(of: /vapid t=([^,]+), k=([A-Za-z0-9_-]+)/))
        #expect(bytes(String(match.2)) == key.pair.p256Point)
        #expect(String(match.2) == authorization.publicKey)
        let token = try CompactToken(Array(match.1.utf8))
        #expect(key.pair.verifies(token.signature, of: token.signed))
        #expect(token.header["alg"]?.string == "ES256")
        let claims = try CompactToken.object(token.payload, .payload)
        #expect(claims["aud"]?.string == "https://push.example.net:8443")
        #expect(claims["sub"]?.string == "mailto:admin@callhub.example")
        let expires = try #require(claims["exp"]?.number)
        #expect(expires == 1_800_000_000 + 12 * 3600)
        #expect(PushAuthorization.lifetime < 86_400)
    }

    @Test func `the public key is the same after storing and loading`() throws {
        let stored = try #require(SigningKey(stored: key.stored))
        let back = try PushAuthorization(key: stored, contact: authorization.contact)
        #expect(back.publicKey == authorization.publicKey)
    }

    @Test(arguments: [
        "", "admin@callhub.example", "mailto:", "mailto:admin", "mailto:@b", "mailto:a@b@c", "mailto:a b@c",
        "http://a/",
        "mailto:a@b\n", "https://", "mailto:" + String(repeating: "a", count: 250) + "@b",
    ])
    func `an invalid contact is refused`(contact: String) {
        #expect(fault(PushError.self) { _ = try PushAuthorization(key: key, contact: contact) } == .contact)
    }

    @Test func `a URL is accepted as a contact, an EdDSA key is refused`() throws {
        _ = try PushAuthorization(key: key, contact: "https://callhub.example/contact")
        let edwards = try SigningKey.fresh(.edDSA)
        #expect(fault(PushError.self) { _ = try PushAuthorization(key: edwards, contact: "mailto:a@b") } == .key)
    }

    @Test func `a time outside a token's range is refused`() throws {
        let endpoint = try #require(PushEndpoint("https://push.example.net/"))
        for seconds in [-1e9, Double.nan, 1e300] {
            let odd = Date(timeIntervalSince1970: seconds)
            #expect(fault(PushError.self) { _ = try authorization.header(for: endpoint, at: odd) } == .library)
        }
    }
}
