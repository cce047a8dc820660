import Testing

@testable import HubCrypto

struct PushEndpointTests {
    @Test(arguments: [
        ("https://push.example.net/p/1?a=b", "push.example.net", 443, "/p/1?a=b", "https://push.example.net"),
        ("HTTPS://Push.Example.NET", "push.example.net", 443, "/", "https://push.example.net"),
        ("https://push.example.net:443/x", "push.example.net", 443, "/x", "https://push.example.net"),
        ("https://push.example.net:8443?x", "push.example.net", 8443, "/?x", "https://push.example.net:8443"),
        ("https://127.0.0.1:65535/a:b/%20", "127.0.0.1", 65535, "/a:b/%20", "https://127.0.0.1:65535"),
    ])
    func `an endpoint URL is split into its parts`(
        text: String,
        host: String,
        port: UInt16,
        path: String,
        origin: String
    ) throws {
        let endpoint = try #require(PushEndpoint(text))
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect(endpoint.path == path)
        #expect(endpoint.origin == origin)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "http://push.example.net/", "push.example.net", "https:/push.example.net",
        "https://user@push.example.net/", "https://a:b@push.example.net/", "https://push.example.net\\@evil.example/",
        "https://push.example.net/#x", "https://push.example.net/ x", "https://push.example.net/\r\nHost:evil.example",
        "https://push.example.net:0/", "https://push.example.net:65536/", "https://push.example.net:/",
        "https://push.example.net:+443/", "https://push.example.net:4x/", "https://push..example.net/", "https://.net/",
        "https://example.net./", "https://püsh.example.net/", "https://[::1]/", "https://push_example.net/", "ftp://a/",
        "https://push.example.net/\u{0}", "javascript:alert(1)", "https://" + String(repeating: "a", count: 64) + "/",
        "https://a/" + String(repeating: "a", count: 2048),
    ])
    func `an endpoint URL other than plain https is refused`(text: String) {
        #expect(PushEndpoint(text) == nil)
    }
}
