import HubAccountData
import HubEngine
import HubSimulator
import HubWire
import Testing

@testable import HubServer

/// The requests without a reply yet: each gets one reply, and none is left after its client's end.
struct PendingRequestsTests {
    private static let block = ClientRequest.accountData(.block(.handle(.generic("mallory"))))

    private static func context(_ pending: inout PendingRequests, _ slot: UInt32) -> RequestContext {
        let connection = ConnectionID(slot: slot, generation: 1)
        return RequestContext(connection: connection, id: RequestID(1), token: pending.issueToken())
    }

    @Test func `request tokens are counted, and each is valid once`() {
        var pending = PendingRequests()
        let contexts = [0, 1, 2].map { Self.context(&pending, $0) }
        #expect(contexts.map(\.token.rawValue) == [1, 2, 3])
        for context in contexts { pending.insert(context) }
        #expect(pending.remove(contexts[1].token)?.context.connection == contexts[1].connection)
        #expect(pending.remove(contexts[1].token) == nil)
        #expect(pending.count == 2)
    }

    @Test func `the requests of a connection are removed with it, and no others`() {
        var pending = PendingRequests()
        let contexts = [0, 1, 0, 1].map { Self.context(&pending, $0) }
        for context in contexts { pending.insert(context) }
        pending.removeAll(of: contexts[0].connection)
        #expect(contexts.map { pending.remove($0.token) != nil } == [false, true, false, true])
        #expect(pending.count == 0)
    }

    @Test func `many requests, accepted, refused and unanswered, leave nothing behind`() throws {
        let fixture = try VirtualHubFixture(seed: 3) { $0.messagesPerSecond = 1_000_000 }
        let alice = try fixture.phone("alice", [.call, .observe])
        let bob = try fixture.phone("bob")
        for _ in 0..<50 {
            let call = try alice.call("bob")
            #expect(throws: WireError.self) { try bob.act((fixture.name(), .answer)) }
            try alice.act((call, .end))
            try alice.ask(.engine(.pending(type: nil, callUUID: nil)))
            try alice.ask(.account(.devices(AdminPage())))
            try bob.ask(Self.block)
            #expect(throws: WireError.self) { try bob.ask(.push(.key)) }
            #expect(throws: WireError.self) { try bob.ask(.admin(.calls(AdminPage()))) }
            try bob.dropConnection()
            try bob.resume()
            #expect(fixture.hub.pendingRequestCount == 0)
        }
        fixture.advance(by: .seconds(90))
        #expect(fixture.hub.pendingRequestCount == 0)
    }

    @Test func `a request with a pending write is answered after the write`() throws {
        let store = SlowStore()
        var services = HubServices()
        services.accountData = store
        let fixture = try VirtualHubFixture(services: services)
        let bob = try fixture.phone("bob")
        for _ in 0..<3 { try bob.send(Self.block) }
        #expect(fixture.hub.pendingRequestCount == 3)
        store.next()
        fixture.hub.settle()
        #expect(fixture.hub.pendingRequestCount == 0, "the others change nothing and need not be written")
    }

    @Test(arguments: [true, false])
    func `requests of a disconnected client are processed without a reply`(isLost: Bool) throws {
        let store = SlowStore()
        var services = HubServices()
        services.accountData = store
        let fixture = try VirtualHubFixture(services: services)
        let bob = try fixture.phone("bob")
        let other = try fixture.phone("bob", on: "mobile")
        try bob.send(Self.block)
        if isLost { try bob.dropConnection() } else { try bob.send(.close) }
        #expect(fixture.hub.pendingRequestCount == 0)
        let count = fixture.sent.count
        store.next()
        fixture.hub.settle()
        fixture.deliver()
        #expect(fixture.sent[count...].map(\.connection) == [other.connection], "the other device is notified")
        #expect(fixture.hub.pendingRequestCount == 0)
    }

    @Test func `a sign-in under verification is pending, and ends with its connection`() throws {
        let authenticator = StrictAuthenticator(isBlocked: true)
        var services = HubServices()
        services.authenticator = authenticator
        let fixture = try VirtualHubFixture(services: services)
        let connections = try ["bob", "carol"].map { account in
            let connection = try #require(fixture.hub.connect())
            var open = SessionOpenRequest(account: account)
            open.password = "secret"
            var bytes: [UInt8] = []
            ClientRequest.open(open).encode(id: RequestID(1), into: &bytes)
            fixture.hub.receive(text: bytes, from: connection)
            return connection
        }
        #expect(fixture.hub.pendingRequestCount == 2)
        fixture.hub.dropConnection(connections[0])
        #expect(fixture.hub.pendingRequestCount == 1)
        for _ in 0..<2 { authenticator.decide() }
        fixture.hub.settle()
        #expect(fixture.hub.pendingRequestCount == 0)
        #expect(Set(fixture.hub.takeOutput().map(\.connection)) == [connections[1]])
    }
}
