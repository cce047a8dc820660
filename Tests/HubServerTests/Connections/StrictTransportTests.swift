import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// Strict-Transport-Security (RFC 6797): browsers that have connected to a host name over TLS never use it without.
struct StrictTransportTests {
    /// The heads of a hub's answers to requests under a host name, over TLS, one connection each.
    private static func heads(_ hub: TestHub, host: String, _ requests: [String]) throws -> [String] {
        try requests.map { request in
            let text = "\(request) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            let answer = try OpenSSLTool.output(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)"],
                input: text
            )
            return String(answer.prefix(upTo: answer.firstRange(of: "\r\n\r\n")?.lowerBound ?? answer.endIndex))
        }
    }

    private static func values(_ head: String) -> [Substring] {
        head.matches(of: /(?i)\r\nstrict-transport-security: ([^\r]*)/).map(\.1)
    }

    private static let requests = ["GET /", "HEAD /", "GET /healthz", "GET /nothing", "POST /", "GET /v1"]

    private func hub(_ folder: TemporaryFolder, _ configure: @escaping (inout HubSettings) -> Void = { _ in }) throws
        -> TestHub
    {
        _ = try folder.write("<title>Phone</title>", to: "index.html")
        let certificate = try TestCertificate()
        return try TestHub {
            $0.transport.certificateFile = certificate.file
            $0.transport.keyFile = certificate.key
            $0.transport.staticFilesDirectory = folder.path
            configure(&$0)
        }
    }

    @Test func `a hub with a certificate sends the header with every response, with a lifetime of a year`() async throws
    {
        try await blocking {
            let folder = try TemporaryFolder()
            let hub = try hub(folder)
            for host in ["hub.example.com", "hub.example.com:8443", "HUB.example.com."] {
                for (head, request) in zip(try Self.heads(hub, host: host, Self.requests), Self.requests) {
                    #expect(Self.values(head) == ["max-age=31536000"], "\(request) at \(host): \(head)")
                }
            }
        }
    }

    @Test func `the header is not sent for IP addresses and localhost, where it has no effect`() async throws {
        try await blocking {
            let folder = try TemporaryFolder()
            let hub = try hub(folder)
            for host in ["127.0.0.1", "192.0.2.1:8443", "[::1]", "[2001:db8::1]:8443", "localhost:8080", "a.localhost"]
            {
                for head in try Self.heads(hub, host: host, ["GET /", "GET /healthz"]) {
                    #expect(head.hasPrefix("HTTP/1.1 200"))
                    #expect(Self.values(head) == [], "\(host)")
                }
            }
        }
    }

    @Test func `the lifetime is a setting, and 0 removes the policy from browsers`() async throws {
        try await blocking {
            let folder = try TemporaryFolder()
            for seconds in [0, 60] {
                let hub = try hub(folder) { $0.transport.strictTransportSeconds = seconds }
                for head in try Self.heads(hub, host: "hub.example.com", ["GET /", "GET /healthz"]) {
                    #expect(Self.values(head) == ["max-age=\(seconds)"])
                }
            }
        }
    }

    @Test func `a hub without a certificate never sends the header, even behind a proxy with TLS`() async throws {
        try await blocking {
            let folder = try TemporaryFolder()
            _ = try folder.write("<title>Phone</title>", to: "index.html")
            let hub = try TestHub {
                $0.transport.staticFilesDirectory = folder.path
                $0.transport.trustedProxies = AddressRange("127.0.0.0/8").map { [$0] } ?? []
            }
            for path in ["/", "/healthz", "/nothing"] {
                let socket = try RawSocket(port: hub.port)
                try socket.send("GET \(path) HTTP/1.1\r\nHost: hub.example.com\r\nX-Forwarded-Proto: https\r\n\r\n")
                let reply = try HTTPReply(from: socket)
                #expect(reply.headers["strict-transport-security"] == nil, "\(path)")
            }
        }
    }
}
