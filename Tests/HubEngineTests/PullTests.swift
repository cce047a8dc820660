import HubEngine
import HubSimulation
import Testing

/// Alice is connected with Bob's desk phone; Bob has a mobile one, too.
struct PullTests {
    var hub: SimulatedHub
    let alice: SessionID
    let desk: SessionID
    let mobile: SessionID
    let outgoing: CallUUID
    let incoming: CallUUID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk")
        mobile = try hub.open("bob", device: "mobile")
        (outgoing, incoming) = try hub.connect(alice, to: "bob", on: desk)
        self.hub = hub
    }

    @Test mutating func `a connected call moves to another device of the account, and the other party keeps its call`()
        throws
    {
        let before = try #require(hub.calls(alice).first)
        let connectedAt = hub.last(incoming, on: desk)?.connectedAt
        _ = hub.read(alice)
        #expect(hub.request(mobile, incoming, .pull) == nil)
        #expect(hub.calls(alice) == [before])
        #expect(hub.calls(desk) == [])
        let last = hub.last(incoming, on: desk)
        #expect(last?.endedReason == .answeredElsewhere)
        #expect(last?.cause == .pulled)
        let call = try #require(hub.calls(mobile).first)
        #expect(call.uuid == incoming)
        #expect(call.state == .connected)
        #expect(call.connectedAt == connectedAt)
        #expect(hub.audio(desk) == nil)
        #expect(hub.engine.audioRoute(of: alice).sinks == [mobile])
        #expect(hub.engine.audioRoute(of: mobile).sinks == [alice])
        #expect(hub.engine.audioRoute(of: desk) == .closed)
    }

    @Test mutating func `a pull loses no audio: the other party's packets switch from one device to the next`() {
        _ = hub.read(alice)
        hub.request(mobile, incoming, .pull)
        let sources = hub.read(alice).compactMap { notification in
            if case .audioSources(let sources) = notification { sources.count } else { nil }
        }
        #expect(sources == [1])
        let routes = hub.lastEffects.filter { $0 == .audioRouteChanged(alice) }
        #expect(routes.count == 1)
    }

    @Test mutating func `a pull resumes a held call, and a muted one stays muted (P18)`() {
        hub.request(desk, [(incoming, .setMuted(true)), (incoming, .setHeld(true))])
        hub.request(mobile, incoming, .pull)
        #expect(hub.calls(mobile).map(\.isOnHold) == [false])
        #expect(hub.calls(mobile).map(\.isMuted) == [true])
        #expect(hub.last(outgoing, on: alice)?.remoteIsOnHold == false)
    }

    @Test mutating func `the caller's own call can be pulled, and pulled back`() throws {
        let tablet = try hub.open("alice", device: "tablet")
        hub.request(tablet, outgoing, .pull)
        #expect(hub.calls(tablet).map(\.isOutgoing) == [true])
        #expect(hub.engine.audioRoute(of: desk).sinks == [tablet])
        hub.request(alice, outgoing, .pull)
        #expect(hub.engine.audioRoute(of: desk).sinks == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `a pull holds the device's active call, and counts towards its groups (CK-51)`() throws {
        let music = hub.start(mobile, to: "music")
        hub.request(mobile, incoming, .pull)
        #expect(hub.last(music, on: mobile)?.state == .held)
        let carol = try hub.open("carol")
        let third = try hub.connect(carol, to: "bob", on: desk).incoming
        #expect(hub.request(mobile, third, .pull) == .requestTransaction(.maximumCallGroupsReached))
    }

    @Test mutating func `until it is fulfilled the call stays on its device, and a failed pull changes nothing`() throws
    {
        let tablet = try hub.open("bob", device: "tablet", fulfillment: .manual)
        hub.request(tablet, incoming, .pull)
        #expect(hub.calls(desk).map(\.state) == [.connected])
        hub.ask(tablet, .fail(try #require(hub.actionToPerform(tablet)).uuid))
        #expect(hub.calls(desk).map(\.state) == [.connected])
        hub.request(tablet, incoming, .pull)
        hub.ask(tablet, .fulfill(try #require(hub.actionToPerform(tablet)).uuid, date: nil))
        #expect(hub.calls(tablet).map(\.state) == [.connected])
    }

    @Test mutating func `an invalid pull is refused: unknown 104, own, ringing or foreign calls`() throws {
        #expect(hub.request(mobile, hub.makeUUID(), .pull) == .requestTransaction(.unknownCallUUID))
        #expect(hub.request(desk, incoming, .pull) == .requestTransaction(.invalidAction))
        #expect(hub.request(mobile, outgoing, .pull) == .requestTransaction(.unknownCallUUID), "Alice's, not Bob's")
        let tablet = try hub.open("alice", device: "tablet")
        let dialing = hub.start(tablet, to: "bob")
        #expect(hub.request(alice, dialing, .pull) == .requestTransaction(.invalidAction))
    }

    @Test mutating func `a call pulled out of a group leaves the others in it`() throws {
        let music = hub.start(desk, to: "music")
        hub.request(desk, incoming, .setGroup(with: music))
        #expect(hub.engine.audioRoute(of: alice).playedSources.count == 1)
        hub.request(mobile, incoming, .pull)
        #expect(hub.calls(desk).map(\.group) == [nil])
        #expect(hub.calls(mobile).map(\.group) == [nil])
        #expect(hub.engine.audioRoute(of: alice).playedSources.isEmpty)
        #expect(hub.violations == [])
    }

    @Test mutating func `a pulled call has one entry in Recents, with both devices (CK-71)`() {
        hub.request(mobile, incoming, .pull)
        hub.request(mobile, incoming, .end)
        let entries = hub.lastEffects.compactMap { effect -> RecentCall? in
            if case .addRecent("bob", let entry) = effect { entry } else { nil }
        }
        #expect(entries.map(\.outcome) == [.answered])
        #expect(entries.first?.devices == ["desk", "mobile"])
    }
}
