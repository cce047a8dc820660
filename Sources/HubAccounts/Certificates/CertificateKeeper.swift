import Foundation
import HubACME
import HubCertificates
import HubConfiguration
import HubServer

/// The keeper of the certificate that clients see: that of an ACME server once there is one, else the hub's own.
final class CertificateKeeper: @unchecked Sendable {
    private let own: OwnCertificateKeeper
    private let acme: ACMESettings?
    private let storage: ACMEStorage
    private let challenges = ChallengeStore()
    private let log: HubLog
    private let lock = NSLock()
    // Guarded by the lock, from here on.
    private var issued: CertificatePEM?
    private weak var server: HubServer?
    private var client: ACMEClient?

    /// Opens the certificates of a data directory, and makes those of the hub's own that are missing.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - log: The log for faults that do not prevent the start.
    /// - Throws: `ServeError` if there is no data directory, or a file is damaged, not safe from others or unwritable.
    init(_ settings: ServeSettings, _ log: HubLog) throws(ServeError) {
        own = try OwnCertificateKeeper(settings, log)
        self.log = log
        storage = ACMEStorage(folder: OwnCertificates.folder(in: settings.dataDirectory ?? "") + "/acme")
        var acme = settings.tls.acme
        // Without the port for plain HTTP nobody answers http-01.
        if settings.hub.transport.redirectPort == nil { acme.challenges = [.tlsALPN01] }
        self.acme = acme.domains.isEmpty ? nil : acme
        if self.acme != nil, let pair = storage.pair { issued = Self.usable(pair.chain, pair.key) }
    }

    /// The certificate at present.
    var current: ServerCertificate { lock.withLock { issued }.map { .acme($0) } ?? own.current }

    /// Prepares the settings of a hub that shows the certificate.
    func prepare(_ transport: inout TransportSettings, hosts: [String]) {
        transport.certificate = current
        transport.hosts += hosts
        guard let acme else { return }
        transport.hosts += acme.hostNames
        transport.challenges = ChallengeResponder(
            httpAnswer: { [challenges] in challenges.httpAnswer(forToken: $0) },
            alpnCertificate: { [challenges] name in
                challenges.alpnCertificate(forName: name).map { CertificatePEM(chain: $0.certificate, key: $0.key) }
            }
        )
    }

    /// Renews the certificates from now on, and gives the hub each new one.
    ///
    /// - Parameter server: The running hub.
    /// - Throws: `ServeError` if the file of the ACME server's own authority cannot be read.
    func start(for server: HubServer) throws(ServeError) {
        lock.withLock { self.server = server }
        own.watch { [weak self] in self?.use(own: $0) }
        guard let acme else { return }
        do throws(ACMESettingsError) {
            let client = try ACMEClient.start(
                settings: acme,
                storage: storage,
                challenges: challenges,
                onCertificate: { [weak self] in self?.use(chain: $0, key: $1) },
                log: { [log] in log($0.level == .info ? .info : .warning, "ACME certificate", ["what": $0.sentence]) }
            )
            lock.withLock { self.client = client }
        } catch {
            throw ServeError("tls.acme: \(error.description)")
        }
    }

    /// Checks the hub's own certificate at once, as after a SIGHUP; does not wait for it.
    func checkNow() { own.checkNow() }

    /// Ends the renewals.
    func stop() {
        own.stop()
        lock.withLock { client }?.stop()
    }

    /// Shows a new certificate of the hub's own, unless another one has taken its place.
    private func use(own certificate: ServerCertificate) {
        lock.withLock {
            guard issued == nil else { return log(.debug, "own certificate renewed, and an issued one is shown") }
            server?.setCertificate(certificate)
        }
    }

    /// Shows an ACME server's certificate, unless it is shown already.
    private func use(chain: String, key: String) {
        guard let pair = Self.usable(chain, key) else { return }
        lock.withLock {
            guard pair != issued else { return }
            issued = pair
            server?.setCertificate(.acme(pair))
        }
    }

    /// A certificate that has not ended: another one is no better than the hub's own, which devices may trust.
    private static func usable(_ chain: String, _ key: String) -> CertificatePEM? {
        guard let certificate = Certificate.read(chain), certificate.ends > Date() else { return nil }
        return CertificatePEM(chain: chain, key: key)
    }
}
