import HubEngine
import HubSimulation
import Testing

/// Notifications about the calls on an account's other devices.
struct ObserverTests {
    var hub: SimulatedHub
    let alice: SessionID
    let desk: SessionID
    let watch: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk")
        watch = try Self.observer("bob", mayCall: false, in: &hub)
        self.hub = hub
    }

    private static func observer(_ account: String, mayCall: Bool, in hub: inout SimulatedHub) throws -> SessionID {
        let opening = SessionOpening(
            account: account,
            handles: [.generic(account)],
            deviceID: "watch",
            mayCall: mayCall,
            observes: true
        )
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 5_000)))
        guard case .reply(_, .opened(let session, _, _)) = hub.lastEffects.first else {
            throw CancellationError()
        }
        _ = hub.read(session)
        return session
    }

    private mutating func observed(_ session: SessionID) -> [ObservedCall] {
        hub.read(session).compactMap { if case .observed(let call) = $0 { call } else { nil } }
    }

    @Test mutating func `an observer receives each change of the five fields, and the end once (CK-69)`() throws {
        let call = try hub.connect(alice, to: "bob", on: desk)
        hub.request(desk, call.incoming, .setMuted(true))
        hub.request(desk, call.incoming, .setHeld(true))
        hub.request(desk, call.incoming, .setHeld(true))
        hub.request(alice, call.outgoing, .end)
        hub.wait(.seconds(3600))
        func seen(_ isOnHold: Bool, _ hasConnected: Bool, _ hasEnded: Bool) -> [Bool] {
            [isOnHold, hasConnected, hasEnded]
        }
        let told = observed(watch)
        #expect(told.allSatisfy { $0.uuid == call.incoming && !$0.isOutgoing && $0.deviceID == "desk" })
        #expect(
            told.map { seen($0.isOnHold, $0.hasConnected, $0.hasEnded) } == [
                seen(false, false, false), seen(false, true, false), seen(true, true, false), seen(true, true, true),
            ],
            "a mute is no change, nor the same hold again"
        )
        guard case .calls(let own, let elsewhere) = hub.ask(watch, .calls) else {
            Issue.record("not answered")
            return
        }
        #expect(own.isEmpty && elsewhere.isEmpty, "an ended call has left the list")
    }

    @Test mutating func `the list matches the last notification (CK-69)`() throws {
        let call = try hub.connect(alice, to: "bob", on: desk)
        hub.request(desk, call.incoming, .setHeld(true))
        let last = observed(watch).last
        #expect(hub.ask(watch, .calls) == .calls([], elsewhere: [try #require(last)]))
        #expect(last?.isOnHold == true)
    }

    @Test mutating func `a session observes neither its own calls nor another account's (CK-69)`() throws {
        let carol = try Self.observer("carol", mayCall: true, in: &hub)
        let call = try hub.connect(carol, to: "bob", on: desk)
        hub.request(carol, call.outgoing, .setHeld(true))
        #expect(observed(carol) == [], "her own calls are notified by callChanged")
        #expect(!observed(watch).isEmpty)
        #expect(hub.read(alice).allSatisfy { if case .observed = $0 { false } else { true } })
    }

    @Test mutating func `an observer receives five fields and the device, no handle and no name (CK-70)`() throws {
        _ = try hub.connect(alice, to: "bob", on: desk)
        let told = try #require(observed(watch).last)
        let fields = Mirror(reflecting: told).children.compactMap(\.label)
        #expect(
            Set(fields) == [
                "uuid", "isOutgoing", "isOnHold", "hasConnected", "hasEnded", "deviceID", "deviceName",
            ]
        )
    }

    @Test mutating func `an observed call cannot be acted on: 104 (CK-60, CK-70)`() throws {
        let call = try hub.connect(alice, to: "bob", on: desk)
        let tablet = try hub.open("bob", device: "tablet")
        let kinds: [ActionKind] = [
            .end, .answer, .setHeld(true), .setMuted(true), .setGroup(with: nil),
            .playDTMF(digits: "1", type: .singleTone), .setTranslating(true, localLanguage: nil, remoteLanguage: nil),
        ]
        for kind in kinds {
            #expect(hub.request(tablet, call.incoming, kind) == .requestTransaction(.unknownCallUUID), "\(kind)")
            #expect(hub.request(alice, call.incoming, kind) == .requestTransaction(.unknownCallUUID), "\(kind)")
        }
        #expect(hub.request(watch, call.incoming, .end) == .requestTransaction(.unentitled))
        #expect(hub.calls(desk).map(\.state) == [.connected])
    }

    @Test mutating func `a session without the observe permission receives nothing, and may list calls (CK-69)`() throws
    {
        let tablet = try hub.open("bob", device: "tablet")
        let call = try hub.connect(alice, to: "bob", on: desk)
        #expect(hub.read(tablet).allSatisfy { if case .observed = $0 { false } else { true } })
        guard case .calls(_, let elsewhere) = hub.ask(tablet, .calls) else {
            Issue.record("not answered")
            return
        }
        #expect(elsewhere.map(\.uuid) == [call.incoming])
    }
}
