import Testing

@testable import HubServer

/// Addresses, networks, and the client's address behind a proxy.
struct AddressTests {
    @Test(arguments: ["192.0.2.1", "0.0.0.0", "255.255.255.255", "2001:db8::1", "::1", "::"])
    func `an address is formatted as it was parsed`(text: String) {
        #expect(IPAddress(text)?.text == text)
    }

    @Test(arguments: ["", "192.0.2", "192.0.2.256", "hub", "[::1]", "1.2.3.4:80", ":::", "192.0.2.1/8"])
    func `an invalid address is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.200/25", "192.0.2.130", true), ("::/0", "192.0.2.1", true),
        ("2001:db8::/32", "2001:db8:1::7", true), ("2001:db8::/32", "2001:db9::7", false),
        ("2001:db8::/72", "2001:db8::00ff:0:0:1", true), ("2001:db8::/72", "2001:db8::100:0:0:1", false),
        ("::1", "::1", true), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ])
    func `a network contains its addresses`(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(try #require(IPAddress(address))) == isIn)
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "hub/8", "10.0.0.0/8/8", "fe80::1%eth0", "/8",
    ])
    func `an invalid network is refused`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test func `limits apply to an IPv6 prefix of 64 bits, and to a single IPv4 address`() {
        #expect(IPAddress("2001:db8:1:2:3::4")?.rateLimitAddress == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("192.0.2.7")?.rateLimitAddress == IPAddress("192.0.2.7"))
    }

    @Test(arguments: [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"), ("10.0.0.1", nil, "10.0.0.1"), ("10.0.0.1", "", "10.0.0.1"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
        // What the client wrote itself stands on the left.
        ("10.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "127.0.0.1, 203.0.113.9 ,10.1.1.1", "203.0.113.9"), ("10.0.0.1", "10.9.9.9,10.1.1.1", "10.9.9.9"),
        ("10.0.0.1", "unknown, 203.0.113.9", "203.0.113.9"), ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"), ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ])
    func `the client's address is the last forwarded hop that is no trusted proxy`(
        peer: String,
        header: String?,
        source: String
    ) throws {
        let trusted = [try #require(AddressRange("10.0.0.0/8"))]
        let peer = try #require(IPAddress(peer))
        let field = header.map { $0.isEmpty ? FieldValue.absent : .text($0) } ?? .absent
        #expect(ForwardedForHeader.source(behind: peer, field, trusted: trusted)?.text == source)
    }

    @Test(
        arguments: [
            .text("203.0.113.9, unknown"), .text("203.0.113.9,"), .text(","), .text("203.0.113.9, 10.1.1.1, x"),
            .text("x, 10.1.1.1"), .unreadable,
        ] as [FieldValue]
    )
    func `an unreadable client address is not replaced by a nearer hop`(field: FieldValue) throws {
        let trusted = [try #require(AddressRange("10.0.0.0/8"))]
        let (proxy, stranger) = (try #require(IPAddress("10.0.0.1")), try #require(IPAddress("198.51.100.1")))
        #expect(ForwardedForHeader.source(behind: proxy, field, trusted: trusted) == nil)
        #expect(ForwardedForHeader.source(behind: stranger, field, trusted: trusted) == stranger)
    }
}
