import HubEngine

/// The time at which a certificate is renewed.
enum RenewalSchedule {
    /// Returns the date from which a certificate is to be renewed.
    ///
    /// It is when a third of the lifetime is left, and up to a thirtieth later: the hubs that were started together do
    /// not all ask at once. The certificate's own digest selects the place, which a restart does not change.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in use.
    ///   - issued: The date at which it was received; nil: not known.
    /// - Returns: The date.
    static func date(for certificate: IssuedCertificate, received issued: Instant?) -> Instant {
        let lifetime = max(0, certificate.notAfter.nanoseconds(since: certificate.notBefore))
        let place = Int64(certificate.digest.first ?? 0)
        let due = certificate.notBefore + .nanoseconds(lifetime - lifetime / 3 + lifetime / 30 / 255 * place)
        // A server that issues certificates which are old already is not asked again and again.
        guard let issued else { return due }
        return max(due, issued + .nanoseconds(min(lifetime / 3, shortestInterval)))
    }

    /// The shortest time between two certificates, a day in nanoseconds; of short ones a third of their lifetime.
    private static let shortestInterval: Int64 = 86_400_000_000_000
}
