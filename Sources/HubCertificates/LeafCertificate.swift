import Foundation

/// A certificate that a hub shows to its clients, issued by its own authority, and its key.
package struct LeafCertificate: Sendable {
    /// The certificate.
    package let certificate: Certificate
    /// The certificate in PEM; clients have its authority's already, or do not trust it anyway.
    package let chain: String
    /// The key in PEM.
    package let key: String

    /// The common name of its subject, which clients do not read.
    static let commonName = "CallHub"

    /// The maximum lifetime in days.
    ///
    /// Apple's systems refuse more than 825 (support.apple.com/103769) and 398 of public authorities
    /// (support.apple.com/102028); a shorter one costs nothing, as it is renewed by itself.
    static let lifetimeDays = 397

    /// The names of a certificate that is to be issued.
    enum Names {
        /// These names, which the authority permits; at least one.
        case given([SubjectName])
        /// Those of an earlier certificate.
        case same(as: Certificate)
    }

    /// Issues a certificate with a new key.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - authority: The authority.
    ///   - now: The time by the machine's clock.
    /// - Returns: The certificate.
    /// - Throws: ``CertificateError`` if OpenSSL has no memory or randomness.
    static func issue(
        for names: Names,
        by authority: CertificateAuthority,
        at now: Date
    ) throws(CertificateError) -> LeafCertificate {
        guard let key = PrivateKey.generate() else { throw CertificateAuthority.outOfMemory }
        let kind: Certificate.Kind =
            switch names {
            case .given(let names): .server(names, by: authority.certificate, authority.key)
            case .same(let earlier): .successor(of: earlier, by: authority.certificate, authority.key)
            }
        let validity = validity(at: now, within: authority.certificate)
        guard let certificate = Certificate.make(kind, key: key, name: commonName, validity: validity),
            let chain = certificate.pem, let text = key.pem
        else { throw CertificateAuthority.outOfMemory }
        return LeafCertificate(certificate: certificate, chain: chain, key: text)
    }

    /// Reads the text of a file: the certificate and its key; nil if they are not an authority's.
    static func read(_ text: String, of authority: CertificateAuthority) -> LeafCertificate? {
        guard let certificate = Certificate.read(text), let key = PrivateKey.read(text), certificate.hasKey(key),
            authority.certificate.hasIssued(certificate), let chain = certificate.pem, let keyText = key.pem
        else { return nil }
        return LeafCertificate(certificate: certificate, chain: chain, key: keyText)
    }

    /// The text of its file.
    var text: String { chain + key }

    /// The validity of a certificate that is issued now: within the authority's, also if the clock is wrong.
    static func validity(at now: Date, within authority: Certificate) -> Certificate.Validity {
        let latest = authority.ends - CertificateAuthority.clockTolerance
        let begin = max(authority.begins, min(now - CertificateAuthority.clockTolerance, latest))
        return (begin, min(begin + TimeInterval(lifetimeDays) * 86_400, authority.ends))
    }

    /// Indicates that the certificate is to be replaced for its time: less than a third is left, or it begins later.
    func isDue(at now: Date, within authority: Certificate) -> Bool {
        let (begin, end) = (certificate.begins, certificate.ends)
        let next = Self.validity(at: now, within: authority)
        if begin > now { return next.begin < begin }
        // Towards the authority's end a new one would not last longer.
        return end.timeIntervalSince(now) * 3 < end.timeIntervalSince(begin) && next.end > end
    }
}
