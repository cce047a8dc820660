import Testing

@testable import HubCertificates

/// The names and addresses of a certificate.
struct SubjectNameTests {
    @Test(arguments: [
        "", ".", "-a", "a-", "a..b", "*.example.org", "a b", "a,DNS:b", "a;b", "a/b", "ä.example", "1.2.3", "256.1.1.1",
        "::g", "[::1]", "fe80::1%eth0", "a\u{0}b", String(repeating: "a", count: 64),
        String(repeating: "a.", count: 127) + "b",
    ])
    func `a text that is no host name and no address is refused`(_ text: String) {
        #expect(SubjectName(text) == nil)
    }

    @Test func `host names are in lower case and without a dot at the end; addresses in their short form`() {
        #expect(SubjectName("Hub.Example.COM.")?.text == "hub.example.com")
        #expect(SubjectName("my_pc")?.text == "my_pc")
        #expect(SubjectName("2001:DB8:0:0::1")?.text == "2001:db8::1")
        #expect(SubjectName("::ffff:1.2.3.4")?.text == "1.2.3.4")
        #expect(SubjectName(String(repeating: "a.", count: 126) + "b")?.text.utf8.count == 253)
    }

    @Test func `a machine's name also leads to the one of multicast DNS`() {
        func names(_ machine: String) -> [String] { LocalAddresses.names(ofMachine: machine).map(\.text) }
        #expect(names("pi") == ["pi", "pi.local"])
        #expect(names("pi.example.org") == ["pi.example.org", "pi.local"])
        #expect(names("localhost") == [])
        #expect(names("not a name") == [])
        #expect(names("") == [])
    }

    @Test func `link-local addresses count only if there are no others, and loopback ones never`() {
        func reachable(_ texts: String...) -> [String] {
            let addresses = texts.compactMap { text -> [UInt8]? in
                guard case .address(let bytes)? = SubjectName(text) else { return nil }
                return bytes
            }
            return LocalAddresses.reachable(addresses).map(\.text)
        }
        #expect(
            reachable("127.0.0.1", "169.254.3.4", "192.168.1.4", "::1", "fe80::1", "fd00::1") == [
                "192.168.1.4", "fd00::1",
            ]
        )
        #expect(reachable("127.0.0.1", "169.254.3.4", "fe80::1") == ["169.254.3.4", "fe80::1"])
        #expect(reachable("127.0.0.1", "::1") == [])
    }

    @Test func `this machine is reached as localhost at least, and its addresses are none of those`() throws {
        let names = LocalAddresses.names.map(\.text)
        #expect(names.contains("localhost") && names.contains("127.0.0.1") && names.contains("::1"))
        #expect(try Set(LocalAddresses.addresses()).isDisjoint(with: LocalAddresses.loopback))
    }
}
