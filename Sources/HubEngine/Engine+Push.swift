/// Calls that ring on no device: none is online and a push is sent, or all must stay silent (row CK-80, decision D13).
///
/// A blocked caller receives the same notifications as a permitted one.
extension Engine {
    /// Lets a call wait for a device and sends a push: a device that signs in in time rings.
    mutating func awaitDevice(for id: ConversationID) {
        deadlines.set(.ring(id), at: now + configuration.pushWait)
        // The caller's call has begun, although no device is online yet; a transferred one has begun before.
        if let caller = caller(of: id), state(of: caller) == .connecting { notifyChange(caller) }
        sendPush(id, until: now + configuration.pushWait)
    }

    /// Sends a push if all devices that are to ring have lost their connections, and if the hub sends pushes at all.
    ///
    /// - Parameters:
    ///   - devices: The devices that could ring, silent ones included.
    ///   - id: The conversation, which rings on them or is reported to the caller as ringing.
    mutating func pushDisconnectedDevices(_ devices: [SessionID], for id: ConversationID) {
        guard configuration.pushWait != .zero, case .ringing(_, let ringing) = phase(of: id) else { return }
        let isFiltered = conversations[id]?.callee?.filter != nil
        let wanted = isFiltered ? devices : ringing.compactMap { session(of: $0) }
        guard !wanted.isEmpty, wanted.allSatisfy({ deadlines.isSet(.grace($0)) }) else { return }
        sendPush(id, until: now + configuration.ringTimeout)
    }

    /// Has the driver send a push to the account, once for a call; none if the caller may not ring.
    private mutating func sendPush(_ id: ConversationID, until expiry: Instant) {
        guard case .ringing(let uuid, _) = phase(of: id), let callee = conversations[id]?.callee else { return }
        let until = now + configuration.pushWait
        conversations[id]?.callee?.pushWaitDeadline = until
        guard callee.filter == nil else { return }
        let pushRequest = PushRequest(
            account: callee.account,
            callUUID: uuid,
            caller: callee.callerHandle,
            callerName: callee.shownName,
            quietDevices: callee.quietDevices,
            expiresAt: expiry
        )
        effects.append(.sendPush(pushRequest))
    }

    /// Indicates that a push was sent for a call.
    func wasPushSent(_ id: ConversationID) -> Bool {
        guard let callee = conversations[id]?.callee else { return false }
        return callee.pushWaitDeadline != nil && callee.filter == nil
    }

    /// Cancels the push for a call that has stopped ringing.
    mutating func sendPushCancellation(of account: AccountID, _ uuid: CallUUID, isMissed: Bool) {
        guard let name = accounts[account]?.name else { return }
        effects.append(.cancelPush(account: name, uuid, isMissed: isMissed))
    }

    // MARK: Sign-ins and lost connections

    /// Handles a sign-in while the account is called: the device rings, or the caller is sent ringing without it.
    mutating func ringAfterSignIn(_ device: SessionID, _ id: ConversationID) {
        guard let caller = caller(of: id), session(of: caller) != device, canRing(device) else { return }
        let wasAwaited = !callerSeesRinging(id)
        // A device that signs in in time rings for the full time.
        if wasAwaited { deadlines.set(.ring(id), at: now + configuration.ringTimeout) }
        ring(device, for: id, isLate: true)
        if wasAwaited, !callerSeesRinging(id) { startDecoyRinging(id) }
    }

    /// Sends the caller ringing although no device rings.
    mutating func startDecoyRinging(_ id: ConversationID) {
        conversations[id]?.callee?.isDecoyRinging = true
        if let caller = caller(of: id) { notifyChange(caller) }
    }

    func callerSeesRinging(_ id: ConversationID) -> Bool { conversations[id]?.callerSeesRinging == true }

    private func isDecoyRinging(_ id: ConversationID) -> Bool { conversations[id]?.callee?.isDecoyRinging == true }

    /// Indicates that a call goes on after the last ringing device was lost: a device may still sign in after the push.
    func keepsWaiting(_ id: ConversationID, after end: CallEnd) -> Bool {
        guard end.cause == .connectionLost, let until = conversations[id]?.callee?.pushWaitDeadline else {
            return false
        }
        return until > now
    }

    /// Lets a call whose caller was sent ringing wait for a device again.
    mutating func awaitDeviceAgain(_ id: ConversationID) {
        guard let until = conversations[id]?.callee?.pushWaitDeadline, let caller = caller(of: id) else { return }
        conversations[id]?.callee?.isDecoyRinging = false
        deadlines.set(.ring(id), at: until)
        notifyChange(caller)
    }

    /// Ends the calls of an account with decoy ringing, when the last device that accepts calls has signed out.
    ///
    /// Their callers are notified as if the calls had rung on that device.
    mutating func endDecoyRinging(on account: AccountID, _ end: CallEnd) {
        for id in accounts[account]?.ringing ?? [] where isDecoyRinging(id) {
            guard let caller = caller(of: id), devices(of: account, excluding: session(of: caller)).all.isEmpty else {
                continue
            }
            if keepsWaiting(id, after: end) {
                awaitDeviceAgain(id)
            } else {
                endSetUp(of: id, with: .failed(.offline, at: now))
            }
        }
    }
}
