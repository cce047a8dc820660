import HubEngine
import HubSimulation
import Testing

/// The faults of a transaction, and the one of two that is reported: callkit-semantics.md 2.1, one case for each
/// code (CK-57).
struct RequestOrderTests {
    private static let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)

    /// The faults in the order in which they are checked, each with a request that has it.
    enum Fault: Int, CaseIterable {
        case unentitled = 1
        case emptyTransaction = 3
        case unknownCallProvider = 2
        case unknownType = 60
        case callUUIDAlreadyExists = 5
        case maximumCallGroupsReached = 7
        case unknownCallUUID = 4
        case illegalForItsState = 6

        var code: Refusal.Code {
            let number = self == .unknownType ? 6 : rawValue
            return .requestTransaction(Refusal.RequestTransactionCode(rawValue: number) ?? .unknown)
        }
    }

    /// A device that may call or not, with one group, which an active call takes.
    private func device(_ faults: Set<Fault>) throws -> (SimulatedHub, SessionID, CallUUID) {
        var hub = SimulatedHub()
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = 1
        let opening = SessionOpening(
            account: "device",
            handles: [.generic("device")],
            deviceID: "1",
            provider: provider,
            mayCall: !faults.contains(.unentitled)
        )
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 7_000)))
        guard case .reply(_, .opened(let device, _, _)) = hub.lastEffects.first else { throw CancellationError() }
        let call = hub.start(device, to: "echo")
        if faults.contains(.unknownCallProvider) { hub.ask(device, .invalidate) }
        return (hub, device, call)
    }

    /// An action with this fault; nil: it is not an action's.
    private func action(_ fault: Fault, _ hub: inout SimulatedHub, _ call: CallUUID) -> (CallUUID, ActionKind)? {
        switch fault {
        case .unentitled, .emptyTransaction, .unknownCallProvider: nil
        case .unknownType: (call, .unknown(type: "wave"))
        case .callUUIDAlreadyExists: (call, Self.start)
        case .maximumCallGroupsReached: (hub.makeUUID(), Self.start)
        case .unknownCallUUID: (hub.makeUUID(), .end)
        case .illegalForItsState: (call, .answer)
        }
    }

    @Test(arguments: Fault.allCases)
    func `each fault of a transaction has its error code, and refuses the transaction as a whole (CK-57)`(fault: Fault)
        throws
    {
        var (hub, device, call) = try device([fault])
        let mute = (call, ActionKind.setMuted(true))
        let faulty = action(fault, &hub, call)
        let actions = fault == .emptyTransaction ? [] : [mute] + (faulty.map { [$0] } ?? [])
        let before = hub.calls(device)
        _ = hub.read(device)
        #expect(hub.request(device, actions) == fault.code)
        #expect(hub.calls(device) == before)
        #expect(hub.read(device) == [], "no notification was sent")
    }

    @Test func `of two faults in a request the one of the earlier rule is reported (CK-57, CK-61, D1)`() throws {
        let whole: [Fault] = [.unentitled, .emptyTransaction, .unknownCallProvider]
        for (place, first) in whole.enumerated() {
            for second in Fault.allCases where !whole[...place].contains(second) {
                var (hub, device, call) = try device([first, second])
                let isEmpty = first == .emptyTransaction || second == .emptyTransaction
                let actions = isEmpty ? [] : [action(second, &hub, call) ?? (call, .end)]
                #expect(hub.request(device, actions) == first.code, "\(first) before \(second)")
            }
        }
    }

    @Test func `of two faulty actions the first is reported, whichever they are (CK-57, D1)`() throws {
        let faults = Fault.allCases.filter { $0.rawValue > 3 }
        for first in faults {
            for second in faults where second != first {
                var (hub, device, call) = try device([])
                let actions = [action(first, &hub, call), action(second, &hub, call)].compactMap(\.self)
                guard case .refused(let refusal) = hub.ask(device, .transaction(actions.map(ActionRequest.init))) else {
                    Issue.record("\(first), \(second): accepted")
                    continue
                }
                #expect(refusal.code == first.code, "\(first) before \(second)")
                #expect(refusal.actionIndex == 0)
            }
        }
    }

    @Test func `a call of no one, of another account or of another device is unknown (CK-60, P21)`() throws {
        var (hub, device, call) = try device([])
        let stranger = try hub.open("stranger")
        let other = try hub.open("device", device: "2")
        #expect(hub.request(device, hub.makeUUID(), .end) == .requestTransaction(.unknownCallUUID))
        #expect(hub.request(stranger, call, .end) == .requestTransaction(.unknownCallUUID))
        #expect(hub.request(other, call, .end) == .requestTransaction(.unknownCallUUID))
        let action = hub.performed(device).isEmpty ? nil : hub.lastAction(of: device)
        let mistaken = CallUUID(high: try #require(action).uuid.high, low: try #require(action).uuid.low)
        #expect(hub.request(device, mistaken, .end) == .requestTransaction(.unknownCallUUID), "an action's UUID")
        #expect(hub.calls(device).map(\.state) == [.connected])
    }
}

extension SimulatedHub {
    /// The last action that a device was notified of.
    fileprivate func lastAction(of session: SessionID) -> Action? {
        (inbox[session] ?? []).compactMap { if case .perform(_, let action, _, _, _) = $0 { action } else { nil } }.last
    }
}

extension ActionRequest {
    fileprivate init(_ action: (CallUUID, ActionKind)) {
        self.init(callUUID: action.0, kind: action.1)
    }
}
