import HubEngine

/// The legal order of a call's snapshots (callkit-semantics.md 1.8, 2.9).
enum CallStateRules {
    /// Returns the description of the rule that the change violates, or nil.
    static func fault(from former: CallSnapshot?, to call: CallSnapshot) -> String? {
        guard let former else { return faultOfFirst(call) ?? faultOfOne(call) }
        if former == call { return "a call is notified again without a change" }
        if former.isOutgoing != call.isOutgoing || former.isExternal != call.isExternal {
            return "a call changes its direction or its carrier"
        }
        if !isLegal(former.state, call.state) { return "a call goes from \(former.state) to \(call.state)" }
        if former.hasConnected, !call.hasConnected { return "a call was connected and is not any more" }
        if let connectedAt = former.connectedAt, call.connectedAt != connectedAt { return "connectedAt changes" }
        if let startedAt = former.startedAt, call.startedAt != startedAt { return "startedAt changes" }
        return faultOfOne(call)
    }

    private static func faultOfFirst(_ call: CallSnapshot) -> String? {
        switch call.state {
        case .starting, .ringing: nil
        // A pulled call.
        case .connected: nil
        case .connecting, .held, .ended: "the first notification of a call has the state \(call.state)"
        }
    }

    /// Checks the rules that hold in each snapshot alone.
    private static func faultOfOne(_ call: CallSnapshot) -> String? {
        switch call.state {
        case .starting, .connecting, .ringing:
            if call.hasConnected { return "a call that is \(call.state) has been connected" }
            if call.isOnHold { return "a call that is \(call.state) is on hold" }
        case .connected, .held:
            if !call.hasConnected { return "a call that is \(call.state) was never connected" }
            if call.isOnHold != (call.state == .held) { return "isOnHold and the state differ" }
        case .ended:
            if call.endedAt == nil { return "an ended call has no endedAt" }
        }
        if call.hasConnected != (call.connectedAt != nil) { return "hasConnected and connectedAt differ" }
        if !call.hasEnded, call.endedAt != nil || call.endedReason != nil || call.cause != nil {
            return "a living call has an end"
        }
        if !call.participants.isEmpty, call.state != .connected, call.state != .held {
            return "a call that is \(call.state) has participants"
        }
        if call.message != nil, !call.hasEnded || !(call.isOutgoing || call.hasConnected) || call.cause != .declined {
            return "a message comes with a decline alone, and to the caller alone"
        }
        if call.choices.isEmpty == (call.state == .ringing) { return "choices are there just while it rings" }
        if let startedAt = call.startedAt, let connectedAt = call.connectedAt, connectedAt < startedAt {
            return "a call is connected before it started"
        }
        if let endedAt = call.endedAt, endedAt < call.connectedAt ?? call.startedAt ?? endedAt {
            return "a call ended before it began"
        }
        if call.localizedCallerName.isEmpty || call.remoteHandle.value.isEmpty { return "a call has no caller" }
        return nil
    }

    private static func isLegal(_ former: CallSnapshot.State, _ state: CallSnapshot.State) -> Bool {
        switch (former, state) {
        case (.starting, .starting), (.starting, .connecting), (.starting, .ended): true
        case (.connecting, .connecting), (.connecting, .connected), (.connecting, .ended): true
        case (.ringing, .ringing), (.ringing, .connecting), (.ringing, .connected), (.ringing, .ended): true
        case (.connected, .connected), (.connected, .held), (.connected, .ended): true
        case (.held, .held), (.held, .connected), (.held, .ended): true
        default: false
        }
    }
}
