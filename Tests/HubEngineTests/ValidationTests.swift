import HubEngine
import HubSimulation
import Testing

/// The table of permitted actions in callkit-semantics.md 2.2 and the codes of 2.1, one case each (CK-57).
struct ValidationTests {
    /// The states in which a call can receive requests.
    enum Situation: String, CaseIterable, CustomTestStringConvertible {
        case ringing, starting, connecting, active, held, ended
        var testDescription: String { rawValue }
    }

    private static let legality: [(ActionKind, legal: Set<Situation>)] = [
        (.answer, [.ringing]),
        (.end, [.ringing, .starting, .connecting, .active, .held]),
        (.setHeld(true), [.active, .held]),
        (.setHeld(false), [.active, .held]),
        (.setMuted(true), [.ringing, .starting, .connecting, .active, .held]),
        (.playDTMF(digits: "5", type: .singleTone), [.active]),
    ]

    /// A device with one call in the given situation.
    private func device(in situation: Situation) throws -> (SimulatedHub, SessionID, CallUUID) {
        var hub = SimulatedHub()
        let peer = try hub.open("peer")
        let device = try hub.open("device", fulfillment: situation == .starting ? .manual : .automatic)
        switch situation {
        case .ringing:
            _ = hub.start(peer, to: "device")
            return (hub, device, try #require(hub.ringing(device)).uuid)
        case .starting, .connecting:
            let call = hub.start(device, to: "peer")
            return (hub, device, call)
        case .active, .held, .ended:
            let call = try hub.connect(device, to: "peer", on: peer).outgoing
            if situation == .held { hub.request(device, call, .setHeld(true)) }
            if situation == .ended { hub.request(peer, try #require(hub.calls(peer).first).uuid, .end) }
            return (hub, device, call)
        }
    }

    @Test(arguments: Situation.allCases)
    func `each action is accepted in the states of the table and refused in all others (CK-57)`(situation: Situation)
        throws
    {
        for (kind, legal) in Self.legality {
            var (hub, device, call) = try device(in: situation)
            let before = hub.calls(device)
            let code = hub.request(device, call, kind)
            if legal.contains(situation) {
                #expect(code == nil, "\(kind.type) while \(situation)")
            } else {
                let expected: Refusal.RequestTransactionCode = situation == .ended ? .unknownCallUUID : .invalidAction
                #expect(code == .requestTransaction(expected), "\(kind.type) while \(situation)")
                #expect(hub.calls(device) == before, "a refusal changes nothing")
                #expect(hub.lastEffects.count == 1, "a refusal has no other effect")
            }
            #expect(hub.violations == [])
        }
    }

    @Test func `an empty transaction gets 103 even without a provider (CK-58)`() throws {
        var hub = SimulatedHub()
        let device = try hub.open("device")
        hub.ask(device, .invalidate)
        #expect(hub.request(device, []) == .requestTransaction(.emptyTransaction))
    }

    @Test func `one faulty action refuses the whole transaction, and is identified (CK-57)`() throws {
        var (hub, device, call) = try device(in: .active)
        let actions = [
            ActionRequest(callUUID: call, kind: .setMuted(true)),
            ActionRequest(callUUID: hub.makeUUID(), kind: .end),
        ]
        guard case .refused(let refusal) = hub.ask(device, .transaction(actions)) else {
            Issue.record("the transaction was accepted")
            return
        }
        #expect(refusal.code == .requestTransaction(.unknownCallUUID))
        #expect(refusal.actionIndex == 1)
        #expect(hub.calls(device).map(\.isMuted) == [false])
    }

    @Test func `the first faulty action decides, even one of an unknown type (2.1, D1)`() throws {
        var (hub, device, call) = try device(in: .active)
        let unknown = (hub.makeUUID(), ActionKind.end)
        let wave = (call, ActionKind.unknown(type: "wave"))
        #expect(hub.request(device, [unknown, wave]) == .requestTransaction(.unknownCallUUID))
        #expect(hub.request(device, [wave, unknown]) == .requestTransaction(.invalidAction))
        hub.ask(device, .invalidate)
        #expect(hub.request(device, [wave]) == .requestTransaction(.unknownCallProvider))
    }

    @Test func `a start with the UUID of an existing call gets 105 (CK-10)`() throws {
        var (hub, device, call) = try device(in: .active)
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(device, call, start) == .requestTransaction(.callUUIDAlreadyExists))
        let again = [(call, ActionKind.end), (call, start)]
        #expect(hub.request(device, again) == .requestTransaction(.callUUIDAlreadyExists), "it needs a new one")
    }

    @Test func `unsupported handle types and video are refused (CK-07, CK-81)`() throws {
        var hub = SimulatedHub()
        let device = try hub.open("device") { $0.supportedHandleTypes = [.phoneNumber] }
        let generic = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(device, hub.makeUUID(), generic) == .requestTransaction(.invalidAction))
        let number = Handle(type: .phoneNumber, value: "+49301234567")
        let video = ActionKind.start(handle: number, isVideo: true, contactIdentifier: nil)
        #expect(hub.request(device, hub.makeUUID(), video) == .requestTransaction(.invalidAction))
        let voice = ActionKind.start(handle: number, isVideo: false, contactIdentifier: nil)
        #expect(hub.request(device, hub.makeUUID(), voice) == nil)
    }

    @Test func `two actions with the same UUID are refused (602)`() throws {
        var (hub, device, call) = try device(in: .active)
        let uuid = ActionUUID(high: 1, low: 2)
        let twins = [true, false].map { ActionRequest(uuid: uuid, callUUID: call, kind: .setMuted($0)) }
        guard case .refused(let refusal) = hub.ask(device, .transaction(twins)) else {
            Issue.record("the transaction was accepted")
            return
        }
        #expect(refusal.code == .general(.invalidArgument))
    }

    @Test func `error codes have Apple's numbers (CK-14)`() {
        #expect(Refusal.RequestTransactionCode.allCases.map(\.rawValue) == Array(0...8))
        #expect(Refusal.IncomingCallCode.allCases.map(\.rawValue) == Array(0...7))
        #expect(EndReason.allCases.map(\.rawValue) == Array(1...5))
        #expect(Handle.HandleType.allCases.map(\.rawValue) == [1, 2, 3])
        #expect(DTMFType.allCases.map(\.rawValue) == [1, 2, 3])
    }
}
