import HubTestSupport
import Testing

@testable import HubServer

/// The web pages that may connect.
struct OriginTests {
    private var rule: OriginRule {
        var settings = TransportSettings()
        settings.allowedOrigins = ["https://phone.example"]
        settings.hosts = ["hub.test", "Other.Test"]
        settings.host = "listening.test"
        settings.publicURL = "https://Public.test:8443/phone/"
        return OriginRule(settings, machine: "machine")
    }

    @Test(arguments: [
        ("http://hub.test:8080", "hub.test:8080", true),
        ("http://HUB.test:8080", "hub.test:8080", true),
        ("http://hub.test:8080", "HUB.TEST:8080", true),
        ("https://hub.test", "hub.test:443", true),
        ("http://hub.test:80", "hub.test", true),
        ("http://other.test:1", "other.test:1", true),
        ("http://machine:1", "machine:1", true),
        ("http://listening.test", "listening.test", true),
        ("http://phone.example", "phone.example", true),
        ("https://public.test:8443", "public.test:8443", true),
        ("https://phone.example", "hub.test:8080", true),
        ("https://phone.example", "evil.test:8080", true),
        ("http://localhost:8080", "localhost:8080", true),
        ("http://a.localhost:8080", "a.localhost:8080", true),
        ("http://192.0.2.1:8080", "192.0.2.1:8080", true),
        ("http://[2001:db8::1]:8080", "[2001:db8::1]:8080", true),
        ("http://[::1]", "[::1]", true),
        ("http://hub.test", "hub.test:8080", false),
        ("http://evil.test", "hub.test:8080", false),
        ("http://hub.test.evil.test:8080", "hub.test:8080", false),
        ("http://127.0.0.1:8080", "localhost:8080", false),
        ("null", "hub.test:8080", false),
        ("file://hub.test:8080", "hub.test:8080", false),
        ("http://", "", false),
    ])
    func `pages of other hosts are refused`(origin: String, host: String, isAllowed: Bool) throws {
        #expect((rule.verdict(origin: origin, host: host, isSecure: nil) == .allowed) == isAllowed)
    }

    @Test(arguments: [
        "evil.test", "evil.test:8080", "evil.test.", "localhost.evil.test", "127.0.0.1.evil.test", "xlocalhost",
    ])
    func `a page whose host name was rebound to the hub's address is refused`(host: String) {
        let verdict = rule.verdict(origin: "http://\(host)", host: host, isSecure: nil)
        guard case .foreignHost(let name) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(host.hasPrefix(name))
    }

    @Test func `a page loaded without TLS cannot connect with TLS`() {
        #expect(rule.verdict(origin: "http://hub.test", host: "hub.test", isSecure: true) == .foreignPage)
        #expect(rule.verdict(origin: "https://hub.test", host: "hub.test", isSecure: true) == .allowed)
        #expect(rule.verdict(origin: "https://hub.test", host: "hub.test", isSecure: false) == .foreignPage)
    }

    @Test func `the rule is enforced, and the refusal gives the setting to change`() throws {
        let server = try TestServer { $0.hosts = ["hub.test"] }
        defer { server.stop() }
        func answer(_ origin: String, host: String) throws -> (status: Int, body: String) {
            let socket = try RawSocket(port: server.port)
            try RawWebSocket(socket).requestUpgrade(host: host, headers: ["Origin: \(origin)"])
            let reply = try HTTPReply(from: socket)
            return (reply.status, String(decoding: reply.body, as: UTF8.self))
        }
        let host = "127.0.0.1:\(server.port)"
        #expect(try answer("http://\(host)", host: host).status == 101)
        #expect(try answer("http://hub.test:\(server.port)", host: "hub.test:\(server.port)").status == 101)
        let foreign = try answer("http://evil.test", host: host)
        #expect(foreign.status == 403)
        #expect(foreign.body.contains("http.allowedOrigins"))
        let rebound = try answer("http://evil.test:\(server.port)", host: "evil.test:\(server.port)")
        #expect(rebound.status == 403)
        #expect(rebound.body == "\"evil.test\" is not a name of this hub; if it should be, add it to http.hosts.\n")
        #expect(server.onLoop { $0.counters.refusedHandshakes } == 2)
        // A program sends no Origin, and may use any host name.
        #expect(throws: Never.self) { try RawWebSocket(port: server.port) }
    }
}
