import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// The replacement of a certificate in memory, while clients are connected.
    struct CertificateReplacementTests {
        private func pem(_ certificate: TestCertificate) throws -> CertificatePEM {
            let (chain, key) = try certificate.pem
            return CertificatePEM(chain: chain, key: key)
        }

        @Test(arguments: [1, 3])
        func `twenty connections and a call go on, and new handshakes show the new certificate, on all loops`(
            _ loops: Int
        ) async throws {
            let (older, newer) = (try TestCertificate("ec"), try TestCertificate())
            let log = LogLines()
            let first = try pem(older)
            let hub = try TestHub {
                $0.transport.certificate = .acme(first)
                $0.transport.loops = loops
                $0.log.level = .info
                $0.log.write = { log.write($0) }
            }
            let background = try await UndisturbedCall(hub, trusting: older)
            var phones: [TestPhone] = []
            for number in 0..<20 {
                let phone = try await TestPhone.connect(to: "wss://127.0.0.1:\(hub.port)/v1", "phone\(number)") {
                    $0.trustedCertificatesFile = older.file
                }
                phones.append(phone)
            }
            let opened = try await blocking { try Self.metric("callhub_connections_opened_total", hub) }
            try await blocking {
                for certificate in [newer, older, newer] {
                    hub.server.setCertificate(.acme(try pem(certificate)))
                    #expect(log.wait(for: "info certificate reloaded") != nil)
                    log.clear()
                    let fingerprint = try certificate.fingerprint
                    for _ in 0..<(loops * 4) {
                        let shown = try TestCertificate.shown(at: hub.port)
                        #expect(shown == fingerprint)
                    }
                }
            }
            for phone in phones { try await phone.settle() }
            #expect(try await blocking { try Self.metric("callhub_connections_opened_total", hub) } == opened)
            #expect(try await blocking { try Self.metric("callhub_session_losses_total", hub) } == 0)
            for phone in phones { await phone.client.close() }
            try await background.finish()
        }

        /// A number of the metrics page, read over TLS.
        private static func metric(_ name: String, _ hub: TestHub) throws -> Int? {
            let page = try OpenSSLTool.output(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)"],
                input: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            )
            return page.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
        }

        @Test func `a certificate that cannot be used is refused, and the old one stays`() async throws {
            let (certificate, other) = (try TestCertificate("ec"), try TestCertificate("ec"))
            let log = LogLines()
            let (good, wrong) = (try pem(certificate), try pem(other))
            let hub = try TestHub {
                $0.transport.certificate = .acme(good)
                $0.log.write = { log.write($0) }
            }
            try await blocking {
                for (chain, key, reason) in [
                    (good.chain, wrong.key, "its key is not the key of the certificate"),
                    ("", good.key, "the certificate holds no certificate"),
                    (good.chain, "", "its key holds no private key"),
                    (
                        good.chain + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", good.key,
                        "holds no"
                    ),
                ] {
                    hub.server.setCertificate(.acme(CertificatePEM(chain: chain, key: key)))
                    let refusal = log.wait(for: "certificate not reloaded; the old one stays")
                    #expect(refusal?.contains(reason) == true, "\(refusal ?? "-")")
                    log.clear()
                }
                let (shown, fingerprint) = (try TestCertificate.shown(at: hub.port), try certificate.fingerprint)
                #expect(shown == fingerprint)
            }
        }

        @Test func `a hub without TLS takes no certificate, and says so`() throws {
            let log = LogLines()
            let hub = try TestHub { $0.log.write = { log.write($0) } }
            hub.server.setCertificate(.acme(try pem(try TestCertificate("ec"))))
            #expect(log.count("certificate not used: the hub was started without TLS") == 1)
            #expect(try HTTPReply.fetch("/healthz", port: hub.port).status == 200)
        }
    }
}
