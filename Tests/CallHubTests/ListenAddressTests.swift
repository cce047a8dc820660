import Testing

@testable import HubConfiguration

/// `HOST:PORT`, parsed and formatted.
struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080),
        ("localhost:0", "localhost", 0),
        ("[::1]:8080", "::1", 8080),
        ("*:65535", "*", 65_535),
        ("hub.example.com:80", "hub.example.com", 80),
    ])
    func `a listen address is parsed`(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(text))
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address.text == text)
    }

    @Test(arguments: [
        "", ":", "8080", "127.0.0.1", ":8080", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:+80", "::1:8080", "[]:80", "[::1:80", "a b:80", "127.0.0.1:99999999999999999999",
    ])
    func `an invalid listen address is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.4", true), ("::1", true), ("0:0:0:0:0:0:0:1", true), ("LocalHost", true),
        ("0.0.0.0", false), ("::", false), ("*", false), ("128.0.0.1", false), ("127.0.0.1.example.com", false),
        ("127.1", false), ("::ffff:127.0.0.1", false), ("10.127.0.1", false), ("hub.example.com", false),
    ])
    func `loopback covers exactly the addresses that other machines cannot reach`(host: String, isLoopback: Bool) {
        #expect(ListenAddress(host: host, port: 1).isLoopback == isLoopback)
    }

    @Test func `a listen URL contains one address`() {
        #expect(ListenAddress(host: "*", port: 80).urlAuthority == "localhost:80")
        #expect(ListenAddress(host: "::", port: 80).urlAuthority == "localhost:80")
        #expect(ListenAddress(host: "fd00::1", port: 80).urlAuthority == "[fd00::1]:80")
    }
}
