import CommandLineTools
import Foundation
import HubACME
import HubCertificates
import HubEngine
import HubWire

/// `callhub certificate show`.
extension CertificateCommand {
    /// A certificate in the output of `show --json`.
    private struct Shown: Encodable {
        var name: String?
        var names: [String]?
        var fingerprint: String?
        var begins: String?
        var ends: String?
        /// The members of an ACME server's certificate.
        var directory: String?
        var failure: String?
        var nextAttempt: String?

        init(_ certificate: Certificate?, isAuthority: Bool) {
            guard let certificate else { return }
            name = isAuthority ? certificate.commonName : nil
            names = isAuthority ? nil : certificate.names.map(\.text)
            fingerprint = certificate.fingerprint
            begins = certificate.begins.formatted(.iso8601)
            ends = certificate.ends.formatted(.iso8601)
        }

        init(_ report: ACMEReport) {
            self.init(report.chain.flatMap { Certificate.read($0) }, isAuthority: false)
            directory = report.directory
            failure = report.failure
            nextAttempt = report.nextAttempt.map { RFC3339.text(of: $0) }
        }
    }

    static func show(_ folder: String, _ given: Arguments) throws {
        let (authority, leaf) = try certificates(folder)
        let report: ACMEReport?
        do throws(ACMEStorageError) {
            report = try ACMEStorage(folder: OwnCertificates.folder(in: folder) + "/acme").report()
        } catch {
            throw CommandFailure(2, error.description)
        }
        if given.has(json) {
            let shown = [
                "authority": Shown(authority, isAuthority: true),
                "certificate": leaf.map { .init($0, isAuthority: false) },
                "acme": report.map { .init($0) },
            ]
            return try Command.print(jsonText(shown.compactMapValues(\.self)))
        }
        try Command.print((report.map(text) ?? "") + text(authority, leaf))
    }

    private static func text(_ report: ACMEReport) -> String {
        let host = URL(string: report.directory)?.host() ?? report.directory
        let next = report.nextAttempt.map { "at \(localTime($0))" } ?? "at once"
        var text =
            if let certificate = report.chain.flatMap({ Certificate.read($0) }) {
                """
                Certificate of \(host): \(certificate.names.map(\.text).joined(separator: ", "))
                  valid until \(certificate.ends.day); renewed by the running hub \(next)
                  SHA-256 \(certificate.fingerprint)

                """
            } else {
                "Certificate of \(host): none yet; ordered by the running hub \(next)\n"
            }
        if let failure = report.failure { text += "  the last attempt failed: \(failure)\n" }
        return text + "\n"
    }

    private static func text(_ authority: Certificate, _ leaf: Certificate?) -> String {
        let certificate = leaf.map { leaf in
            """
            Certificate: \(leaf.names.map(\.text).joined(separator: ", "))
              valid until \(leaf.ends.day); renewed by the running hub
              SHA-256 \(leaf.fingerprint)

            """
        }
        return """
            Authority: \(authority.commonName)
              valid until \(authority.ends.day)
              SHA-256 \(authority.fingerprint)

            """ + (certificate ?? "Certificate: none; the hub makes one when it starts.\n")
    }
}
