import HubEngine

/// The state of a client, derived from its notifications alone.
struct NotifiedState {
    /// Live calls, in the order in which they appeared.
    var calls: [CallSnapshot] = []
    /// Calls that have ended, the latest last.
    var ended: [CallUUID] = []
    var audio: AudioSession?
    var lastSSRC: UInt32 = 0
    var sources: [AudioSource] = []
    var observed: [ObservedCall] = []
    /// Observed calls from the reply to `observer.calls`: the next notification of each may bring no change.
    var observedInReply: [ObservedCall] = []
    var hasSentRequest = false
    /// The actions that it was sent to perform and has to answer.
    var performs: [Action] = []
    var offers: [(transaction: TransactionUUID, actions: [Action])] = []
    private var activations: Set<AudioSessionUUID> = []

    /// Applies the reply to an observer's first request for calls; from then on notifications must fit.
    mutating func begin(observing calls: [ObservedCall]) {
        observed = calls
        observedInReply = calls
        hasSentRequest = true
    }

    func call(_ uuid: CallUUID) -> CallSnapshot? { calls.first { $0.uuid == uuid } }

    /// The calls that have the device's focus, by its notifications: one, or one group.
    var focused: [CallSnapshot] { calls.filter(\.hasFocus) }

    /// The number of groups of calls, a single call being one.
    var groupCount: Int {
        var groups: [GroupUUID] = []
        var singles = 0
        for call in calls {
            if let group = call.group {
                if !groups.contains(group) { groups.append(group) }
            } else {
                singles += 1
            }
        }
        return singles + groups.count
    }

    /// Applies a notification; returns the description of the rule that it violates, or nil.
    mutating func apply(_ notification: Notification) -> String? {
        switch notification {
        case .didBegin, .dtmf: return nil
        case .didReset:
            self = NotifiedState()
            return nil
        case .execute(let transaction, let actions):
            offers.append((transaction, actions))
            return nil
        case .perform(_, let action, _, _, let fulfilled):
            if !fulfilled { performs.append(action) }
            return nil
        case .timedOutPerforming(let action):
            performs.removeAll { $0.uuid == action.uuid }
            return nil
        case .didActivateAudioSession(let session): return activate(session)
        case .didDeactivateAudioSession(let session): return deactivate(session)
        case .callChanged(let snapshot): return change(snapshot)
        case .operated(let snapshot): return change(snapshot, isOperated: true)
        case .observed(let call): return observe(call)
        case .audioSources(let sources):
            defer { self.sources = sources }
            return sources == self.sources ? "sources are notified again without a change" : nil
        }
    }

    private mutating func activate(_ session: AudioSession) -> String? {
        defer {
            audio = session
            lastSSRC = session.ssrc
        }
        if audio != nil { return "an audio session is activated before the former is deactivated" }
        if !activations.insert(session.id).inserted { return "an audio session's id is used again" }
        if session.ssrc == lastSSRC || session.ssrc == 0 { return "an activation has no new SSRC" }
        return nil
    }

    private mutating func deactivate(_ session: AudioSession) -> String? {
        defer { audio = nil }
        return audio?.id == session.id ? nil : "an audio session is deactivated that is not active"
    }

    /// Applies the change of a call; an operator may be notified first of a call in any state.
    private mutating func change(_ snapshot: CallSnapshot, isOperated: Bool = false) -> String? {
        let place = calls.firstIndex { $0.uuid == snapshot.uuid }
        let former = place.map { calls[$0] }
        if snapshot.hasEnded {
            if let place { calls.remove(at: place) }
            ended.append(snapshot.uuid)
            performs.removeAll { $0.callUUID == snapshot.uuid }
        } else if let place {
            calls[place] = snapshot
        } else {
            calls.append(snapshot)
        }
        return isOperated && former == nil ? nil : CallStateRules.fault(from: former, to: snapshot)
    }

    private mutating func observe(_ call: ObservedCall) -> String? {
        guard hasSentRequest else { return nil }
        let place = observed.firstIndex { $0.uuid == call.uuid && $0.deviceID == call.deviceID }
        if call.hasEnded {
            guard let place else { return "an observed call ends that was never notified, or twice" }
            observed.remove(at: place)
        } else if let place {
            let isExpected = observed[place] != call || observedInReply.contains(call)
            observedInReply.removeAll { $0.uuid == call.uuid && $0.deviceID == call.deviceID }
            if !isExpected { return "an observed call is notified again without a change" }
            observed[place] = call
        } else {
            observed.append(call)
        }
        return nil
    }
}

extension CallSnapshot {
    /// Indicates that the audio session is on for it: connected and not held, or being placed.
    var hasFocus: Bool {
        switch state {
        case .connected: true
        case .connecting: isOutgoing
        case .starting, .ringing, .held, .ended: false
        }
    }
}
