import HubEngine
import HubWire

/// The numbers of calls, present and past; a call with two parties has two legs.
struct CallCounts {
    /// The end of a leg.
    struct End: Hashable {
        /// The reason; nil: its own user hung up.
        var reason: EndReason?
        /// The finer cause; nil: there is none.
        var cause: EndCause?

        /// The names in docs/protocol.md, or `local` and `none`.
        var words: (reason: String, cause: String) { (reason?.name ?? "local", cause?.rawValue ?? "none") }
    }

    /// The number of legs that have not ended, by state.
    var ongoing: [CallSnapshot.State: Int] {
        Dictionary(uniqueKeysWithValues: CallSnapshot.State.ongoing.map { ($0, legs[Self.index(of: $0)]) })
    }

    private var legs = InlineArray<6, Int>(repeating: 0)
    /// The number of outgoing calls requested.
    private(set) var started = 0
    /// The number of calls that were offered to a device: one that rings on two devices counts twice.
    private(set) var offered = 0
    /// The number of conversations that were answered.
    var answered = 0
    /// The number of legs that ended.
    private(set) var ends: [End: Int] = [:]

    /// Counts a new leg; one that has failed at once counts as starting until its end is counted.
    mutating func begin(_ call: CallSnapshot) {
        if call.isOutgoing { started += 1 } else { offered += 1 }
        legs[Self.index(of: call.hasEnded ? .starting : call.state)] += 1
    }

    mutating func move(from former: CallSnapshot.State, to state: CallSnapshot.State) {
        legs[Self.index(of: former)] -= 1
        legs[Self.index(of: state)] += 1
    }

    mutating func end(_ call: CallSnapshot, from state: CallSnapshot.State) {
        legs[Self.index(of: state)] -= 1
        ends[End(reason: call.endedReason, cause: call.cause), default: 0] += 1
    }

    private static func index(of state: CallSnapshot.State) -> Int {
        switch state {
        case .starting: 0
        case .ringing: 1
        case .connecting: 2
        case .connected: 3
        case .held: 4
        case .ended: 5
        }
    }
}
