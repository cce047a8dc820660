import HubEngine
import HubServer
import HubSimulator
import HubTestSupport
import HubWire
import Testing

/// The receivers of `record.told` notifications, and their contents.
struct RecorderTests {
    // MARK: Contents

    @Test func `a recorder receives its account's notifications unchanged, and those of no other account`()
        throws
    {
        let fixture = try VirtualHubFixture()
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        try Self.talk(alice, bob)
        #expect(recorder.news.allSatisfy { $0.deviceID == "alice's" })
        #expect(recorder.news.first?.content == .session(.opened))
        #expect(recorder.news(of: "alice's") == alice.told.filter { !$0.isAccountDataChange })
        #expect(recorder.told.count { $0.isRecord } == recorder.news.count)
        #expect(!recorder.told.contains { if case .callChanged = $0 { true } else { false } }, "it has no calls itself")
        #expect(!alice.told.contains(where: \.isRecord) && !bob.told.contains(where: \.isRecord))
    }

    @Test func `both ends of a call have the same conversation id, and effects of one event the same number`() throws {
        let fixture = try VirtualHubFixture()
        let recorders = (
            try fixture.phone("alice", on: "tape", [.record]), try fixture.phone("bob", on: "tape", [.record])
        )
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let first = try Self.talk(alice, bob)
        let second = try Self.talk(alice, bob)
        let (outgoing, incoming) = (recorders.0.news.filter(\.isOfACall), recorders.1.news.filter(\.isOfACall))
        let conversations = Set(outgoing.compactMap(\.conversation))
        #expect(conversations.count == 2 && conversations == Set(incoming.compactMap(\.conversation)))
        for (mine, theirs) in [first, second] {
            let alices = try #require(outgoing.first { $0.changed(to: .connected)?.uuid == mine })
            let bobs = try #require(incoming.first { $0.changed(to: .connected)?.uuid == theirs })
            #expect(alices.event == bobs.event && alices.conversation == bobs.conversation && alices.at == bobs.at)
        }
        let events = recorders.0.news.map(\.event)
        #expect(events == events.sorted() && Set(events).count > 8, "what comes later has a greater number")
    }

    @Test func `a recorder is notified when devices are present, sign in, disconnect, resume and sign out`() throws {
        let fixture = try VirtualHubFixture()
        let alice = try fixture.phone("alice")
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        #expect(recorder.news.map(\.content) == [.session(.opened)], "who is there")
        let laptop = try fixture.phone("alice", on: "laptop")
        try alice.dropConnection()
        try alice.resume()
        try alice.dropConnection()
        fixture.advance(by: .seconds(61))
        try laptop.ask(.close)
        let sessions = recorder.news.compactMap { news in
            if case .session(let what) = news.content { [news.deviceID, what.rawValue] } else { nil as [String]? }
        }
        #expect(
            sessions == [
                ["alice's", "session.opened"], ["laptop", "session.opened"], ["alice's", "session.lost"],
                ["alice's", "session.resumed"], ["alice's", "session.lost"], ["alice's", "session.closed"],
                ["laptop", "session.closed"],
            ]
        )
        #expect(recorder.news(of: "laptop") == laptop.told)
    }

    @Test func `a recorder receives nothing about recorders or devices that cannot call`() throws {
        let fixture = try VirtualHubFixture()
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        let other = try fixture.phone("alice", on: "another tape", [.record])
        let observer = try fixture.phone("alice", on: "watch", [.observe])
        let both = try fixture.phone("alice", on: "desk", [.call, .record])
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        try Self.talk(bob, alice)
        #expect(observer.told.contains { if case .observed = $0 { true } else { false } })
        #expect(both.told.contains { if case .callChanged = $0 { true } else { false } }, "it rings as well")
        for phone in [recorder, other, both] {
            #expect(Set(phone.news.map(\.deviceID)) == ["alice's"])
            #expect(phone.news(of: "alice's") == alice.told.filter { !$0.isAccountDataChange })
        }
        #expect(!observer.told.contains { $0.isRecord })
    }

    // MARK: Effects on other devices

    @Test func `recording does not change what others receive`() throws {
        func story(recording: Bool) throws -> [[String]] {
            let fixture = try VirtualHubFixture()
            let recorders = try recording ? ["alice", "bob"].map { try fixture.phone($0, on: "tape", [.record]) } : []
            let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
            try Self.talk(alice, bob)
            // A recorder cannot be called.
            try bob.ask(.close)
            let call = try alice.call("bob")
            #expect(alice.call(call)?.cause == .offline)
            #expect(recorders.allSatisfy { !$0.news.isEmpty })
            return [alice, bob].map { $0.told.map(\.method) }
        }
        let (recorded, usual) = (try story(recording: true), try story(recording: false))
        #expect(recorded == usual)
    }

    @Test func `a signed-out recorder receives nothing and uses no resources`() throws {
        let fixture = try VirtualHubFixture()
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        try recorder.ask(.close)
        let (told, sent) = (recorder.told.count, fixture.sent.count)
        try Self.talk(alice, bob)
        #expect(recorder.told.count == told)
        let connections = [alice.connection, bob.connection]
        #expect(fixture.sent.count > sent)
        #expect(fixture.sent[sent...].allSatisfy { connections.contains($0.connection) })
    }

    // MARK: Its connection

    @Test func `a resumed recorder receives all missed notifications`() throws {
        let fixture = try VirtualHubFixture()
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        try recorder.dropConnection()
        try Self.talk(alice, bob)
        let before = recorder.news.count
        try recorder.resume()
        #expect(recorder.opened?.resumed == true)
        #expect(recorder.news.count > before)
        #expect(recorder.news(of: "alice's") == alice.told.filter { !$0.isAccountDataChange })
        try Self.talk(bob, alice)
        #expect(
            recorder.news(of: "alice's") == alice.told.filter { !$0.isAccountDataChange },
            "the recording continues"
        )
    }

    @Test func `a recorder that does not read is closed as a slow consumer, and delays no one`() throws {
        let fixture = try VirtualHubFixture { $0.transport.maximumQueuedTextBytes = 20_000 }
        let recorder = try fixture.phone("alice", on: "tape", [.record])
        let alice = try fixture.phone("alice")
        // One party alone may not send that much.
        let others = try (0..<40).map { try fixture.phone("bob\($0)") }
        let connection = try #require(recorder.connection)
        fixture.hub.freeze(connection)
        for other in others { try Self.talk(alice, other) }
        #expect(alice.end == nil && others.allSatisfy { $0.end == nil })
        #expect(alice.told.count { if case .callChanged(let call) = $0 { call.hasEnded } else { false } } == 40)
        fixture.hub.thaw(connection)
        fixture.deliver()
        #expect(recorder.end == .closed(code: 1008, reason: "slowConsumer"))
        try Self.talk(alice, others[0])
    }

    // MARK: Permissions

    @Test func `recording without the permission is refused, with the permissions that the account has`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator()
            var services = HubServices()
            services.authenticator = authenticator
            let hub = try TestHub(services: services)
            let opening: RawPhone.Object = [
                "account": "alice", "password": "secret", "permissions": ["call", "record"],
            ]
            let refusal = try RawPhone(port: hub.port).open(opening)
            #expect(refusal.errorCode == 403)
            #expect(
                refusal.errorMessage == "alice may not \"record\"; params.permissions may have \"call\", \"observe\""
            )
            let wrong = opening.merging(["password": "sekret"]) { $1 }
            #expect(try RawPhone(port: hub.port).open(wrong).errorCode == 401)
            authenticator.permissions = [.call, .record]
            #expect(try RawPhone(port: hub.port).open(opening).errorCode == 0)
        }
    }

    // MARK: -

    /// Places and answers a call, holds it, sends digits and ends it.
    @discardableResult
    private static func talk(_ caller: VirtualPhone, _ callee: VirtualPhone) throws -> (CallUUID, CallUUID) {
        let outgoing = try caller.call(callee.account)
        let incoming = try callee.ringing()
        try callee.act((incoming, .answer))
        try caller.act((outgoing, .playDTMF(digits: "12", type: .singleTone)))
        try caller.act((outgoing, .setHeld(true)))
        try callee.act((incoming, .end))
        return (outgoing, incoming)
    }
}

extension VirtualPhone {
    /// The contents of the `record.told` notifications that it received.
    fileprivate var news: [RecordedEvent] {
        told.compactMap { if case .recorded(let news) = $0 { news } else { nil } }
    }

    /// Returns the notifications to a device that were reported to this recorder.
    fileprivate func news(of device: String) -> [WireNotification] {
        news.filter { $0.deviceID == device }.compactMap {
            if case .notified(let told) = $0.content { told } else { nil }
        }
    }
}

extension WireNotification {
    fileprivate var isRecord: Bool { if case .recorded = self { true } else { false } }

    /// True for a change of account data, which recorders are not notified of.
    fileprivate var isAccountDataChange: Bool { if case .changed = self { true } else { false } }
}

extension RecordedEvent {
    fileprivate var isOfACall: Bool { if case .notified(.callChanged) = content { true } else { false } }

    /// The call that changed; nil: it is not in this state.
    fileprivate func changed(to state: CallSnapshot.State) -> CallSnapshot? {
        if case .notified(.callChanged(let call)) = content, call.state == state { call } else { nil }
    }
}
