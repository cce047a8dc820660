import Foundation
import HubWire
import Testing

@testable import HubCrypto

/// A passkey with its registration and a use of it, made by python-fido2.
struct TestPasskey {
    static let challenge = [UInt8](0..<32)
    static let user = [UInt8](repeating: 7, count: 64)

    let site: PasskeySite
    let id: [UInt8]
    let registration: PasskeyRegistration
    let assertion: PasskeyAssertion

    init(
        _ algorithm: String = "ES256",
        origin: String = "https://hub.example:8443",
        format: String = "none",
        counter: Int = 0,
        hasExtensions: Bool = false
    ) throws {
        site = try #require(PasskeySite(origin: origin))
        id = (0..<20).map { UInt8($0 * 3) }
        let asked: [String: Any] = [
            "algorithm": algorithm, "origin": origin, "site": site.id, "format": format, "counter": counter,
            "challenge": Base64URL.text(of: Self.challenge), "id": Base64URL.text(of: id), "extensions": hasExtensions,
        ]
        let made = try #require(Peer.ask("passkey", asked) as? [String: String])
        let part = { (name: String) in bytes(made[name] ?? "") }
        registration = PasskeyRegistration(clientData: part("created"), attestationObject: part("attestation"))
        assertion = PasskeyAssertion(
            credential: id,
            clientData: part("got"),
            authenticatorData: part("data"),
            signature: part("signature"),
            userHandle: Self.user
        )
    }

    /// Registers the passkey and returns its public key.
    func key() throws -> PasskeyPublicKey { try registration.verified(Self.challenge, at: site).key }

    /// Verifies the passkey's own use, or another one, by a key.
    func verify(
        _ key: PasskeyPublicKey,
        using changed: PasskeyAssertion? = nil,
        challenge: [UInt8] = TestPasskey.challenge,
        at other: PasskeySite? = nil,
        of user: [UInt8] = TestPasskey.user,
        after counter: UInt32 = 0
    ) throws -> UInt32 {
        try (changed ?? assertion).verified(challenge, at: other ?? site, key, of: user, after: counter)
    }
}
