import Foundation
import HubAccountData
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

/// Tests of interoperability, in both directions, with independent implementations.
struct PeerTests {
    // MARK: Passwords

    @Test func `argon2-cffi verifies our password hashes`() throws {
        for password in ["Rosenkohl 7", "π \u{D55C} 👩\u{200D}🚀", String(repeating: "x", count: 1024)] {
            let hash = try #require(PasswordHash(Password(password), cost: .of(megabytes: 8, passes: 2)))
            let asked: [String: Any] = ["text": hash.text, "passwords": [password, password + "x", "x"]]
            #expect(try Peer.ask("password_matches", asked)["matching"] as? [String] == [password])
        }
    }

    @Test(arguments: [1, 4])
    func `we verify argon2-cffi's password hashes`(lanes: Int) throws {
        let asked: [String: Any] = ["password": "Rosenkohl 7 π", "kibibytes": 8192, "passes": 2, "lanes": lanes]
        let text = try #require(Peer.ask("password_hash", asked)["text"] as? String)
        let hash = try #require(PasswordHash(text: text))
        #expect(hash.matches(try Password("Rosenkohl 7 π")))
        #expect(!hash.matches(try Password("Rosenkohl 7")))
        #expect(try hash.needsRehash(.of(megabytes: 8, passes: 2)) == (lanes != 1))
    }

    // MARK: Tokens

    @Test func `we accept PyJWT's tokens with a key set made by cryptography`() throws {
        let claims: [String: Any] = [
            "iss": "https://issuer.example", "aud": ["other", "callhub"], "sub": "ålice", "iat": 1_800_000_000,
            "exp": 1_800_000_060, "callhub": ["call", "observe"], "handles": [["type": "generic", "value": "a"]],
        ]
        let made = try Peer.ask("tokens", ["claims": claims])
        let jwks = try #require(made["jwks"] as? String)
        let verifier = TokenVerifier(keys: try KeySet(Array(jwks.utf8)), policy: TestIssuer.policy)
        let tokens = try #require(made["tokens"] as? [String: String])
        #expect(Set(tokens.keys) == ["HS256", "ES256", "EdDSA"])
        for (name, token) in tokens {
            let claims = try verifier.verify(token, at: now)
            #expect(claims.account == "ålice", "\(name)")
            #expect(claims.permissions == [.call, .observe])
            #expect(claims.handles == [TokenClaims.Handle(type: .generic, value: "a")])
            let over = now.addingTimeInterval(91)
            #expect(throws: TokenError.expired(since: now.addingTimeInterval(60))) {
                try verifier.verify(token, at: over)
            }
        }
    }

    @Test(arguments: [SigningAlgorithm.es256, .edDSA])
    func `PyJWT accepts our tokens with our public JWK`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.fresh(algorithm)
        let signer = TokenSigner(key: key, issuer: "https://issuer.example", audience: "callhub")
        let token = try #require(signer.sign(TokenClaims(account: "ålice \"1\"", expires: now), at: now))
        let asked: [String: Any] = [
            "token": token, "jwk": key.publicJWK, "algorithm": algorithm.rawValue, "audience": "callhub",
            "issuer": "https://issuer.example",
        ]
        let claims = try Peer.ask("token_claims", asked)
        #expect(claims["sub"] as? String == "ålice \"1\"")
        #expect(claims["exp"] as? Int == 1_800_000_000)
        #expect(claims["callhub"] as? [String] == ["call"])
    }

    @Test(arguments: [SigningAlgorithm.es256, .edDSA])
    func `cryptography loads our stored keys`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.fresh(algorithm)
        let told = try Peer.ask("private_key", ["stored": Base64URL.text(of: key.stored)])
        let ours = try #require(JSONReader.value(of: Array(key.publicJWK.utf8)).object)
        for member in ["kty", "crv", "x", "y"] { #expect(told[member] as? String == ours[member]?.string) }
    }

    // MARK: Pushes

    @Test func `http_ece decrypts our push messages, with any padding`() throws {
        let keys = try Peer.ask("push_keys")
        let secret = SecureRandom.bytes(16)
        let key = try bytes(#require(keys["p256dh"] as? String))
        let recipient = try PushRecipient(
            PushSubscription(endpoint: "https://push.example.net/1", key: key, secret: secret)
        )
        let texts = [0, 1, 15, 16, 17, 1000, PushMessage.maximumBytes].map { SecureRandom.bytes($0) }
        let bodies = try texts.flatMap { text in
            try [0, 1024].map { Base64URL.text(of: try PushMessage(text, for: recipient, paddedTo: $0).body) }
        }
        let asked: [String: Any] = [
            "secret": keys["secret"] ?? "", "auth": Base64URL.text(of: secret), "bodies": bodies,
        ]
        let told = try #require(Peer.ask("push_texts", asked)["texts"] as? [String])
        #expect(told == texts.flatMap { [Base64URL.text(of: $0), Base64URL.text(of: $0)] })
    }

    @Test func `PyJWT accepts our authorization for push services`() throws {
        let key = try SigningKey.fresh(.es256)
        let authorization = try PushAuthorization(key: key, contact: "mailto:admin@callhub.example")
        let endpoint = try #require(PushEndpoint("https://push.example.net:8443/1"))
        let header = try authorization.header(for: endpoint, at: now)
        let claims = try Peer.ask("vapid_claims", ["header": header, "audience": "https://push.example.net:8443"])
        #expect(claims["sub"] as? String == "mailto:admin@callhub.example")
        #expect(claims["exp"] as? Int == 1_800_000_000 + 12 * 3600)
    }
}
