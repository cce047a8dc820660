import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// Challenges that are answered within a TLS handshake (tls-alpn-01, RFC 8737).
struct ALPNChallengeTests {
    private static func hub(_ certificate: TestCertificate, _ challenge: TestCertificate, asked: LogLines) throws
        -> TestHub
    {
        let (chain, key) = try challenge.pem
        let pem = CertificatePEM(chain: chain, key: key)
        return try TestHub {
            $0.transport.certificateFile = certificate.file
            $0.transport.keyFile = certificate.key
            $0.transport.challenges = ChallengeResponder(httpAnswer: { _ in nil }) { name in
                asked.write(name)
                return switch name {
                case "calls.example.org": pem
                case "broken.example.org": CertificatePEM(chain: pem.chain, key: "")
                default: nil
                }
            }
        }
    }

    @Test func `only a handshake with acme-tls 1 alone, for a name with a challenge, gets the challenge's certificate`()
        throws
    {
        let (certificate, challenge) = (try TestCertificate("ec"), try TestCertificate("ec"))
        let asked = LogLines()
        let hub = try Self.hub(certificate, challenge, asked: asked)
        func shown(_ name: String?, _ protocols: String?) throws -> String {
            let options =
                (name.map { ["-servername", $0] } ?? ["-noservername"]) + (protocols.map { ["-alpn", $0] } ?? [])
            return try TestCertificate.shown(at: hub.port, options)
        }
        for version in ["-tls1_2", "-tls1_3"] {
            let options = ["-servername", "CALLS.example.org", "-alpn", "acme-tls/1", version]
            let session = try OpenSSLTool.output(["s_client", "-connect", "127.0.0.1:\(hub.port)"] + options)
            #expect(session.contains("ALPN protocol: acme-tls/1"), "\(version)")
            #expect(try TestCertificate.shown(at: hub.port, options) == challenge.fingerprint)
        }
        #expect(asked.count("calls.example.org") == 4)
        for (name, protocols) in [
            ("calls.example.org", nil), ("calls.example.org", "http/1.1"), ("calls.example.org", "acme-tls/1,http/1.1"),
            ("calls.example.org", "http/1.1,acme-tls/1"), (nil, "acme-tls/1"), ("other.example.org", "acme-tls/1"),
            ("broken.example.org", "acme-tls/1"), (nil, nil),
        ] {
            #expect(try shown(name, protocols) == certificate.fingerprint, "\(name ?? "-") \(protocols ?? "-")")
        }
        #expect(asked.count("") == 6)
        // The challenge was of one handshake alone.
        let answer = try OpenSSLTool.output(
            ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)", "-servername", "calls.example.org"],
            input: "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        #expect(answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test func `a list of protocols is a challenge's only if acme-tls 1 is all of it`() {
        let name = Array("acme-tls/1".utf8)
        #expect(ALPNChallenges.isChallenge(protocols: [0, 11, 10] + name))
        for wrong in [
            [], [0], [0, 11], [0, 11, 10], [0, 11, 11] + name, [0, 10, 10] + name, [0, 11, 10] + name + [0],
        ] {
            #expect(!ALPNChallenges.isChallenge(protocols: wrong), "\(wrong)")
        }
    }

    @Test func `a server name is read only from a whole list of one host name`() {
        func list(_ name: String, type: UInt8 = 0) -> [UInt8] {
            let count = UInt8(name.utf8.count)
            return [0, count + 3, type, 0, count] + name.utf8
        }
        #expect(ALPNChallenges.hostName(serverNames: list("Hub.Test")) == "hub.test")
        #expect(ALPNChallenges.hostName(serverNames: list("a")) == "a")
        for wrong in [
            [], [0], list(""), list("a", type: 1), list("a") + [0], Array(list("ab").dropLast()), list("a b"),
            list("a\u{7F}"),
            [0xFF, 0xFF, 0, 0xFF, 0xFF, 97], list("a") + list("b"),
        ] {
            #expect(ALPNChallenges.hostName(serverNames: wrong) == nil, "\(wrong)")
        }
        let longest = [1, 0, 0, 0, 253] + [UInt8](repeating: 97, count: 253)
        #expect(ALPNChallenges.hostName(serverNames: longest)?.utf8.count == 253)
        #expect(ALPNChallenges.hostName(serverNames: [1, 1, 0, 0, 254] + [UInt8](repeating: 97, count: 254)) == nil)
    }
}
