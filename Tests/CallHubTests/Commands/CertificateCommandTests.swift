import Foundation
import HubCertificates
import HubTestSupport
import Testing

/// `callhub certificate`.
struct CertificateCommandTests {
    private func machine() throws -> (folder: TemporaryFolder, certificates: OwnCertificates) {
        let folder = try TemporaryFolder()
        let names = ["pi", "pi.local", "192.168.1.4"].compactMap { SubjectName($0) }
        let opened = try OwnCertificates.open(in: folder.path, host: "pi", names: names, at: Date())
        return (folder, opened.certificates)
    }

    @Test func `show describes both certificates, and fingerprint prints what a device is to show`() async throws {
        let (folder, certificates) = try machine()
        let authority = certificates.authority.certificate
        let shown = try await CommandRun("certificate", "show", "--data", folder.path, in: folder)
        #expect(shown.code == 0)
        #expect(shown.output.hasPrefix("Authority: CallHub pi "))
        #expect(shown.output.contains("  SHA-256 \(authority.fingerprint)\n"))
        #expect(shown.output.contains("Certificate: pi, pi.local, 192.168.1.4\n"))
        #expect(shown.output.contains("  SHA-256 \(certificates.leaf.certificate.fingerprint)\n"))
        let fingerprint = try await CommandRun("certificate", "fingerprint", "--data", folder.path, in: folder)
        #expect(fingerprint.output == authority.fingerprint + "\n")
        let json = try await CommandRun("certificate", "show", "--json", "--data", folder.path, in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: Any]]
        #expect(object?["authority"]?["fingerprint"] as? String == authority.fingerprint)
        #expect(object?["certificate"]?["names"] as? [String] == ["pi", "pi.local", "192.168.1.4"])
    }

    @Test func `renew makes a new certificate for the same names, under the same authority`() async throws {
        let (folder, certificates) = try machine()
        let renewal = try await CommandRun("certificate", "renew", "--data", folder.path, in: folder)
        #expect(renewal.code == 0)
        let now = try #require(try OwnCertificates.read(in: folder.path))
        #expect(now.authority.fingerprint == certificates.authority.certificate.fingerprint)
        let leaf = try #require(now.leaf)
        #expect(leaf.fingerprint != certificates.leaf.certificate.fingerprint)
        #expect(leaf.names == certificates.leaf.certificate.names)
        #expect(renewal.output.contains(leaf.fingerprint))
    }

    @Test(arguments: ["show", "fingerprint", "renew"])
    func `without a certificate there is one sentence, and nothing is made`(_ verb: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("certificate", verb, "--data", folder.path, in: folder)
        #expect(run.code == 2)
        #expect(
            run.errors
                == "callhub certificate \(verb): \(folder.path) has no certificate; a hub with tls.own or tls.acme makes "
                + "one when it starts.\n"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/certificates"))
        let wrong = try await CommandRun("certificate", verb, "more", "--data", folder.path, in: folder)
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("\"more\" is one word too many"))
    }

    @Test func `a damaged authority is the sentence of the hub`() async throws {
        let (folder, _) = try machine()
        let path = folder.path + "/certificates/authority.crt"
        try Data("x".utf8).write(to: URL(filePath: path))
        for verb in ["show", "fingerprint", "renew"] {
            let run = try await CommandRun("certificate", verb, "--data", folder.path, in: folder)
            #expect(run.code == 2)
            #expect(run.errors.hasSuffix("\(path) holds no certificate authority; restore it from a backup.\n"))
        }
    }
}
