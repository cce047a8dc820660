import Foundation
import HubACME
import HubCertificates
import HubConfiguration
import HubEngine
import HubServer
import HubWire

extension AdminStatus.Certificate {
    /// Finds out the certificate that clients see; reads files.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - current: The certificate in use, if the hub keeps it itself; nil: it has files, or no TLS.
    /// - Returns: The certificate; nil: the hub has none.
    static func read(_ settings: ServeSettings, current: ServerCertificate?) -> AdminStatus.Certificate? {
        switch current {
        case .own(let pem, _)?: return of("own", pem.chain)
        case .acme(let pem)?:
            var certificate = of("acme", pem.chain)
            let folder = OwnCertificates.folder(in: settings.dataDirectory ?? "") + "/acme"
            if let report = try? ACMEStorage(folder: folder).report() {
                certificate.nextRenewalAt = report.nextAttempt
                certificate.failure = report.failure
            }
            return certificate
        case .files(let path, _)?: return of("file", text(path))
        case nil:
            guard let path = settings.hub.transport.certificateFile else { return nil }
            return of("file", text(path))
        }
    }

    private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private static func of(_ kind: String, _ chain: String) -> AdminStatus.Certificate {
        var shown = AdminStatus.Certificate(kind: kind)
        guard let certificate = Certificate.read(chain) else {
            shown.failure = "the certificate cannot be read"
            return shown
        }
        shown.names = certificate.names.map(\.text)
        let issuer = certificate.issuerName
        shown.issuer = issuer.isEmpty ? nil : issuer
        shown.expiresAt = Instant(
            nanoseconds: Int64(clamping: Int(certificate.ends.timeIntervalSince1970)) &* 1_000_000_000
        )
        return shown
    }
}
