import COpenSSL
import HubCrypto
import HubEngine

/// A certificate with its chain and its private key, checked against each other and against the names it is for.
struct IssuedCertificate: Hashable, Sendable {
    /// The chain in PEM, the hub's own certificate first.
    let chain: String
    /// The private key in PEM (PKCS #8).
    let key: String
    let notBefore: Instant
    let notAfter: Instant
    /// The SHA-256 of the hub's own certificate.
    let digest: [UInt8]

    /// Reads a chain.
    ///
    /// - Parameters:
    ///   - pem: The chain as a server sends it, or a file holds it.
    ///   - key: The private key, PKCS #8 in DER.
    ///   - domains: The names that the certificate must be for.
    /// - Throws: `ACMEFailure.badCertificate` if it is not one for the key and the names.
    init(chain pem: [UInt8], key: [UInt8], domains: [String]) throws(ACMEFailure) {
        var read = hub_acme_chain()
        let outcome = pem.withUnsafeBytes { pem in
            hub_acme_read_chain(
                pem.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: pem.count),
                key,
                key.count,
                domains.joined(separator: ","),
                &read
            )
        }
        if let fault = Self.fault(outcome) { throw .badCertificate(fault) }
        guard let text = read.pem else { throw .noMemory }
        defer { hub_acme_free(text) }
        chain = String(cString: text)
        self.key = PEM.text(of: key, label: "PRIVATE KEY")
        notBefore = Instant(nanoseconds: 0) + .seconds(read.not_before)
        notAfter = Instant(nanoseconds: 0) + .seconds(read.not_after)
        digest = withUnsafeBytes(of: read.digest) { Array($0) }
    }

    /// The end of the sentence about a chain that is not the ordered one; nil for a good one.
    private static func fault(_ outcome: hub_acme_chain_outcome) -> String? {
        if outcome == HUB_ACME_CHAIN_READ { return nil }
        return switch outcome {
        case HUB_ACME_CHAIN_TOO_LONG: "has more than \(HUB_ACME_CHAIN_LIMIT) certificates in its chain"
        case HUB_ACME_CHAIN_OTHER_KEY: "is for another key"
        case HUB_ACME_CHAIN_OTHER_NAME: "is not for all the domains"
        case HUB_ACME_CHAIN_NOT_LINKED: "has a chain whose parts did not sign each other"
        default: "is no certificate in PEM"
        }
    }
}
