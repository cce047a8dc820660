package import Foundation

/// A hub's own certificate authority: a self-signed certificate of ten years, and its key.
package struct CertificateAuthority: Sendable {
    /// The certificate that devices are to trust.
    package let certificate: Certificate
    let key: PrivateKey

    /// The lifetime of an authority in days: ten years, as each device has to trust the next one by hand.
    static let lifetimeDays = 3_652

    /// The time before now at which a certificate begins, as clocks of devices differ.
    static let clockTolerance: TimeInterval = 86_400

    /// The earliest time that a machine's clock can show; an earlier one was never set.
    private static let earliestTime = Date(timeIntervalSince1970: 1_735_689_600)

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - host: The name of the machine, for the authority's own.
    ///   - names: The names and addresses that it may issue certificates for, beside `localhost` and private addresses.
    ///   - key: Its key; nil: none could be generated.
    ///   - now: The time by the machine's clock.
    /// - Returns: The authority.
    /// - Throws: ``CertificateError`` if the clock was never set, or OpenSSL has no memory or randomness.
    static func make(
        host: String,
        names: [SubjectName],
        key: PrivateKey?,
        at now: Date
    ) throws(CertificateError) -> CertificateAuthority {
        guard let key else { throw outOfMemory }
        guard now >= earliestTime else {
            throw CertificateError(
                "the clock shows \(now.day); set it, as the certificate authority is made for ten years from now."
            )
        }
        let begin = now - clockTolerance
        let certificate = Certificate.make(
            .authority(NameConstraints(names)),
            key: key,
            // A common name has at most 64 characters (RFC 5280, ub-common-name).
            name: "CallHub \(host.prefix(40)) \(key.shortFingerprint)",
            validity: (begin, begin + TimeInterval(lifetimeDays) * 86_400)
        )
        guard let certificate else { throw outOfMemory }
        return CertificateAuthority(certificate: certificate, key: key)
    }

    static let outOfMemory = CertificateError("OpenSSL has no memory or no random numbers left for a certificate.")

    /// Divides names into those that the authority's constraints permit, and the others.
    func divide(_ names: [SubjectName]) -> (permitted: [SubjectName], others: [SubjectName]) {
        var (permitted, others): ([SubjectName], [SubjectName]) = ([], [])
        for name in Set(names).sorted() {
            let sample = Certificate.make(
                .server([name], by: certificate, key),
                key: key,
                name: LeafCertificate.commonName,
                validity: certificate.validity
            )
            if let sample, certificate.permits(sample) { permitted.append(name) } else { others.append(name) }
        }
        return (permitted, others)
    }
}

extension Date {
    /// The day in ISO 8601.
    package var day: String { formatted(.iso8601.year().month().day()) }
}
