/// A call as the transaction rules see it: a scratch copy on which a request is tried out before anything happens.
struct PlannedCall {
    var uuid: CallUUID
    var phase: CallPhase
    var capabilities: CallCapabilities
    /// Calls with the same number are merged; one that is alone has a number of its own.
    var group: Int
}

/// A call of another device of the account, which this device may pull.
struct CallElsewhere {
    var call: PlannedCall
    /// Whether its other end is on this device.
    var isWithThisDevice: Bool
    /// Whether its sound is carried by the device it is on.
    var isExternal: Bool
}

/// An action that a transaction will perform.
struct PlannedAction {
    var kind: ActionKind
    var callUUID: CallUUID
    var origin: ActionOrigin
    /// The client's name for it, if it gave one.
    var uuid: ActionUUID?
    /// Whether its effect comes with that of a later one.
    var isHeldBack = false
}

/// What the rules of callkit.md 2.2 distinguish.
enum CallPhase: Hashable {
    /// An incoming call rings.
    case ringing
    /// An incoming call is being answered.
    case answering
    /// An outgoing call that is not connected.
    case outgoing
    /// Connected and not held.
    case active
    /// Held by its owner.
    case held

    /// Whether both can speak, or could if nobody held.
    var isConnected: Bool { self == .active || self == .held }

    /// For sentences to people.
    var inWords: String {
        switch self {
        case .ringing: "ringing"
        case .answering: "being answered"
        case .outgoing: "outgoing and not connected"
        case .active: "active"
        case .held: "held"
        }
    }
}

extension [PlannedCall] {
    /// The calls by groups, each in the order in which its first call came.
    var byGroup: [[PlannedCall]] {
        var groups: [[PlannedCall]] = []
        for call in self {
            if let place = groups.firstIndex(where: { $0[0].group == call.group }) {
                groups[place].append(call)
            } else {
                groups.append([call])
            }
        }
        return groups
    }

    /// How many groups there are, a single call being one.
    var groupCount: Int {
        indices.count { index in !self[..<index].contains { $0.group == self[index].group } }
    }

    /// Whether all of a group can be held: what is not connected cannot.
    var isHoldable: Bool {
        allSatisfy { $0.phase == .active && $0.capabilities.supportsHolding }
    }
}
