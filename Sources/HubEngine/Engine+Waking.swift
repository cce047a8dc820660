/// Calls that ring on no device: none is online and a push is sent, or all must stay silent (row CK-80, decision D13).
///
/// A blocked caller receives the same notifications as a permitted one.
extension Engine {
    /// Lets a call wait for a device and sends a push: a device that signs in in time rings.
    mutating func awaitDevice(for id: ConversationID) {
        deadlines.set(.ring(id), at: now + configuration.wakeWait)
        // The caller's call has begun, although no device is online yet.
        if let caller = caller(of: id) { changed(caller) }
        wake(id, until: now + configuration.wakeWait)
    }

    /// Sends a push if all devices that are to ring have lost their connections, and if the hub sends pushes at all.
    ///
    /// - Parameters:
    ///   - devices: The devices that could ring, silent ones included.
    ///   - id: The conversation, which rings on them or is reported to the caller as ringing.
    mutating func wakeLost(_ devices: [SessionID], for id: ConversationID) {
        guard configuration.wakeWait != .zero, case .ringing(_, let ringing) = phase(of: id) else { return }
        let isFiltered = conversations[id]?.callee?.filter != nil
        let wanted = isFiltered ? devices : ringing.compactMap { session(of: $0) }
        guard !wanted.isEmpty, wanted.allSatisfy({ deadlines.isSet(.grace($0)) }) else { return }
        wake(id, until: now + configuration.ringTimeout)
    }

    /// Has the driver send a push to the account, once for a call; none if the caller may not ring.
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

    /// Indicates that a push was sent for a call.
    func isWoken(_ id: ConversationID) -> Bool {
        guard let callee = conversations[id]?.callee else { return false }
        return callee.wakeUntil != nil && callee.filter == nil
    }

    /// Cancels the push for a call that has stopped ringing.
    mutating func endWakeUp(of account: AccountID, _ uuid: CallUUID, isMissed: Bool) {
        guard let name = accounts[account]?.name else { return }
        effects.append(.wakeOver(account: name, uuid, isMissed: isMissed))
    }

    // MARK: Devices that come and go

    /// Handles a sign-in while the account is called: the device rings, or the caller is sent ringing without it.
    mutating func join(_ device: SessionID, _ id: ConversationID) {
        guard let caller = caller(of: id), session(of: caller) != device, canRing(device) else { return }
        let wasAwaited = !isRingingForTheCaller(id)
        // A device that comes in time rings for the full time.
        if wasAwaited { deadlines.set(.ring(id), at: now + configuration.ringTimeout) }
        ring(device, for: id, isLate: true)
        if wasAwaited, !isRingingForTheCaller(id) { seemToRing(id) }
    }

    /// Sends the caller ringing although no device rings.
    mutating func seemToRing(_ id: ConversationID) {
        conversations[id]?.callee?.isSeenToRing = true
        if let caller = caller(of: id) { changed(caller) }
    }

    func isRingingForTheCaller(_ id: ConversationID) -> Bool { conversations[id]?.isRingingForTheCaller == true }

    private func isSeenToRing(_ id: ConversationID) -> Bool { conversations[id]?.callee?.isSeenToRing == true }

    /// Indicates that a call goes on after the last ringing device was lost: a device may still come after the push.
    func waitsOn(_ id: ConversationID, after end: CallEnd) -> Bool {
        guard end.cause == .connectionLost, let until = conversations[id]?.callee?.wakeUntil else { return false }
        return until > now
    }

    /// Lets a call whose caller was sent ringing wait for a device again.
    mutating func awaitAgain(_ id: ConversationID) {
        guard let until = conversations[id]?.callee?.wakeUntil, let caller = caller(of: id) else { return }
        conversations[id]?.callee?.isSeenToRing = false
        deadlines.set(.ring(id), at: until)
        changed(caller)
    }

    /// Ends the calls of an account that seem to ring, when the last device that takes calls is gone.
    ///
    /// Their callers are notified as if the calls had rung on that device.
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
