import Testing

@testable import HubClient

@Suite struct `The addresses of a host` {
    @Test(arguments: ["127.0.0.1", "::1", "192.0.2.7", "2001:db8::1"])
    func `are the numeric address alone where it is one`(address: String) {
        #expect(HostAddresses.resolve(address) == [address])
    }

    @Test(arguments: ["no-such-host.invalid", " ", "a..b", String(repeating: "a", count: 300)])
    func `are none where the name is unknown or is no name`(name: String) {
        #expect(HostAddresses.resolve(name).isEmpty)
    }

    @Test func `contain the one that a server of this machine listens on`() {
        #expect(HostAddresses.resolve("localhost").contains("127.0.0.1"))
    }
}
