import HubEngine
import HubSimulation
import Testing

/// Alice calls Bob, who plays music to those on hold (CH-09).
struct HoldAudioTests {
    var hub = SimulatedHub()
    let alice: SessionID
    let bob: SessionID
    let carol: SessionID
    /// Alice's call to Bob, and Bob's end of it.
    private let call: CallUUID
    private let other: CallUUID

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob")
        carol = try hub.open("carol")
        hub.handle(.holdAudio(account: "bob", .music))
        let ends = try hub.connect(alice, to: "bob", on: bob)
        (call, other) = (ends.outgoing, ends.incoming)
    }

    private func played(_ session: SessionID) -> HoldSource? { hub.engine.audioRoute(of: session).holdSource }

    /// Returns the sources that a device was last notified of.
    private func sources(_ session: SessionID) -> [AudioSource] {
        (hub.inbox[session] ?? []).compactMap { if case .audioSources(let sources) = $0 { sources } else { nil } }.last
            ?? []
    }

    @Test mutating func `who is held receives the holder's music alone, until the holder is back (CH-09)`() throws {
        let bobsSSRC = try #require(hub.audio(bob)).ssrc
        hub.request(bob, other, .setHeld(true))
        let source = try #require(played(alice))
        #expect(source.audio == .music && source.account == "bob" && source.ssrc != bobsSSRC)
        #expect(
            sources(alice) == [
                AudioSource(
                    ssrc: source.ssrc,
                    callUUID: call,
                    handle: .generic("music"),
                    name: "music",
                    isHoldAudio: true
                )
            ]
        )
        #expect(hub.engine.audioRoute(of: alice).gateReason == .held, "a held party's own sound goes nowhere")
        #expect(hub.engine.audioRoute(of: alice).sinks == [] && played(bob) == nil)
        hub.request(bob, other, .setHeld(false))
        #expect(played(alice) == nil && sources(alice).map(\.isHoldAudio) == [false])
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
        hub.request(bob, other, .setHeld(true))
        #expect(played(alice)?.ssrc != source.ssrc, "each hold has an SSRC of its own")
        #expect(hub.violations == [])
    }

    @Test mutating func `the end of a held call ends its music (CH-09)`() {
        hub.request(bob, other, .setHeld(true))
        hub.request(bob, other, .end)
        #expect(played(alice) == nil && sources(alice) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `who holds as well receives nothing (CH-09)`() {
        hub.handle(.holdAudio(account: "alice", .tone))
        hub.request(bob, other, .setHeld(true))
        hub.request(alice, call, .setHeld(true))
        #expect(played(alice) == nil && played(bob) == nil)
        hub.request(bob, other, .setHeld(false))
        #expect(played(bob)?.audio == .tone && played(alice) == nil)
        #expect(hub.violations == [])
    }

    @Test mutating func `a change of the sound takes effect while somebody is held (CH-09)`() throws {
        hub.request(bob, other, .setHeld(true))
        let music = try #require(played(alice))
        hub.handle(.holdAudio(account: "bob", .tone))
        #expect(played(alice)?.audio == .tone && played(alice)?.ssrc != music.ssrc)
        #expect(sources(alice).map(\.handle.value) == ["tone"])
        hub.handle(.holdAudio(account: "bob", .silence))
        #expect(played(alice) == nil && sources(alice) == [])
        hub.handle(.holdAudio(account: "bob", .silence))
        #expect(hub.lastEffects == [], "nothing has changed")
        hub.handle(.holdAudio(account: "nobody", .music))
        #expect(hub.lastEffects == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `each far end of a held group receives the music once, and the group's owner none (CH-09)`()
        throws
    {
        let second = try hub.connect(bob, to: "carol", on: carol)
        hub.request(bob, other, .setGroup(with: second.outgoing))
        #expect(played(alice) == nil && played(carol) == nil)
        hub.request(bob, other, .setHeld(true))
        let (first, last) = (try #require(played(alice)), try #require(played(carol)))
        #expect(first.ssrc != last.ssrc && sources(alice).count == 1 && sources(carol).count == 1)
        hub.request(bob, other, .setHeld(false))
        #expect(played(alice) == nil && played(carol) == nil)
        #expect(hub.violations == [])
    }

    @Test mutating func `a member of a group who holds plays nothing to those who talk on (CH-09)`() throws {
        let second = try hub.connect(alice, to: "carol", on: carol)
        hub.request(alice, call, .setGroup(with: second.outgoing))
        hub.request(bob, other, .setHeld(true))
        #expect(played(alice) == nil && played(carol) == nil)
        #expect(sources(alice).map(\.handle.value) == ["carol"])
        hub.request(carol, second.incoming, .end)
        #expect(played(alice)?.account == "bob", "now nobody else is audible to her")
        #expect(hub.violations == [])
    }

    @Test mutating func `a swap plays to the one who is held, and no longer to the other (CH-09)`() throws {
        let second = try hub.connect(carol, to: "bob", on: bob)
        #expect(played(alice) != nil && played(carol) == nil)
        hub.request(bob, [(second.incoming, .setHeld(true)), (other, .setHeld(false))])
        #expect(played(alice) == nil && played(carol) != nil)
        #expect(hub.violations == [])
    }

    @Test mutating func `a held call that another device pulls plays no music any more (CH-09)`() throws {
        let mobile = try hub.open("bob", device: "mobile", observes: true)
        hub.request(bob, other, .setHeld(true))
        hub.request(mobile, other, .pull)
        #expect(played(alice) == nil && hub.engine.audioRoute(of: alice).sinks == [mobile])
        #expect(hub.violations == [])
    }

    @Test mutating func `the music ends with a transfer (CH-09)`() throws {
        let second = try hub.connect(bob, to: "carol", on: carol)
        #expect(played(alice) != nil)
        hub.request(bob, other, .transfer(to: .call(second.outgoing)))
        #expect(played(alice) == nil && hub.engine.audioRoute(of: alice).sinks == [carol])
        #expect(hub.violations == [])
    }

    @Test mutating func `the music goes on while the holder is disconnected, and ends with the session (CH-09)`() {
        hub.request(bob, other, .setHeld(true))
        let source = played(alice)
        hub.handle(.sessionLost(bob))
        #expect(source != nil && played(alice) == source)
        hub.wait(.seconds(61))
        #expect(played(alice) == nil && sources(alice) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `the sound of an account is that of its latest sign-in (CH-09)`() throws {
        var opening = SessionOpening(account: "dave", handles: [.generic("dave")], deviceID: "phone")
        opening.holdAudio = .tone
        hub.knownAccounts.insert("dave")
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 77)))
        guard case .reply(_, .opened(let dave, _, _))? = hub.lastEffects.first else {
            return #expect(Bool(false), "\(hub.lastEffects)")
        }
        let ends = try hub.connect(carol, to: "dave", on: dave)
        hub.request(dave, ends.incoming, .setHeld(true))
        #expect(played(carol)?.audio == .tone)
        #expect(hub.violations == [])
    }
}
