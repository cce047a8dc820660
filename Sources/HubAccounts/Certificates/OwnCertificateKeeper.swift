import Foundation
import HubCertificates
import HubConfiguration
import HubServer

/// The keeper of a hub's own certificate: it replaces one that is due, or that is for other names than the machine has.
package final class OwnCertificateKeeper: @unchecked Sendable {
    /// The time between two checks in seconds.
    ///
    /// Longer: a machine that has moved to another network is unreachable by its new address for longer.
    private static let interval: TimeInterval = 30

    private let settings: ServeSettings
    private let log: HubLog
    private let lock = NSLock()
    // Guarded by the lock, from here on.
    private var certificates: OwnCertificates
    private var addresses: [SubjectName]
    private var loggedFaults: [String] = []
    private var check: PeriodicCheck?

    /// Opens or makes the certificates of a data directory.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - log: The log for faults that do not prevent the start.
    /// - Throws: `ServeError` if there is no data directory, or a file is damaged, not safe from others or unwritable.
    init(_ settings: ServeSettings, _ log: HubLog) throws(ServeError) {
        guard let directory = settings.dataDirectory else {
            let setting = settings.tls.own ? "tls.own" : "tls.acme"
            throw ServeError(
                "\(setting) needs a folder for the hub's keys, and there is no home directory; set --data."
            )
        }
        self.settings = settings
        self.log = log
        addresses = []
        let faults = Self.read(&addresses)
        let opened: (certificates: OwnCertificates, update: OwnCertificates.Update)
        do throws(CertificateError) {
            let names = Self.names(settings) + addresses
            opened = try OwnCertificates.open(in: directory, host: LocalAddresses.host, names: names, at: Date())
        } catch {
            throw ServeError(error.description)
        }
        certificates = opened.certificates
        report(faults + opened.update.faults)
    }

    /// The certificate at present.
    var current: ServerCertificate { lock.withLock { certificate } }

    /// The host names under which web pages reach the hub.
    static func hosts(_ settings: ServeSettings) -> [String] {
        names(settings).compactMap { if case .host(let name) = $0 { name } else { nil } }
    }

    /// Checks the certificate from now on.
    ///
    /// All checks are on a thread of their own, as they wait for the disk.
    ///
    /// - Parameter use: Called on that thread with each new certificate.
    func watch(_ use: @escaping @Sendable (ServerCertificate) -> Void) {
        let check = PeriodicCheck(every: Self.interval, name: "certificate") { [weak self] in self?.update(use) }
        lock.withLock { self.check = check }
    }

    /// Makes the next check at once, as after a SIGHUP; does not wait for it.
    func checkNow() {
        lock.withLock { check }?.wake()
    }

    private func update(_ use: (ServerCertificate) -> Void) {
        var (certificates, addresses) = lock.withLock { (self.certificates, self.addresses) }
        let faults = Self.read(&addresses)
        let update = certificates.update(names: Self.names(settings) + addresses, at: Date())
        lock.withLock { (self.certificates, self.addresses) = (certificates, addresses) }
        report(faults + update.faults)
        if update.leaf != nil { use(current) }
    }

    /// Ends the checks.
    func stop() {
        lock.withLock { check }?.stop()
    }

    /// Logs faults, unless they are those of the last check.
    private func report(_ faults: [String]) {
        let isNew = lock.withLock {
            defer { loggedFaults = faults }
            return faults != loggedFaults
        }
        guard isNew else { return }
        for fault in faults { log(.warning, "own certificate", ["fault": fault]) }
    }

    private var certificate: ServerCertificate {
        let authority = certificates.authority.certificate
        return .own(
            CertificatePEM(chain: certificates.leaf.chain, key: certificates.leaf.key),
            AuthorityCertificate(name: authority.commonName, fingerprint: authority.fingerprint, der: authority.der)
        )
    }

    /// Reads the machine's addresses; if they cannot be read, the earlier ones stay, and the fault is returned.
    private static func read(_ addresses: inout [SubjectName]) -> [String] {
        do throws(CertificateError) {
            addresses = try LocalAddresses.addresses()
            return []
        } catch {
            return [error.description]
        }
    }

    /// The machine's names, and the names and addresses that the settings give the hub.
    private static func names(_ settings: ServeSettings) -> [SubjectName] {
        let transport = settings.hub.transport
        let publicHost = transport.publicURL.flatMap { URL(string: $0)?.host() }
        let given = settings.tls.names + transport.hosts + [transport.host, publicHost].compactMap(\.self)
        let unspecified = [SubjectName("0.0.0.0"), SubjectName("::")]
        return LocalAddresses.names + given.compactMap { SubjectName($0) }.filter { !unspecified.contains($0) }
    }
}
