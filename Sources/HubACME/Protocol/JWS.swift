import HubCrypto
import HubWire

/// The signed objects of ACME requests (RFC 7515, flattened JSON, ES256; RFC 8555 section 6.2).
enum JWS {
    /// The name of the signer.
    enum Signer {
        /// The public key itself, for the request that makes or finds the account.
        case key
        /// The account's URL, for all others.
        case account(ACMEURL)
    }

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - payload: The body as JSON; empty for POST-as-GET.
    ///   - url: The URL that the request goes to.
    ///   - nonce: A nonce that was not used.
    ///   - signer: The name of the signer.
    ///   - key: The account's key.
    /// - Returns: The object as JSON; nil if OpenSSL is out of memory.
    static func signed(payload: String, url: ACMEURL, nonce: String, as signer: Signer, with key: SigningKey)
        -> [UInt8]?
    {
        var header: [UInt8] = []
        JSONWriter.write(into: &header) { json in
            json.object { json in
                json.member("alg", key.algorithm.rawValue)
                json.member("nonce", nonce)
                json.member("url", url.text)
                switch signer {
                case .account(let url): json.member("kid", url.text)
                case .key:
                    json.key("jwk")
                    json.literal(key.requiredPublicJWK)
                }
            }
        }
        let (protected, body) = (Base64URL.text(of: header), Base64URL.text(of: payload.utf8))
        let signature = key.signature(of: Array("\(protected).\(body)".utf8))
        guard !signature.isEmpty else { return nil }
        var object: [UInt8] = []
        JSONWriter.write(into: &object) { json in
            json.object { json in
                json.member("protected", protected)
                json.member("payload", body)
                json.member("signature", Base64URL.text(of: signature))
            }
        }
        return object
    }
}
