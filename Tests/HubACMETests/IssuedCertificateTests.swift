import Foundation
import HubCrypto
import HubTestSupport
import Testing

@testable import HubACME

struct `A chain of certificates` {
    private let name = "calls.example.org"

    /// Makes a self-signed certificate.
    private func certificate(_ name: String) throws -> (text: String, key: [UInt8]) {
        let made = CertificateRequest.challengeCertificate(for: name, keyAuthorization: "a.b", at: 1_800_000_000)
        let pair = try #require(made)
        return (pair.certificate, try #require(PEM.bytes(of: pair.key, label: "PRIVATE KEY")))
    }

    @Test func `is read with its dates, without what stands between the certificates`() throws {
        let (text, key) = try certificate(name)
        let noise = "Subject: x\n" + text + "-----BEGIN TRUSTED-----\nAAAA\n-----END TRUSTED-----\n"
        let read = try IssuedCertificate(chain: Array(noise.utf8), key: key, domains: [name])
        #expect(read.chain == text)
        #expect(read.notBefore == ACMEWorker.instant(1_800_000_000 - 86_400))
        #expect(read.notAfter == ACMEWorker.instant(1_800_000_000 + 6 * 86_400))
    }

    @Test func `is refused unless it is for the key and the names, and its parts have signed each other`() throws {
        let (text, key) = try certificate(name)
        let (other, otherKey) = try certificate(name)
        let faults: [(String, [UInt8], [String], String)] = [
            (text, otherKey, [name], "is for another key"),
            (text, key, [name, "other.example.org"], "is not for all the domains"),
            (text + other, key, [name], "did not sign each other"),
            (String(repeating: text, count: 11), key, [name], "more than 10 certificates"),
            ("", key, [name], "no certificate in PEM"), ("-----BEGIN CERTIFICATE-----", key, [name], "no certificate"),
        ]
        for (chain, key, names, words) in faults {
            #expect {
                try IssuedCertificate(chain: Array(chain.utf8), key: key, domains: names)
            } throws: { error in
                (error as? ACMEFailure)?.sentence(server: "ca.org").contains(words) == true
            }
        }
    }

    @Test func `is requested for all names, as OpenSSL reads it`() async throws {
        let folder = try TemporaryFolder()
        let key = try #require(SigningKey.generate(.es256))
        let request = try #require(CertificateRequest.der(for: [name, "b.example.org"], key: key))
        let file = folder.path + "/request.der"
        try Data(request).write(to: URL(filePath: file))
        let program = try Program(
            ["req", "-inform", "DER", "-in", file, "-verify", "-noout", "-text"],
            program: "/usr/bin/openssl",
            in: folder,
            withErrors: true
        )
        #expect(await program.exitCode() == 0)
        #expect(program.printed.contains("DNS:calls.example.org, DNS:b.example.org"))
        #expect(program.printed.contains("self-signature verify OK"))
    }
}
