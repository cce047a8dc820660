/// What an action does to its call when its time comes (callkit.md 2.2 and 2.4): effects happen on fulfil.
extension Engine {
    /// Whether an action can still be done: between acceptance and performance a call may end.
    enum Readiness {
        case ready
        /// Its purpose is reached without it: what was to be ended or held is gone.
        case moot
        case impossible
    }

    func readiness(of action: Action, in session: SessionID) -> Readiness {
        let call = call(action.callUUID, of: session).flatMap { calls[$0] }
        switch action.kind {
        case .end, .setMuted:
            return call == nil ? .moot : .ready
        case .setHeld(true):
            guard let call else { return .moot }
            return call.isConnected ? .ready : .impossible
        case .setHeld(false):
            return call?.isConnected == true ? .ready : .impossible
        case .start:
            return call?.state == .starting ? .ready : .impossible
        case .answer:
            return call?.state == .ringing || call?.state == .answering ? .ready : .impossible
        case .playDTMF:
            return call?.phase == .active ? .ready : .impossible
        case .setGroup, .pull, .setTranslating, .unknown:
            return .impossible
        }
    }

    /// What an action takes hold of when it is performed, before it is fulfilled: the first answer wins (row CK-23).
    mutating func claim(_ action: Action, in session: SessionID, isFulfilled: Bool) {
        guard case .answer = action.kind, let call = call(action.callUUID, of: session) else { return }
        claimAnswer(call, isFulfilled: isFulfilled)
    }

    /// Applies a fulfilled action.
    mutating func apply(_ kind: ActionKind, to uuid: CallUUID, of session: SessionID, at date: Instant) {
        guard let call = call(uuid, of: session) else { return }
        switch kind {
        case .start: sendInvitation(call, at: date)
        case .answer: connect(call, at: date)
        case .end: hangUp(call, by: .user, at: date)
        case .setHeld(let isOnHold): setHeld(call, isOnHold)
        case .setMuted(let isMuted): setMuted(call, isMuted)
        case .playDTMF(let digits, let type): tellDigits(digits, type, on: call)
        case .setGroup, .pull, .setTranslating, .unknown: break
        }
    }

    /// Holds or resumes; the same value again is nothing (row CK-35).
    mutating func setHeld(_ call: CallID, _ isOnHold: Bool) {
        guard case .connected(let since, let wasOnHold) = calls[call]?.state, wasOnHold != isOnHold else { return }
        if !isOnHold { makeWay(for: call) }
        calls[call]?.state = .connected(since: since, isOnHold: isOnHold)
        changed(call)
        reconcileAudio(of: call)
        if let other = otherCall(than: call) { changed(other) }
    }

    private mutating func setMuted(_ call: CallID, _ isMuted: Bool) {
        guard calls[call]?.isMuted != isMuted else { return }
        calls[call]?.isMuted = isMuted
        changed(call)
        reconcileAudio(of: call)
    }

    private mutating func tellDigits(_ digits: String, _ type: DTMFType, on call: CallID) {
        guard let other = otherCall(than: call), let listener = calls[other] else { return }
        effects.append(.notify(listener.session, .dtmf(listener.uuid, digits: digits, type: type)))
    }

    /// Before a call gets the focus, takes it from every other call of the device, at once.
    ///
    /// The plan of a transaction has done so already; this is for what has changed since (two answers under way, say).
    mutating func makeWay(for call: CallID) {
        guard let session = calls[call]?.session else { return }
        for other in sessions[session]?.calls ?? [] where other != call {
            guard let standing = calls[other], standing.hasFocus else { continue }
            let isHoldable = standing.phase == .active && standing.capabilities.supportsHolding
            let kind = isHoldable ? ActionKind.setHeld(true) : .end
            let action = Action(uuid: identifiers.identifier(), callUUID: standing.uuid, kind: kind)
            let perform = Notification.perform(
                identifiers.identifier(),
                action,
                deadline: now,
                origin: .system,
                fulfilled: true
            )
            effects.append(.notify(session, perform))
            if isHoldable { setHeld(other, true) } else { hangUp(other, by: .user, at: now) }
        }
    }
}
