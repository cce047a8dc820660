import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// The redirect port of a hub with TLS: plain HTTP that leads to the hub, and serves next to nothing itself.
struct RedirectTests {
    /// A hub with a certificate and a redirect port.
    private static func hub(
        own authority: AuthorityCertificate? = nil,
        _ configure: (inout HubSettings) -> Void = { _ in }
    ) throws -> TestHub {
        let (chain, key) = try TestCertificate("ec").pem
        let pem = CertificatePEM(chain: chain, key: key)
        return try TestHub {
            $0.transport.certificate = authority.map { .own(pem, $0) } ?? .acme(pem)
            $0.transport.redirectPort = 0
            $0.transport.hosts = ["hub.test"]
            configure(&$0)
        }
    }

    private static let authority = AuthorityCertificate(
        name: "CallHub <pi> & 1234abcd",
        fingerprint: (0..<32).map { "A\($0 % 10)" }.joined(separator: ":"),
        der: [0x30, 3, 1, 2, 3]
    )

    private static func reply(_ hub: TestHub, _ head: String) throws -> HTTPReply {
        let socket = try RawSocket(port: try #require(hub.server.redirectPort))
        try socket.send(head + "\r\n\r\n")
        return try HTTPReply(from: socket, hasBody: !head.hasPrefix("HEAD"))
    }

    private static func get(_ hub: TestHub, _ target: String, host: String = "127.0.0.1") throws -> HTTPReply {
        try reply(hub, "GET \(target) HTTP/1.1\r\nHost: \(host)")
    }

    // MARK: Redirects

    @Test func `each path is redirected to the same path with TLS, under the host that was asked for`() throws {
        let hub = try Self.hub()
        for (host, authority) in [
            ("127.0.0.1", "127.0.0.1"), ("hub.test", "hub.test"), ("HUB.test.:80", "hub.test"),
            ("localhost:8080", "localhost"), ("[::1]:80", "[::1]"), ("192.0.2.1", "192.0.2.1"),
        ] {
            let reply = try Self.get(hub, "/a/b.js", host: host)
            #expect(reply.status == 308)
            #expect(reply.headers["location"] == "https://\(authority):\(hub.port)/a/b.js")
            #expect(reply.headers["strict-transport-security"] == nil)
        }
        let head = try Self.reply(hub, "HEAD / HTTP/1.1\r\nHost: hub.test")
        #expect(head.status == 308 && head.headers["location"] == "https://hub.test:\(hub.port)/")
        for path in ["/healthz", "/metrics", "/v1/info", "/v1", "/trust", "/callhub-ca.crt"] {
            #expect(try Self.get(hub, path).status == 308, "\(path)")
        }
    }

    @Test(arguments: [
        "evil.test", "hub.test.evil.test", "evil.test/.localhost", "evil.test#.localhost", "evil.test?.localhost",
        "user@.localhost", "evil.test\\.localhost", "hub.test, evil.test", "[::1]evil.test:80x", "", "%68ub.test",
    ])
    func `a host that is not the hub's is never redirected to`(_ host: String) throws {
        let hub = try Self.hub()
        let reply = try Self.get(hub, "/", host: host)
        if let location = reply.headers["location"] {
            #expect(host.hasPrefix("[::1]") && location == "https://[::1]:\(hub.port)/")
        } else {
            #expect(reply.status == 421 || reply.status == 400, "\(reply.status)")
        }
    }

    @Test(arguments: [
        ("/%0d%0aSet-Cookie:%20a=b", "/"), ("//evil.test/%2e%2e", "/"), ("/a%3Fb%23c%25d", "/a%3Fb%23c%25d"),
        ("/%22%3Cscript%3E", "/%22%3Cscript%3E"), ("/a?b=c&d=e", "/a"), ("/../../x", "/x"),
        ("/%5C%5Cevil.test", "/%5C%5Cevil.test"),
    ])
    func `a path cannot lead elsewhere or add a header`(_ target: String, _ path: String) throws {
        let hub = try Self.hub()
        let reply = try Self.get(hub, target, host: "hub.test")
        #expect(reply.headers["set-cookie"] == nil)
        #expect(reply.headers["location"] == "https://hub.test:\(hub.port)\(path)")
    }

    @Test func `http.publicURL gives the port of its own name, and no other's`() throws {
        let hub = try Self.hub { $0.transport.publicURL = "https://Phone.test:8443/x" }
        #expect(try Self.get(hub, "/a", host: "phone.test").headers["location"] == "https://phone.test:8443/a")
        #expect(try Self.get(hub, "/a", host: "hub.test").headers["location"] == "https://hub.test:\(hub.port)/a")
        let standard = SecureAddress.url(
            host: "localhost:80",
            path: "/",
            port: 443,
            publicURL: nil,
            OriginRule(TransportSettings())
        )
        #expect(standard == "https://localhost/")
    }

    @Test func `no WebSocket opens without TLS, and other methods and bodies are refused`() throws {
        let hub = try Self.hub()
        let upgrade = """
            GET /v1 HTTP/1.1\r\nHost: hub.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
            """
        #expect(try Self.reply(hub, upgrade).status == 308)
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"] {
            let reply = try? Self.reply(hub, "\(method) / HTTP/1.1\r\nHost: hub.test\r\nContent-Length: 0")
            #expect(reply == nil || reply?.status == 405, "\(method)")
        }
        #expect(try Self.reply(hub, "GET / HTTP/1.1\r\nHost: hub.test\r\nContent-Length: 5").status == 400)
    }

    @Test func `all loops share the redirect port, and a hub without a certificate has none`() throws {
        let hub = try Self.hub { $0.transport.loops = 3 }
        for _ in 0..<30 { #expect(try Self.get(hub, "/").status == 308) }
        let plain = try TestHub { $0.transport.redirectPort = 0 }
        #expect(plain.server.redirectPort == nil)
    }

    @Test(arguments: [1, 3])
    func `a redirect port that is taken prevents the start with a sentence`(_ loops: Int) throws {
        let hub = try Self.hub()
        let port = try #require(hub.server.redirectPort)
        #expect(throws: TransportError.addressInUse(host: "127.0.0.1", port: port)) {
            try Self.hub {
                $0.transport.redirectPort = port
                $0.transport.loops = loops
            }
        }
    }

    @Test(arguments: [-1, 65_536, .max, 1 << 31])
    func `a redirect port beyond the range is refused`(_ port: Int) {
        #expect(throws: TransportError.self) { try Self.hub { $0.transport.redirectPort = port } }
    }

    // MARK: Challenges

    @Test func `a pending challenge is answered by its content alone, and only on the redirect port`() throws {
        let hub = try Self.hub {
            $0.transport.challenges = ChallengeResponder(
                httpAnswer: { $0 == "abc_DEF-123" ? "abc_DEF-123.thumbprint" : nil },
                alpnCertificate: { _ in nil }
            )
        }
        let reply = try Self.get(hub, "/.well-known/acme-challenge/abc_DEF-123", host: "anything.test")
        #expect(reply.status == 200)
        #expect(reply.body == Array("abc_DEF-123.thumbprint".utf8))
        #expect(reply.headers["content-type"] == "application/octet-stream")
        let main = try OpenSSLTool.output(
            ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)"],
            input: "GET /.well-known/acme-challenge/abc_DEF-123 HTTP/1.1\r\nHost: hub.test\r\n\r\n"
        )
        #expect(main.hasPrefix("HTTP/1.1 404"))
    }

    @Test(arguments: [
        "abd", "", "abc_DEF-123/", "..", "%2e%2e/%2e%2e/etc/passwd", "abc%2fDEF", "abc_DEF-123%00",
        "abc;DEF", "abc&DEF", "..%5c..", String(repeating: "a", count: 129), String(repeating: "a", count: 5000),
    ])
    func `a path below the challenges that is none is not found, and asks the responder for no odd token`(
        _ token: String
    ) throws {
        let asked = LogLines()
        let hub = try Self.hub {
            $0.transport.challenges = ChallengeResponder(
                httpAnswer: {
                    asked.write($0)
                    return nil
                },
                alpnCertificate: { _ in nil }
            )
        }
        let reply = try? Self.get(hub, "/.well-known/acme-challenge/" + token, host: "hub.test")
        #expect(reply.map { [404, 308, 400].contains($0.status) } ?? true, "\(reply?.status ?? 0)")
        #expect(
            reply?.headers["location"]?.contains("passwd") != true
                || reply?.headers["location"]?.hasPrefix("https://hub.test:") == true
        )
        #expect(asked.count("") == (token == "abd" ? 1 : 0))
    }

    // MARK: Trust page

    @Test func `a hub with an authority of its own serves what devices need to trust it, without TLS`() throws {
        let folder = try TemporaryFolder()
        for name in ["trust.html", "trust.js", "trust.css", "styles/base.css", "index.html"] {
            _ = try folder.write("content of \(name)", to: name)
        }
        for loops in [1, 2] {
            let hub = try Self.hub(own: Self.authority) {
                $0.transport.staticFilesDirectory = folder.path
                $0.transport.loops = loops
            }
            let page = try Self.get(hub, "/trust")
            #expect(page.status == 200 && page.body == Array("content of trust.html".utf8))
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(
                page.headers["content-security-policy"]?.hasPrefix("default-src 'self'; connect-src 'self'") == true
            )
            #expect(try Self.get(hub, "/trust.js").status == 200)
            #expect(try Self.get(hub, "/styles/base.css").status == 200)
            for _ in 0..<10 {
                let certificate = try Self.get(hub, "/callhub-ca.crt")
                #expect(certificate.body == Self.authority.der)
                #expect(certificate.headers["content-type"] == "application/x-x509-ca-cert")
            }
            let information = try Self.get(hub, "/v1/info").body
            #expect(
                String(decoding: information, as: UTF8.self).contains(
                    #""certificate":{"kind":"own","fingerprint":"\#(Self.authority.fingerprint)","trustURL":"/trust"}"#
                )
            )
            // The phone itself is behind TLS alone.
            #expect(try Self.get(hub, "/").status == 308)
            #expect(try Self.get(hub, "/index.html").status == 308)
        }
    }

    @Test func `the profile for Apple's systems is a property list with the certificate, always the same`() throws {
        let hub = try Self.hub(own: Self.authority)
        let reply = try Self.get(hub, "/callhub.mobileconfig")
        #expect(reply.headers["content-type"] == "application/x-apple-aspen-config")
        let list = try PropertyListSerialization.propertyList(from: Data(reply.body), format: nil)
        let profile = try #require(list as? [String: Any])
        #expect(profile["PayloadType"] as? String == "Configuration")
        #expect(profile["PayloadDisplayName"] as? String == Self.authority.name)
        let payload = try #require((profile["PayloadContent"] as? [[String: Any]])?.first)
        #expect(payload["PayloadType"] as? String == "com.apple.security.root")
        #expect(payload["PayloadContent"] as? Data == Data(Self.authority.der))
        let identifiers = [profile, payload].compactMap { $0["PayloadUUID"] as? String }
        #expect(identifiers.compactMap { UUID(uuidString: $0)?.uuidString } == identifiers)
        #expect(Set(identifiers).count == 2)
        #expect(try Self.get(hub, "/callhub.mobileconfig").body == reply.body)
    }

    @Test func `a hub with another's certificate has no page to trust it by`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("page", to: "trust.html")
        let hub = try Self.hub { $0.transport.staticFilesDirectory = folder.path }
        func status(_ path: String) throws -> String {
            let head = try OpenSSLTool.output(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)"],
                input: "GET \(path) HTTP/1.1\r\nHost: hub.test\r\n\r\n"
            )
            return String(head.prefix(12))
        }
        for path in ["/trust", "/callhub-ca.crt", "/callhub.mobileconfig"] {
            #expect(try status(path) == "HTTP/1.1 404", "\(path)")
        }
    }

    @Test func `no browser is told to use TLS alone for a name whose certificate is the hub's own`() throws {
        for (authority, isSent) in [(nil, true), (Self.authority, false)] {
            let hub = try Self.hub(own: authority)
            let head = try OpenSSLTool.output(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)"],
                input: "GET /healthz HTTP/1.1\r\nHost: hub.test\r\n\r\n"
            )
            #expect(head.lowercased().contains("strict-transport-security:") == isSent)
        }
    }
}
