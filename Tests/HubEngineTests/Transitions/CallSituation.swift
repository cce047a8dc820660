import HubEngine
import HubSimulation
import Testing

/// The situation of a call: the columns of the transition tables, under their headings.
enum CallSituation: String, CaseIterable, CustomTestStringConvertible {
    case starting
    case connecting
    case ringing
    case answering
    case connected
    case held
    case groupActive = "group active"
    case groupHeld = "group held"
    case externalRinging = "external ringing"
    case externalStarting = "external starting"
    case externalConnecting = "external connecting"
    case externalConnected = "external connected"
    case externalHeld = "external held"
    /// Connected; its other party has transferred it, and the new one rings.
    case transferred
    /// Ringing again at the device, which had transferred it to nobody.
    case returned
    /// On another device of the same account.
    case elsewhere
    case ended
    case externalEnded = "external ended"

    var testDescription: String { rawValue }

    /// True if the hub has the call's other end: neither before the invitation nor for an external call.
    var hasOtherParty: Bool {
        switch self {
        case .connecting, .ringing, .answering, .connected, .held, .groupActive, .groupHeld, .transferred, .returned,
            .elsewhere:
            true
        case .starting, .externalRinging, .externalStarting, .externalConnecting, .externalConnected, .externalHeld,
            .ended,
            .externalEnded:
            false
        }
    }
}

extension CallWorld {
    /// Brings the call into the situation.
    mutating func makeCall(_ situation: CallSituation) throws {
        switch situation {
        case .starting:
            call = hub.start(device, to: "peer")
        case .connecting:
            call = hub.start(device, to: "peer")
            fulfillAll()
        case .ringing, .answering:
            farCall = hub.start(peer, to: "device")
            call = try #require(hub.ringing(device)).uuid
            if situation == .answering { hub.request(device, call, .answer) }
        case .connected:
            try connect(from: device)
        case .held:
            try connect(from: device)
            ask(.setHeld(true))
        case .transferred:
            try connect(from: device)
            hub.request(peer, try #require(farCall), .transfer(to: .handle(.generic("third"))))
            (peer, farCall) = (third, try #require(hub.ringing(third)).uuid)
        case .returned:
            try connect(from: device)
            ask(.transfer(to: .handle(.generic("nobody"))))
            call = try #require(hub.ringing(device)).uuid
        case .elsewhere:
            try connect(from: try hub.open("device", device: "desk"))
        case .ended:
            try connect(from: device)
            hub.request(peer, try #require(farCall), .end)
        case .groupActive, .groupHeld:
            try makeGroup()
            if situation == .groupHeld { ask(.setHeld(true)) }
        case .externalRinging, .externalEnded:
            call = hub.makeUUID()
            hub.ask(device, .reportNewIncomingCall(call, .outsider))
            if situation == .externalEnded { hub.ask(device, .reportCallEnded(call, .remoteEnded, date: nil)) }
        case .externalStarting:
            call = hub.makeUUID()
            hub.request(device, call, .outsideStart)
        case .externalConnecting, .externalConnected, .externalHeld:
            call = hub.makeUUID()
            ask(.outsideStart)
            if situation == .externalConnecting { return }
            hub.ask(device, .reportOutgoingCall(call, .connected, date: nil))
            if situation == .externalHeld { ask(.setHeld(true)) }
        }
    }

    private mutating func connect(from caller: SessionID) throws {
        call = hub.start(caller, to: "peer")
        fulfillAll()
        farCall = try #require(hub.ringing(peer)).uuid
        hub.request(peer, try #require(farCall), .answer)
    }

    /// The call and one more, merged.
    private mutating func makeGroup() throws {
        try connect(from: device)
        let second = try hub.open("second")
        let member = hub.start(device, to: "second")
        fulfillAll()
        hub.request(second, try #require(hub.ringing(second)).uuid, .answer)
        ask(.setGroup(with: member))
    }
}

extension ActionKind {
    /// The start of a call that its client carries.
    fileprivate static let outsideStart = ActionKind.start(
        handle: .outsider,
        isVideo: false,
        contactIdentifier: nil,
        isExternal: true
    )
}

extension Handle {
    /// A party unknown to the hub.
    static let outsider = Handle(type: .phoneNumber, value: "+49301234567")
}

extension CallUpdate {
    /// A client's report of a call from a party unknown to the hub.
    static var outsider: CallUpdate {
        var update = CallUpdate()
        update.remoteHandle = .outsider
        return update
    }
}
