import HubEngine
import HubSimulation

/// A device with manual fulfilment, its call in some situation, the other party, and another held call.
struct CallWorld {
    var hub = SimulatedHub()
    let device: SessionID
    private(set) var third: SessionID
    /// The device of the other party.
    var peer: SessionID
    /// The call that everything is about.
    var call: CallUUID
    /// The other party's end of it, where the hub has it.
    var farCall: CallUUID?
    /// Another call of the device's, held; only where the test needs one.
    var other: CallUUID?
    private var told: [SessionID: [CallUUID: CallSnapshot]] = [:]

    /// The other party of the device's held call.
    enum HeldParty: String {
        case echo
        case third
    }

    init(_ situation: CallSituation, beside held: HeldParty? = nil) throws {
        device = try hub.open("device", fulfillment: .manual) { $0.maximumCallGroups = 3 }
        peer = try hub.open("peer")
        third = try hub.open("third")
        call = hub.makeUUID()
        if let held { makeOther(held) }
        try makeCall(situation)
        // Whatever is still to be performed belongs to the situation.
        _ = readAll()
        if farCall == nil { farCall = hub.ringing(peer)?.uuid }
    }

    private mutating func makeOther(_ held: HeldParty) {
        let uuid = hub.start(device, to: held.rawValue)
        other = uuid
        fulfillAll()
        if let ringing = hub.ringing(third) { hub.request(third, ringing.uuid, .answer) }
        hub.request(device, uuid, .setHeld(true))
        fulfillAll()
    }

    /// Requests an action on the call and performs the resulting actions; returns the refusal's code.
    @discardableResult
    mutating func ask(_ kind: ActionKind) -> Refusal.Code? {
        let refusal = hub.request(device, call, kind)
        fulfillAll()
        return refusal
    }

    /// Fulfils all actions that the device was asked to perform since the last time, and those that follow.
    mutating func fulfillAll() {
        while true {
            let actions = readAll()
            guard !actions.isEmpty else { return }
            for action in actions { hub.ask(device, .fulfill(action.uuid, date: nil)) }
        }
    }

    /// Reads the notifications of both parties and returns the actions that the device is to perform.
    mutating func readAll() -> [Action] {
        var actions: [Action] = []
        for session in [device, peer, third] {
            for notification in hub.read(session) {
                switch notification {
                case .callChanged(let snapshot):
                    told[session, default: [:]][snapshot.uuid] = snapshot
                case .perform(_, let action, _, _, fulfilled: false) where session == device:
                    actions.append(action)
                case .dtmf where session == peer:
                    hasHeardDigits = true
                default:
                    continue
                }
            }
        }
        return actions
    }

    /// True if the other party has been notified of DTMF digits.
    private(set) var hasHeardDigits = false

    /// The last snapshot of the call that the device received; nil: none.
    var own: CallSnapshot? { told[device]?[call] }
    /// The last snapshot of the call that the other party received; nil: none.
    var far: CallSnapshot? { farCall.flatMap { told[peer]?[$0] } }
    /// The other call.
    var excluding: CallSnapshot? { other.flatMap { told[device]?[$0] } }
}
