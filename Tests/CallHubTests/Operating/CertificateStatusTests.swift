import Foundation
import HubConfiguration
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

@testable import HubAccounts

/// The certificate that the administrator's page shows.
struct CertificateStatusTests {
    private let folder: TemporaryFolder
    private let file: String
    private let pem: CertificatePEM

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/certificate.pem"
        _ = try OpenSSLTool.output(
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.path + "/key.pem", "-out", file]
                + ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        )
        pem = CertificatePEM(chain: try String(contentsOfFile: file, encoding: .utf8), key: "")
    }

    private func status(_ current: ServerCertificate?, file: String? = nil) -> AdminStatus.Certificate? {
        var settings = ServeSettings()
        settings.hub.transport.certificateFile = file
        return AdminStatus.Certificate.read(settings, current: current)
    }

    @Test func `it is read from each place where a hub has one, with its names and its end`() throws {
        let authority = AuthorityCertificate(name: "CallHub", fingerprint: "AB", der: [])
        let found = [
            ("own", status(.own(pem, authority))), ("acme", status(.acme(pem))),
            ("file", status(.files(certificate: file, key: ""))),
            ("file", status(nil, file: file)),
        ]
        for (kind, status) in found {
            let status = try #require(status)
            #expect(status.kind == kind && status.failure == nil)
            #expect(status.names.contains("localhost"), "\(status.names)")
            #expect(status.expiresAt.map { $0 > .now } == true)
        }
    }

    @Test func `a hub without TLS has none, and one that cannot be read is a failure`() {
        #expect(status(nil) == nil)
        #expect(status(nil, file: "/no/such/file")?.failure == "the certificate cannot be read")
        #expect(status(.acme(CertificatePEM(chain: "no PEM", key: "")))?.failure == "the certificate cannot be read")
    }
}
