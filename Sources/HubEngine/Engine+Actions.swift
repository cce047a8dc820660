/// The execution of an action on its call (callkit-semantics.md 2.2 and 2.4): actions take effect when they are
/// fulfilled.
extension Engine {
    /// The readiness of an action to be performed: between acceptance and performance its call may have ended.
    enum Readiness {
        case ready
        /// Another transaction goes first; this one is continued when that is over.
        case waiting
        /// The action is no longer needed: the call that it would end, hold or mute is over.
        case obsolete
        case impossible
    }

    func readiness(of action: Action, of transaction: TransactionUUID, in session: SessionID) -> Readiness {
        let state = state(of: action.callUUID, in: session)
        switch action.kind {
        case .end, .endHere, .decline, .setMuted:
            return state == nil ? .obsolete : .ready
        case .setHeld(true):
            guard let state else { return .obsolete }
            return state.isConnected ? .ready : .impossible
        case .setHeld(false), .setTranslating:
            return state?.isConnected == true ? .ready : .impossible
        case .setGroup(let other):
            return canGroup(action.callUUID, with: other, of: session) ? .ready : .impossible
        case .start:
            return state == .starting ? .ready : .impossible
        case .answer:
            if state == .answering { return .ready }
            return state == .ringing && hasCapacity(in: session, countsRinging: false) ? .ready : .impossible
        case .playDTMF:
            guard state?.phase == .active else { return .impossible }
            return playsDigitsEarlier(action.callUUID, than: transaction, in: session) ? .waiting : .ready
        case .pull:
            guard let pulled = callOnOtherDevice(action.callUUID, than: session),
                calls[pulled]?.state.isConnected == true,
                !isFarEnd(of: pulled, on: session), hasCapacity(in: session, countsRinging: true),
                hasCallCapacity(session)
            else { return .impossible }
            return .ready
        case .transfer:
            return canTransfer(action, of: transaction, in: session) ? .ready : .impossible
        case .unknown:
            return .impossible
        }
    }

    /// Indicates that a device may have one more call by the hub's limit.
    func hasCallCapacity(_ session: SessionID) -> Bool {
        sessions[session].map { $0.calls.count < configuration.maximumCallsPerDevice } ?? false
    }

    /// Indicates that one more group of calls fits.
    ///
    /// Two transactions that were planned at the same time may each have counted on the same free capacity.
    private func hasCapacity(in session: SessionID, countsRinging: Bool) -> Bool {
        guard let limit = sessions[session]?.providerLimits.maximumCallGroups,
            let count = sessions[session]?.calls.count
        else { return false }
        // Most devices have fewer calls than their limit of groups: then there is no need to count groups.
        guard count >= limit else { return true }
        return plannedCalls(of: session).filter { countsRinging || $0.phase != .ringing }.groupCount < limit
    }

    private func canGroup(_ uuid: CallUUID, with other: CallUUID?, of session: SessionID) -> Bool {
        guard let id = call(uuid, of: session), calls[id]?.state.isConnected == true else { return false }
        guard let other else { return calls[id]?.group == nil || hasCapacity(in: session, countsRinging: true) }
        guard let joined = call(other, of: session), calls[joined]?.state.isConnected == true,
            let limit = sessions[session]?.configuration.maximumCallsPerCallGroup
        else { return false }
        let members = members(with: joined)
        return members.contains(id) || members.count < limit
    }

    func state(of uuid: CallUUID, in session: SessionID) -> CallState? {
        call(uuid, of: session).flatMap { calls[$0]?.state }
    }

    /// Indicates that an earlier transaction still has digits to play: tones are played one after another (row CK-54).
    private func playsDigitsEarlier(_ call: CallUUID, than transaction: TransactionUUID, in session: SessionID) -> Bool
    {
        for earlier in sessions[session]?.transactions ?? [] {
            if earlier.uuid == transaction { return false }
            if earlier.hasDigits(for: call) { return true }
        }
        return false
    }

    /// Claims the call of an answer action before it is fulfilled: the first device to answer wins (row CK-23).
    mutating func claim(_ action: Action, in session: SessionID, isFulfilled: Bool) {
        guard case .answer = action.kind, let call = call(action.callUUID, of: session) else { return }
        claimAnswer(call, isFulfilled: isFulfilled)
    }

    /// Applies a fulfilled action.
    mutating func apply(
        _ kind: ActionKind,
        to uuid: CallUUID,
        of session: SessionID,
        at date: Instant,
        using engine: TranslationEngine?
    ) {
        if case .pull = kind { return pull(uuid, to: session) }
        guard let call = call(uuid, of: session) else { return }
        switch kind {
        case .start: beginCallSetup(call, at: date)
        case .answer: connect(call, at: date)
        case .end: hangUp(call, by: .user, at: date)
        case .endHere: hangUp(call, by: .userOnThisDevice, at: date)
        case .decline(let message, let onlyHere):
            hangUp(call, by: onlyHere ? .userOnThisDevice : .user, message: message, at: date)
        case .setHeld(let isOnHold): setHeld(call, isOnHold)
        case .setMuted(let isMuted): setMuted(call, isMuted)
        case .setGroup(let other): setGroup(call, with: other.flatMap { self.call($0, of: session) })
        case .setTranslating(let isTranslating, _, _): setTranslating(call, isTranslating, using: engine)
        case .playDTMF(let digits, let type): notifyDTMF(digits, type, on: call)
        case .pull, .transfer, .unknown: break
        }
    }

    /// Holds or resumes a call with its group; the same value again changes nothing (rows CK-35, CK-50).
    mutating func setHeld(_ call: CallID, _ isOnHold: Bool) {
        guard let session = session(of: call), case .connected(_, !isOnHold) = state(of: call) else { return }
        let members = members(with: call)
        if !isOnHold { holdOrEndActiveCalls(for: members) }
        for member in members { calls[member]?.isOnHold = isOnHold }
        for member in members { notifyChange(member) }
        reconcileAudio(of: session)
        for member in members { notifyOtherParty(of: member) }
    }

    private mutating func setMuted(_ call: CallID, _ isMuted: Bool) {
        guard let session = session(of: call), self.isMuted(call) != isMuted else { return }
        calls[call]?.isMuted = isMuted
        notifyChange(call)
        reconcileAudio(of: session)
    }

    private mutating func setTranslating(_ call: CallID, _ isTranslating: Bool, using engine: TranslationEngine?) {
        let before = snapshot(of: call)
        calls[call]?.isTranslating = isTranslating
        calls[call]?.translationEngine = isTranslating ? engine : nil
        if snapshot(of: call) != before { notifyChange(call) }
    }

    private mutating func notifyDTMF(_ digits: String, _ type: DTMFType, on call: CallID) {
        guard let other = otherCall(than: call), let session = session(of: other), let uuid = uuid(of: other)
        else { return }
        effects.append(.notify(session, .dtmf(uuid, digits: digits, type: type)))
    }

    /// Notifies the other party's device, whose snapshot of the call has `remoteIsOnHold`.
    mutating func notifyOtherParty(of call: CallID) {
        if let other = otherCall(than: call) { notifyChange(other) }
    }
}
