import Foundation
import HubClient
import HubEngine
import HubTestSupport
import Testing

@testable import HubServer

/// Calls through the proxies whose configurations are in `config/proxies`.
struct ProxyProgramTests {
    @Test(.enabled(if: ProxyProgram.caddy.isInstalled, "Caddy is missing; make test-proxies installs it"))
    func `a call through Caddy is heard, and the hub knows the client's address`() async throws {
        try await call(through: .caddy)
    }

    @Test(.enabled(if: ProxyProgram.nginx.isInstalled, "nginx is missing; make test-proxies installs it"))
    func `a call through nginx is heard, and the hub knows the client's address`() async throws {
        try await call(through: .nginx)
    }

    @Test(.enabled(if: ProxyProgram.haproxy.isInstalled, "HAProxy is missing; make test-proxies installs it"))
    func `a call through HAProxy is heard, and the hub knows the client's address`() async throws {
        try await call(through: .haproxy)
    }

    @Test(.enabled(if: ProxyProgram.apache.isInstalled, "Apache is missing; make test-proxies installs it"))
    func `a call through Apache is heard, and the hub knows the client's address`() async throws {
        try await call(through: .apache)
    }

    @Test(.enabled(if: ProxyProgram.haproxy.isInstalled, "HAProxy is missing; make test-proxies installs it"))
    func `a call through HAProxy that forwards TLS is heard, and the PROXY header has the client's address`()
        async throws
    {
        try await call(through: .haproxyTCP, hubHasCertificate: true)
    }

    private func call(through proxy: ProxyProgram, hubHasCertificate: Bool = false) async throws {
        let log = LogLines()
        let certificate = try TestCertificate()
        let hub = try TestHub {
            // The proxy is at ::1 and its clients are at 127.0.0.1, to be told apart.
            $0.transport.host = "::1"
            $0.transport.trustedProxies = [AddressRange("::1")].compactMap(\.self)
            if hubHasCertificate {
                $0.transport.usesProxyProtocol = true
                $0.transport.certificateFile = certificate.file
                $0.transport.keyFile = certificate.key
            }
            $0.log.level = .debug
            $0.log.write = { log.write($0) }
        }
        let folder = try TemporaryFolder()
        let running = try await blocking { try proxy.start(hub: hub.port, certificate, in: folder) }
        let port = running.port
        func phone(_ account: String) async throws -> TestPhone {
            try await TestPhone.connect(to: "wss://localhost:\(port)", account) {
                $0.trustedCertificatesFile = certificate.file
            }
        }
        let (alice, bob) = (try await phone("alice"), try await phone("bob"))
        _ = try await alice.client.start(.generic("bob"))
        try await bob.client.answer(try await bob.ringing().uuid)
        try await alice.activation()
        try await bob.activation()
        try await alice.say((0..<8).map { [0x78, 1, 2, UInt8($0)] })
        try await bob.hears("alice's packet") { $0.payload.starts(with: [0x78, 1, 2]) }
        #expect(log.count("connection opened") == 2)
        #expect(log.count("address=127.0.0.1") >= 2, "\(running.printed)")
        try await blocking {
            // A client cannot choose its address.
            let request =
                "GET /v1 HTTP/1.1\r\nHost: localhost:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Protocol: \(RawWebSocket.subprotocol)\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"
            let socket = try RawSocket(port: port)
            try socket.startTLS()
            try socket.send(request)
            let reply = try HTTPReply(from: socket)
            #expect(reply.status == 101, "\(reply)")
            // The hub logs it when the response is on its way.
            #expect(log.wait(for: "connection opened", count: 3) != nil)
            #expect(log.count("203.0.113.9") == 0)
        }
        // The browser's page, and what it reads before the sign-in.
        try await blocking {
            let socket = try RawSocket(port: port)
            try socket.startTLS()
            try socket.send("GET /v1/info HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
            #expect(try HTTPReply(from: socket).status == 200)
        }
        await alice.client.close()
        await bob.client.close()
    }
}
