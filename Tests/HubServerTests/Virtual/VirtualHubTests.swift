import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// The hub on a simulated clock: the same hub, only faster.
struct VirtualHubTests {
    /// Three parties and two calls with all actions; each party receives the audio of its active call only.
    private static func runCallScript(seed: UInt64) throws -> VirtualHubFixture {
        let fixture = try VirtualHubFixture(seed: seed)
        let (alice, bob, carol) = (try fixture.phone("alice"), try fixture.phone("bob"), try fixture.phone("carol"))
        let toBob = try alice.call("bob")
        let fromAlice = try bob.ringing()
        fixture.advance(by: .seconds(3))
        try bob.act((fromAlice, .answer))
        try alice.say("a")
        try bob.say("b")
        #expect((bob.takeReceivedAudio(), alice.takeReceivedAudio()) == ("aaaaa", "bbbbb"))

        try bob.act((fromAlice, .setHeld(true)))
        try alice.say("a")
        #expect(bob.takeReceivedAudio() == "", "held")
        #expect(alice.call(toBob)?.remoteIsOnHold == true)
        try bob.act((fromAlice, .setHeld(false)))

        let toCarol = try bob.call("carol")
        try carol.act((try carol.ringing(), .answer))
        #expect(bob.call(fromAlice)?.isOnHold == true)
        try alice.say("a")
        try carol.say("c")
        #expect(bob.takeReceivedAudio() == "ccccc")
        try bob.act((toCarol, .setHeld(true)), (fromAlice, .setHeld(false)))
        try alice.say("A")
        try carol.say("C")
        try bob.say("B")
        #expect(
            (bob.takeReceivedAudio(), alice.takeReceivedAudio(), carol.takeReceivedAudio()) == ("AAAAA", "BBBBB", "")
        )

        try bob.dropConnection()
        try alice.say("x")
        #expect(bob.takeReceivedAudio() == "", "lost")
        try bob.resume()
        #expect(bob.opened?.resumed == true)
        try alice.say("y")
        try bob.say("z")
        #expect((bob.takeReceivedAudio(), alice.takeReceivedAudio()) == ("yyyyy", "zzzzz"))

        try bob.act((fromAlice, .end))
        try bob.act((toCarol, .setHeld(false)))
        try carol.say("c")
        #expect(bob.takeReceivedAudio() == "ccccc")
        #expect(alice.call(toBob)?.endedReason == .remoteEnded)
        try carol.dropConnection()
        fixture.advance(by: .seconds(61))
        #expect(bob.call(toCarol)?.cause == .connectionLost)
        #expect(bob.reports > 0)
        return fixture
    }

    @Test func `a call goes through hold, swap and resume, and each party receives the right audio`() throws {
        let fixture = try Self.runCallScript(seed: 1)
        #expect(fixture.hub.now.since(VirtualHub.start) > .seconds(64))
    }

    @Test func `the same seed and calls give the same bytes, another seed different ones`() throws {
        let first = try Self.runCallScript(seed: 7).sent
        let second = try Self.runCallScript(seed: 7).sent
        #expect(first.count > 100)
        #expect(first == second)
        #expect(try Self.runCallScript(seed: 8).sent != first)
    }

    /// An authenticator that is always overloaded.
    private struct OverloadedAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            then(.failure(AuthenticationRefusal(.tooManyAtOnce, "busy")))
        }
    }

    @Test func `refused sign-ins with the same seed receive the same retry times`() throws {
        func waits(seed: UInt64) throws -> [VirtualHubOutput] {
            var services = HubServices()
            services.authenticator = OverloadedAuthenticator()
            let fixture = try VirtualHubFixture(seed: seed, services: services)
            for number in 0..<20 { #expect(throws: (any Error).self) { try fixture.phone("phone \(number)") } }
            return fixture.sent
        }
        let first = try waits(seed: 7)
        #expect(first.count == 20)
        #expect(try waits(seed: 7) == first)
        #expect(try waits(seed: 8) != first)
    }

    @Test func `a call rings exactly until its timeout`() throws {
        let fixture = try VirtualHubFixture { $0.ringTimeout = .seconds(60) }
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let call = try alice.call("bob")
        let rings = try bob.ringing()
        fixture.advance(by: .seconds(60) - .nanoseconds(1))
        #expect(bob.call(rings)?.state == .ringing)
        #expect(try #require(fixture.hub.nextDeadline) <= VirtualHub.start + .seconds(60))
        fixture.advance(by: .nanoseconds(1))
        #expect(bob.call(rings)?.endedReason == .unanswered)
        #expect(alice.call(call)?.endedAt == VirtualHub.start + .seconds(60))
    }

    @Test func `built-in parties send a packet every 20 milliseconds of virtual time`() throws {
        let fixture = try VirtualHubFixture()
        let alice = try fixture.phone("alice")
        _ = try alice.call("tone")
        fixture.advance(by: .seconds(10))
        #expect((499...501).contains(alice.heard.count))
    }

    @Test func `messages beyond a client's rate limit are refused by the virtual clock`() throws {
        let fixture = try VirtualHubFixture { $0.messagesPerSecond = 10 }
        let alice = try fixture.phone("alice")
        func accepted() throws -> Int {
            var count = 0
            while (try? alice.ask(.ping(nil))) != nil { count += 1 }
            return count
        }
        #expect(try accepted() == 49, "five seconds' worth, of which one was the sign-in")
        fixture.advance(by: .seconds(1))
        #expect(try accepted() == 10)
    }

    @Test func `quiet hours follow the wall clock, also when it jumps`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        // The virtual clock starts on a Thursday, at midnight.
        let nights = QuietHours(days: [.thursday], from: 60, to: 120)
        try bob.ask(.accountData(.setSettings(SettingsUpdate(quietHours: [nights]))))
        func rings() throws -> Bool {
            let told = bob.told.count
            let call = try alice.call("bob")
            defer { try? alice.act((call, .end)) }
            let news = bob.told[told...]
            return news.contains { if case .callChanged(let call) = $0 { call.state == .ringing } else { false } }
        }
        #expect(try rings())
        fixture.advance(by: .seconds(3_600))
        #expect(try !rings())
        fixture.hub.jumpWallClock(by: .seconds(3_600))
        #expect(try rings())
    }

    // MARK: Frozen readers

    @Test func `a stalled client receives recent audio and all notifications when it reads again`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        _ = try alice.call("bob")
        try bob.act((try bob.ringing(), .answer))
        fixture.hub.freeze(try #require(bob.connection))
        for letter in "abcdefghijklmnopqrstuvwxyz" { try alice.say(letter, 1) }
        let told = bob.told.count
        _ = try fixture.phone("carol").call("bob")
        #expect(bob.heard.isEmpty)
        #expect(bob.told.count == told)
        fixture.hub.thaw(try #require(bob.connection))
        fixture.deliver()
        // After a backlog of more than 120 ms, 40 are kept.
        #expect(bob.takeReceivedAudio() == "yz")
        #expect(bob.call(try bob.ringing())?.remoteHandle == .generic("carol"))
        try alice.say("!")
        #expect(bob.takeReceivedAudio() == "!!!!!")
    }

    @Test func `a briefly stalled client receives all audio`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        _ = try alice.call("bob")
        try bob.act((try bob.ringing(), .answer))
        fixture.hub.freeze(try #require(bob.connection))
        for letter in "abcde" { try alice.say(letter, 1) }
        fixture.hub.thaw(try #require(bob.connection))
        fixture.deliver()
        #expect(bob.takeReceivedAudio() == "abcde")
    }

    @Test func `a client with too much queued text is closed as a slow consumer, and can resume`() throws {
        let fixture = try VirtualHubFixture { $0.transport.maximumQueuedTextBytes = 20_000 }
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let connection = try #require(bob.connection)
        fixture.hub.freeze(connection)
        // One caller alone may not send that much.
        let callers = try [alice] + (0..<19).map { try fixture.phone("caller\($0)") }
        for caller in callers + callers { try caller.act((try caller.call("bob"), .end)) }
        #expect(bob.end == nil, "it takes nothing, no close either")
        fixture.hub.thaw(connection)
        fixture.deliver()
        #expect(bob.end == .closed(code: 1008, reason: "slowConsumer"))
        guard case .closing(.slowConsumer, _, _) = bob.told.last else { throw VirtualPhone.Missing("session.closing") }
        #expect(fixture.hub.connect() != connection)
    }

    @Test func `a client that neither reads nor sends is lost after a while`() throws {
        let fixture = try VirtualHubFixture()
        let bob = try fixture.phone("bob")
        fixture.hub.freeze(try #require(bob.connection))
        fixture.advance(by: .seconds(25))
        #expect(bob.end == nil)
        fixture.advance(by: .milliseconds(1))
        #expect(bob.end == .lost)
        try bob.resume()
        #expect(bob.opened?.resumed == true)
    }

    @Test func `a connection without a sign-in is closed`() throws {
        let fixture = try VirtualHubFixture()
        let stranger = try #require(fixture.hub.connect())
        fixture.advance(by: .seconds(11))
        let ends = fixture.sent.filter { $0.connection == stranger }
        #expect(ends.map(\.content) == [.closed(code: 1008, reason: "Sign in with session.open first.")])
    }
}
