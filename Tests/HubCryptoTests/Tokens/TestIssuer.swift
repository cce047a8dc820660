import Foundation

import enum HubWire.Base64URL

@testable import HubCrypto

/// A token issuer that signs any claims that a test supplies.
struct TestIssuer {
    static let policy = TokenPolicy(issuer: "https://issuer.example", audience: "callhub")

    let curve: SigningKey
    let edwards: SigningKey
    let secret = Array("a secret of thirty-two bytes or more".utf8)

    init() throws {
        guard let curve = SigningKey.generate(.es256), let edwards = SigningKey.generate(.edDSA) else {
            throw CocoaError(.featureUnsupported)
        }
        (self.curve, self.edwards) = (curve, edwards)
    }

    /// The three keys: `secret`, and the two others under their thumbprints.
    var keys: KeySet {
        get throws {
            let shared = #"{"kty":"oct","kid":"secret","k":"\#(Base64URL.text(of: secret))"}"#
            return try KeySet(Array("{\"keys\":[\(shared),\(curve.publicJWK),\(edwards.publicJWK)]}".utf8))
        }
    }

    var verifier: TokenVerifier { get throws { TokenVerifier(keys: try keys, policy: Self.policy) } }

    /// Returns valid claims, with some members replaced or, by nil, left out; values are JSON.
    static func payload(_ changes: [String: String?] = [:]) -> String {
        let usual = [
            "iss": "\"https://issuer.example\"", "aud": "\"callhub\"", "sub": "\"alice\"",
            "iat": "1799999990", "exp": "1800000600",
        ]
        var members = usual.mapValues(Optional.some)
        for (name, value) in changes { members[name] = value }
        let texts = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{" + texts.sorted().joined(separator: ",") + "}"
    }

    /// Returns a token of any header and payload, signed by a key pair.
    static func token(_ header: String, _ payload: String, by key: SigningKey) -> String {
        CompactToken.signed(header: Array(header.utf8), payload: Array(payload.utf8), with: key) ?? ""
    }

    /// Returns a token of any header and payload, signed by a secret.
    static func token(_ header: String, _ payload: String, secret: [UInt8]) -> String {
        let text = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: payload.utf8)
        let digest = secret.withUnsafeBufferPointer { HMAC.sha256(Array(text.utf8), key: $0) }
        return text + "." + Base64URL.text(of: digest)
    }

    /// Returns a token with valid claims except for these, signed by the Ed25519 key.
    func token(_ changes: [String: String?] = [:]) -> String {
        Self.token(header(of: edwards), Self.payload(changes), by: edwards)
    }

    func header(of key: SigningKey) -> String {
        #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)","typ":"JWT"}"#
    }
}
