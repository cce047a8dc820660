import Foundation
import HubAccounts
import HubConfiguration
import HubServer
import HubTestSupport
import Testing

/// A hub with `http.behindProxy`.
struct BehindProxyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a body with the port of a hub.
    private func withHub(behindProxy: Bool = true, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        var settings = ServeSettings()
        settings.authMode = .accounts
        settings.hub.transport.host = "127.0.0.1"
        settings.hub.transport.port = 0
        settings.hub.log.write = { _ in }
        settings.hub.transport.isBehindProxy = behindProxy
        try settings.resolve(dataDirectory: folder.path)
        try await blocking { [settings] in
            let hub = try ConfiguredHub.start(settings)
            defer {
                hub.server.stop()
                hub.waitUntilStopped()
            }
            try body(hub.server.port)
        }
    }

    private static func status(_ port: Int, _ scheme: String, _ headers: [String]) throws -> Int {
        let socket = try RawSocket(port: port)
        let origin = "Origin: \(scheme)://calls.example.org"
        try RawWebSocket(socket).requestUpgrade(host: "calls.example.org", headers: [origin] + headers)
        return try HTTPReply(from: socket).status
    }

    private static func information(_ port: Int, host: String, _ headers: [String]) throws -> String {
        let socket = try RawSocket(port: port)
        let lines = ["GET /v1/info HTTP/1.1", "Host: \(host)"] + headers
        try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return String(decoding: try HTTPReply(from: socket).body, as: UTF8.self)
    }

    private static let https = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"]

    @Test func `pages may connect under each name that the proxy serves by https, and no other`() async throws {
        try await withHub { port throws in
            #expect(try Self.status(port, "https", Self.https) == 101)
            // A page whose name was made to resolve to this machine comes without the proxy.
            #expect(try Self.status(port, "https", []) == 403)
            #expect(try Self.status(port, "http", []) == 403)
            #expect(try Self.status(port, "http", ["X-Forwarded-Proto: http"]) == 403)
            #expect(try Self.status(port, "http", Self.https) == 403)
        }
        try await withHub(behindProxy: false) { port throws in
            #expect(try Self.status(port, "https", Self.https) == 403)
        }
    }

    @Test func `the information has the address by which the client came`() async throws {
        try await withHub { port throws in
            let page = try Self.information(port, host: "calls.example.org:8443", Self.https)
            #expect(page.contains("\"secureURL\":\"https://calls.example.org:8443/\""), "\(page)")
            #expect(try Self.information(port, host: "calls.example.org", []).contains("secureURL") == false)
            #expect(try Self.information(port, host: "a/\"b", Self.https).contains("secureURL") == false)
        }
        try await withHub(behindProxy: false) { port throws in
            #expect(try Self.information(port, host: "calls.example.org", Self.https).contains("secureURL") == false)
        }
    }

    @Test func `settings that contradict it are refused with a sentence`() throws {
        func fault(_ change: (inout ServeSettings) -> Void) -> String {
            var settings = ServeSettings()
            settings.authMode = .accounts
            settings.hub.transport.isBehindProxy = true
            change(&settings)
            do throws(SettingsError) {
                try settings.check()
                return ""
            } catch {
                return error.faults[0]
            }
        }
        #expect(fault { _ in }.isEmpty)
        #expect(fault { $0.authMode = .open }.contains("lets other machines in"))
        #expect(
            fault {
                $0.authMode = .open
                $0.allowsOpenBeyondLoopback = true
            }
            .isEmpty
        )
        #expect(fault { $0.hub.transport.host = "0.0.0.0" }.contains("is open to others; listen on 127.0.0.1"))
        #expect(fault { $0.hub.transport.certificateFile = "cert.pem" }.contains("leave one of them out"))
        #expect(fault { $0.hub.transport.usesProxyProtocol = true }.isEmpty)
        let lonely = fault {
            $0.hub.transport.isBehindProxy = false
            $0.hub.transport.usesProxyProtocol = true
        }
        #expect(lonely.hasPrefix("http.proxyProtocol needs the proxies' addresses in http.trustedProxies"))
    }

    @Test func `the command line has it in one option`() async throws {
        let run = try await CommandRun("serve", "--behind-proxy", "--listen", "127.0.0.1:0", in: folder)
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("callhub serve: http.behindProxy lets other machines in"), "\(run.errors)")
    }
}
