/// Calls that ring nowhere yet: nobody is there and somebody is woken, or whoever is there is left in peace (row CK-80, decision D13).
///
/// Whoever may not ring is told what he would be told if he might.
extension Engine {
    /// Nobody is there: the caller waits, and a device that comes in time rings.
    mutating func awaitDevice(for id: ConversationID) {
        deadlines.set(.ring(id), at: now + configuration.wakeWait)
        // For the caller it has begun, though nobody is there yet.
        if let caller = caller(of: id) { changed(caller) }
        wake(id, until: now + configuration.wakeWait)
    }

    /// All who are to ring have lost their connections: they are woken, too, where that is wanted at all.
    ///
    /// - Parameters:
    ///   - devices: those that could ring, quiet ones included.
    ///   - id: the conversation, which rings on them or is seen to.
    mutating func wakeLost(_ devices: [SessionID], for id: ConversationID) {
        guard configuration.wakeWait != .zero, case .ringing(_, let ringing) = phase(of: id) else { return }
        let isFiltered = conversations[id]?.callee?.filter != nil
        let wanted = isFiltered ? devices : ringing.compactMap { session(of: $0) }
        guard !wanted.isEmpty, wanted.allSatisfy({ deadlines.isSet(.grace($0)) }) else { return }
        wake(id, until: now + configuration.ringTimeout)
    }

    /// Has the driver wake the account, once a call; not for who may not ring.
    private mutating func wake(_ id: ConversationID, until expiry: Instant) {
        guard case .ringing(let uuid, _) = phase(of: id), let callee = conversations[id]?.callee else { return }
        let until = now + configuration.wakeWait
        conversations[id]?.callee?.wakeUntil = until
        guard callee.filter == nil else { return }
        let wakeUp = WakeUp(
            account: callee.account,
            callUUID: uuid,
            caller: callee.callerHandle,
            callerName: callee.shownName,
            quietDevices: callee.quietDevices,
            expiresAt: expiry
        )
        effects.append(.wake(wakeUp))
    }

    /// Whether somebody was woken for a call.
    func isWoken(_ id: ConversationID) -> Bool {
        guard let callee = conversations[id]?.callee else { return false }
        return callee.wakeUntil != nil && callee.filter == nil
    }

    /// The call rings no more: what was sent to wake somebody has lost its purpose.
    mutating func endWakeUp(of account: AccountID, _ uuid: CallUUID, isMissed: Bool) {
        guard let name = accounts[account]?.name else { return }
        effects.append(.wakeOver(account: name, uuid, isMissed: isMissed))
    }

    // MARK: Devices that come and go

    /// A device has come while its account is called: it rings, or the caller hears it ring all the same.
    mutating func join(_ device: SessionID, _ id: ConversationID) {
        guard let caller = caller(of: id), session(of: caller) != device, canRing(device) else { return }
        let wasAwaited = !isRingingForTheCaller(id)
        // Who comes in time rings his full time.
        if wasAwaited { deadlines.set(.ring(id), at: now + configuration.ringTimeout) }
        ring(device, for: id, isLate: true)
        if wasAwaited, !isRingingForTheCaller(id) { seemToRing(id) }
    }

    /// Has the caller hear it ring although it does not.
    mutating func seemToRing(_ id: ConversationID) {
        conversations[id]?.callee?.isSeenToRing = true
        if let caller = caller(of: id) { changed(caller) }
    }

    func isRingingForTheCaller(_ id: ConversationID) -> Bool { conversations[id]?.isRingingForTheCaller == true }

    private func isSeenToRing(_ id: ConversationID) -> Bool { conversations[id]?.callee?.isSeenToRing == true }

    /// Whether a call goes on when the last device that rang is lost: one that was woken may still come.
    func waitsOn(_ id: ConversationID, after end: CallEnd) -> Bool {
        guard end.cause == .connectionLost, let until = conversations[id]?.callee?.wakeUntil else { return false }
        return until > now
    }

    /// The caller, who heard it ring, waits for a device again.
    mutating func awaitAgain(_ id: ConversationID) {
        guard let until = conversations[id]?.callee?.wakeUntil, let caller = caller(of: id) else { return }
        conversations[id]?.callee?.isSeenToRing = false
        deadlines.set(.ring(id), at: until)
        changed(caller)
    }

    /// A device of an account takes no calls any more: where it was the last one, whoever heard it ring, though it did not, hears
    /// what he would have heard.
    mutating func stopSeemingToRing(on account: AccountID, _ end: CallEnd) {
        for id in accounts[account]?.ringing ?? [] where isSeenToRing(id) {
            guard let caller = caller(of: id), devices(of: account, besides: session(of: caller)).all.isEmpty else {
                continue
            }
            if waitsOn(id, after: end) {
                awaitAgain(id)
            } else {
                finish(caller, with: .failed(.offline, at: now))
            }
        }
    }
}
