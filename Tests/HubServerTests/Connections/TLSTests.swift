import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// A hub with a certificate: accepted connections, and the reload of the certificate.
    struct TLSTests {
        private func hub(
            _ certificate: TestCertificate,
            log: LogLines = LogLines(),
            handshakeTimeout: Duration = .seconds(30)
        ) throws -> TestHub {
            try TestHub {
                $0.transport.certificateFile = certificate.file
                $0.transport.keyFile = certificate.key
                $0.transport.handshakeTimeout = handshakeTimeout
                $0.log.level = .info
                $0.log.write = { log.write($0) }
            }
        }

        /// The days until the certificate ends, by the metrics.
        private static func daysOfCertificateLeft(_ hub: TestHub) throws -> Int? {
            let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let address = "127.0.0.1:\(hub.port)"
            let page = try OpenSSLTool.output(["s_client", "-quiet", "-connect", address], input: request)
            let sample = page.firstMatch(of: /\ncallhub_certificate_expiry_timestamp_seconds ([0-9.e+]+)/)
            return sample.flatMap { Double($0.1) }.map { Int(($0 - Date().timeIntervalSince1970) / 86_400 + 0.5) }
        }

        @Test func `a reload serves the new certificate, and existing calls continue`() async throws {
            let certificate = try TestCertificate()
            let (older, newer) = (try certificate.fingerprint, try TestCertificate("ec", days: 90))
            let log = LogLines()
            let hub = try hub(certificate, log: log)
            let background = try await UndisturbedCall(hub, trusting: certificate)
            try await blocking {
                #expect(try TestCertificate.shown(at: hub.port) == older)
                #expect(try Self.daysOfCertificateLeft(hub) == 2)
                // The files change one after the other: a reload in between keeps the old certificate.
                try Data(contentsOf: URL(filePath: newer.key)).write(to: URL(filePath: certificate.key))
                hub.server.reload()
                let refusal = log.wait(for: "certificate not reloaded; the old one stays")
                #expect(refusal?.contains("is not the key of") == true)
                #expect(try TestCertificate.shown(at: hub.port) == older)
                try certificate.replaceFiles(newer)
                hub.server.reload()
                #expect(log.wait(for: "info certificate reloaded") != nil)
                #expect(try TestCertificate.shown(at: hub.port) == newer.fingerprint)
                #expect(try Self.daysOfCertificateLeft(hub) == 90)
            }
            let phone = try await TestPhone.connect(to: "wss://localhost:\(hub.port)", "frida") {
                $0.trustedCertificatesFile = newer.file
            }
            await phone.client.close()
            try await background.finish()
        }

        @Test func `only TLS 1.2 and 1.3 are supported, with HTTP 1.1`() async throws {
            let certificate = try TestCertificate()
            let hub = try hub(certificate)
            try await blocking {
                func session(_ options: String...) throws -> String {
                    try OpenSSLTool.output(["s_client", "-connect", "127.0.0.1:\(hub.port)"] + options)
                }
                let weak = ["-cipher", "ALL:@SECLEVEL=0"]
                for version in ["-tls1", "-tls1_1"] {
                    #expect(try session(version, weak[0], weak[1]).contains("Cipher is (NONE)"), "\(version)")
                }
                for (version, name) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
                    let answer = try session(version, "-alpn", "h2,http/1.1")
                    #expect(answer.contains("New, \(name), Cipher is"), "\(version)")
                    #expect(answer.contains("ALPN protocol: http/1.1"), "\(version)")
                    #expect(answer.contains("Compression: NONE"), "\(version)")
                }
            }
        }

        @Test func `a client trusts the configured certificates only`() async throws {
            let (certificate, other) = (try TestCertificate(), try TestCertificate())
            let hub = try hub(certificate)
            func open(_ trusted: String?) async throws {
                let phone = try await TestPhone.connect(to: "wss://127.0.0.1:\(hub.port)", "grete") {
                    $0.trustedCertificatesFile = trusted
                }
                await phone.client.close()
            }
            try await open(certificate.file)
            for wrong in [nil, other.file] {
                let error = await #expect(throws: HubClientError.self) { try await open(wrong) }
                #expect(error?.description.contains("its certificate is not valid") == true)
            }
            let error = await #expect(throws: HubClientError.self) { try await open("/nowhere.pem") }
            #expect(error?.description.contains("/nowhere.pem, the certificates to trust, cannot be read") == true)
        }

        @Test func `bytes that are not TLS close the connection, and so does TLS to a hub without it`() async throws {
            let certificate = try TestCertificate()
            let hub = try hub(certificate, handshakeTimeout: .seconds(1))
            let background = try await UndisturbedCall(hub, trusting: certificate)
            try await blocking {
                let request = "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                let noise: [[UInt8]] = [
                    Array(request.utf8), [0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5], [0x16, 3, 1, 0xFF, 0xFF],
                    [UInt8](repeating: 0x80, count: 40_000), [], [0x16],
                ]
                for bytes in noise {
                    let socket = try RawSocket(port: hub.port)
                    try? socket.send(bytes)
                    _ = try socket.waitForEnd(timeout: 20)
                }
                let plain = try TestHub { $0.transport.handshakeTimeout = .seconds(1) }
                let answer = try OpenSSLTool.output(["s_client", "-connect", "127.0.0.1:\(plain.port)"])
                #expect(answer.contains("Cipher is (NONE)"))
                #expect(try HTTPReply.fetch("/healthz", port: plain.port).status == 200)
            }
            try await background.finish()
        }

        @Test func `files that contain no certificate prevent the start, with a sentence`() throws {
            let (certificate, other) = (try TestCertificate(), try TestCertificate())
            let locked = try TestCertificate(passphrase: "secret")
            func fault(_ certificateFile: String, _ keyFile: String) -> String {
                do {
                    _ = try TestHub {
                        $0.transport.certificateFile = certificateFile
                        $0.transport.keyFile = keyFile
                    }
                    return ""
                } catch {
                    return "\(error)"
                }
            }
            let (file, key) = (certificate.file, certificate.key)
            #expect(fault("/nowhere", key) == "/nowhere cannot be read: No such file or directory.")
            #expect(fault(file, "/tmp") == "/tmp cannot be read: it is no file.")
            #expect(fault(key, key).hasPrefix("\(key) holds no certificate; it must be PEM"))
            #expect(fault(file, file).hasPrefix("\(file) holds no private key; it must be PEM"))
            #expect(fault(file, other.key).hasPrefix("\(other.key) is not the key of \(file); give"))
            #expect(fault(locked.file, locked.key).hasPrefix("\(locked.key) has a passphrase; give a key without one"))
        }
    }
}
