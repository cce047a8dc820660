import COpenSSL
import HubCrypto

/// The objects that a client signs for itself: requests for certificates, and the certificates of tls-alpn-01.
enum CertificateRequest {
    /// Makes a request for a certificate (RFC 2986).
    ///
    /// - Parameters:
    ///   - domains: The names of the certificate, all of them as subjectAltName.
    ///   - key: The private key of the certificate.
    /// - Returns: The request in DER; nil if OpenSSL is out of memory.
    static func der(for domains: [String], key: SigningKey) -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        let stored = key.stored
        let count = hub_acme_request(stored, stored.count, domains.joined(separator: ","), &start)
        guard count > 0, let start else { return nil }
        defer { hub_acme_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Makes the certificate that answers a tls-alpn-01 challenge (RFC 8737 section 3), with a key of its own.
    ///
    /// - Parameters:
    ///   - domain: The name that is proved.
    ///   - keyAuthorization: The token and the account key's thumbprint (RFC 8555 section 8.1).
    ///   - seconds: The present date, in seconds since 1970.
    /// - Returns: Certificate and key in PEM; nil if OpenSSL is out of memory.
    static func challengeCertificate(
        for domain: String,
        keyAuthorization: String,
        at seconds: Int64
    ) -> (certificate: String, key: String)? {
        guard let key = SigningKey.generate(.es256) else { return nil }
        let (stored, digest) = (key.stored, SHA256.digest(Array(keyAuthorization.utf8)))
        guard digest.count == 32, let text = hub_acme_challenge(stored, stored.count, domain, digest, seconds) else {
            return nil
        }
        defer { hub_acme_free(text) }
        return (String(cString: text), PEM.text(of: stored, label: "PRIVATE KEY"))
    }
}
