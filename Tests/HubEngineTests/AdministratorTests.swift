import HubEngine
import HubSimulation
import Testing

/// The list of all calls for administrators, and the end of any of them.
struct AdministratorTests {
    var hub = SimulatedHub()

    private mutating func end(_ conversation: ConversationID) -> Reply? {
        hub.handle(.endConversation(conversation, token: RequestToken(rawValue: 77)))
        guard case .reply(RequestToken(rawValue: 77), let reply)? = hub.lastEffects.first else { return nil }
        return reply
    }

    @Test mutating func `an administrator ends a call for both parties, as failed, with its entry in Recents (CK-71)`()
        throws
    {
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob"))
        let call = try hub.connect(alice, to: "bob", on: bob)
        let summary = try #require(hub.engine.conversationSummaries.first)
        #expect(hub.engine.conversationSummaries.count == 1)
        #expect(summary.state == .connected)
        typealias Party = ConversationSummary.Party
        #expect(summary.caller == Party(account: "alice", handle: .generic("alice"), sessions: [alice]))
        #expect(summary.callee == Party(account: "bob", handle: .generic("bob"), sessions: [bob]))
        #expect(summary.connectedAt == hub.last(call.outgoing, on: alice)?.connectedAt)
        #expect(end(summary.id) == .done)
        for (session, uuid) in [(alice, call.outgoing), (bob, call.incoming)] {
            #expect(hub.last(uuid, on: session)?.endedReason == .failed)
            #expect(hub.last(uuid, on: session)?.cause == .administrator)
            #expect(hub.audio(session) == nil)
        }
        let outcomes = hub.lastEffects.compactMap { effect -> RecentCall.Outcome? in
            if case .addRecent(_, let entry) = effect { entry.outcome } else { nil }
        }
        #expect(outcomes == [.answered, .answered])
        #expect(hub.violations == [])
        #expect(hub.engine.conversationSummaries.isEmpty)
    }

    @Test mutating func `an ended or unknown call is not found`() throws {
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob"))
        _ = try hub.connect(alice, to: "bob", on: bob)
        let id = try #require(hub.engine.conversationSummaries.first?.id)
        #expect(end(id) == .done)
        guard case .refused(let refusal)? = end(id) else {
            Issue.record("done twice")
            return
        }
        #expect(refusal.code == .notFound)
        #expect(hub.lastEffects.count == 1)
    }

    @Test mutating func `any call can be ended: a starting, ringing, held or external one`() throws {
        let alice = try hub.open("alice", fulfillment: .manual)
        let bob = try hub.open("bob")
        let starting = hub.start(alice, to: "bob")
        #expect(hub.engine.conversationSummaries.map(\.state) == [.starting])
        try endAll()
        #expect(hub.last(starting, on: alice)?.cause == .administrator)
        _ = hub.start(bob, to: "alice")
        #expect(hub.engine.conversationSummaries.map(\.state) == [.ringing])
        #expect(hub.engine.conversationSummaries.first?.callee.sessions == [alice])
        try endAll()
        let echo = hub.start(bob, to: "echo")
        hub.request(bob, echo, .setHeld(true))
        #expect(hub.engine.conversationSummaries.map(\.state) == [.held])
        #expect(hub.engine.conversationSummaries.first?.callee.account == nil)
        try endAll()
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+49301")
        hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update))
        let outside = try #require(hub.engine.conversationSummaries.first)
        #expect(outside.caller.handle == update.remoteHandle)
        #expect(outside.caller.account == nil)
        #expect(outside.callee.account == "bob")
        try endAll()
        #expect(hub.calls(alice) == [])
        #expect(hub.calls(bob) == [])
        #expect(hub.violations == [])
    }

    private mutating func endAll() throws {
        for summary in hub.engine.conversationSummaries { #expect(end(summary.id) == .done) }
        #expect(hub.engine.objectCounts.conversations == 0)
        #expect(hub.engine.objectCounts.calls == 0)
    }
}
