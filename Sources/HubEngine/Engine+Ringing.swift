/// Call set-up: placing, inviting, ringing on every device, the first answer (callkit-semantics.md 2.9 and 2.10).
extension Engine {
    /// Makes the caller's leg, which is `starting` until its start action is fulfilled.
    mutating func placeCall(_ uuid: CallUUID, _ kind: ActionKind, from session: SessionID) {
        guard case .start(let handle, let isVideo, _, let isExternal) = kind else { return }
        let call = calls.insert(
            Call(
                uuid: uuid,
                session: session,
                conversation: conversations.nextKey,
                isOutgoing: true,
                state: .starting,
                remoteHandle: handle,
                hasVideo: isVideo
            )
        )
        _ = conversations.insert(
            Conversation(caller: call, handle: handle, isExternal: isExternal, phase: .starting())
        )
        sessions[session]?.calls.append(call)
        notifyChange(call)
    }

    /// Activates the audio session and has the callee looked up, when the start action is fulfilled (row CK-27).
    ///
    /// An external call is left to its client; what that has reported already takes effect.
    mutating func beginCallSetup(_ call: CallID, at date: Instant) {
        guard state(of: call) == .starting, let session = session(of: call), let id = conversation(of: call)
        else { return }
        let progress = earlyProgress(of: id)
        holdOrEndActiveCalls(for: call)
        calls[call]?.state = .connecting
        calls[call]?.startedAt = date
        conversations[id]?.phase = .inviting
        notifyChange(call)
        reconcileAudio(of: session)
        if let progress { apply(progress, to: call) }
        guard !isExternal(id), let lookUp = lookUp(for: id, by: session) else { return }
        effects.append(.lookUp(LookUpToken(conversation: id), lookUp))
    }

    private func lookUp(for conversation: ConversationID, by caller: SessionID) -> LookUp? {
        guard let handle = conversations[conversation]?.handle, let account = accountName(of: caller) else {
            return nil
        }
        return LookUp(handle: handle, caller: account, callerHandle: shownHandle(of: caller))
    }

    /// Returns the handle that a device's callees are shown.
    func shownHandle(of session: SessionID?) -> Handle {
        guard let session else { return .generic("") }
        return sessions[session]?.opening.handles.first ?? .generic("")
    }

    /// Continues a call with the owner of its handle.
    mutating func invite(_ result: LookUpResult, to id: ConversationID) {
        guard case .inviting = phase(of: id), !isExternal(id), let caller = caller(of: id) else { return }
        setNames(result.calleeNames, of: caller)
        switch result.target {
        case .unknown:
            endSetUp(of: id, with: .failed(.unknownHandle, at: now))
        case .builtIn(let party):
            let source = BuiltInSource(party: party, ssrc: identifiers.ssrc())
            conversations[id]?.phase = .connected(.builtIn(source))
            connectCaller(of: id, at: now)
        case .account(let account, let screeningData):
            guard mayReach(account, from: caller) else {
                return endSetUp(of: id, with: .failed(.unknownHandle, at: now))
            }
            // The account has begun to refuse strangers since the transfer was accepted.
            let isOwn = conversations[id]?.transfer?.account == account
            guard !isTransferred(id) || isOwn || !screeningData.refusesTransfers else {
                return endSetUp(of: id, with: CallEnd(reason: .remoteEnded, cause: .declined, date: now))
            }
            let handle = shownHandle(of: session(of: caller))
            var callee = Conversation.Callee(account: account, callerHandle: handle, result, screeningData)
            // A call that comes back was the transferor's already.
            if hasReturned(id) { callee.liftDoNotDisturb() }
            conversations[id]?.callee = callee
            inviteDevices(of: callee, to: id, caller: caller)
        }
    }

    /// Rings the callee's devices, or ends the call if none is online or free.
    ///
    /// Both are checked before the permission to ring: callers cannot find out that they are blocked (decision D13).
    private mutating func inviteDevices(of callee: Conversation.Callee, to id: ConversationID, caller: CallID) {
        let known = account(named: callee.account)
        let (devices, free) = devices(of: known, excluding: session(of: caller))
        if devices.isEmpty, configuration.pushWait == .zero {
            return endSetUp(of: id, with: .failed(.offline, at: now))
        }
        if free.isEmpty, !devices.isEmpty {
            return endSetUp(of: id, with: CallEnd(reason: .remoteEnded, cause: .busy, date: now))
        }
        conversations[id]?.phase = .ringing(identifiers.identifier(), devices: [])
        if state(of: caller) == .connecting { calls[caller]?.startedConnectingAt = now }
        let account = known ?? makeAccount(named: callee.account)
        accounts[account]?.ringing.append(id)
        conversations[id]?.callee?.calledAccount = account
        guard !devices.isEmpty else { return awaitDevice(for: id) }
        deadlines.set(.ring(id), at: now + configuration.ringTimeout)
        for device in free { ring(device, for: id) }
        if !callerSeesRinging(id) { startDecoyRinging(id) }
        pushDisconnectedDevices(free, for: id)
    }

    /// Returns the devices of an account that take calls, and those of them with capacity for one more.
    func devices(of account: AccountID?, excluding caller: SessionID?) -> (all: [SessionID], free: [SessionID]) {
        var all: [SessionID] = []
        var free: [SessionID] = []
        for device in sessions(of: account) where device != caller && acceptsCalls(device) {
            all.append(device)
            if canRing(device) { free.append(device) }
        }
        return (all, free)
    }

    /// Indicates that a device has the capacity for a ringing call.
    ///
    /// One call may wait beyond the provider's limit, none beyond the hub's (decision D2).
    func canRing(_ device: SessionID) -> Bool {
        guard acceptsCalls(device), hasCallCapacity(device),
            let limit = sessions[device]?.providerLimits.maximumCallGroups
        else { return false }
        return groupCount(of: device) <= limit
    }

    /// Rings one more device for a conversation that rings or waits for a device, unless the device must stay silent.
    ///
    /// - Parameters:
    ///   - device: The device to ring.
    ///   - id: The conversation.
    ///   - isLate: True if the device was disconnected when the call began to ring.
    mutating func ring(_ device: SessionID, for id: ConversationID, isLate: Bool = false) {
        guard case .ringing(let uuid, var devices) = phase(of: id), let callee = callee(of: id),
            let caller = caller(of: id), session(of: caller) != device, canRing(device), mayRing(device, for: callee),
            mayReach(device, from: caller)
        else { return }
        var call = Call(
            uuid: uuid,
            session: device,
            conversation: id,
            isOutgoing: false,
            state: .ringing,
            remoteHandle: callee.callerHandle,
            overridingName: callee.callerName,
            guestName: callee.callerGuestName,
            names: callee.names,
            invitation: callee.callerInvitation,
            invitationName: callee.callerInvitationName,
            hasVideo: hasVideo(caller) && supportsVideo(device)
        )
        call.startedAt = now
        addTransfer(of: id, to: &call)
        // A disconnected device receives the call when it has reconnected.
        let isAway = isLate || deadlines.isSet(.grace(device))
        call.mustReport = isAway && calls(of: device).isEmpty
        let isFirst = !callerSeesRinging(id)
        let ringing = calls.insert(call)
        devices.append(ringing)
        conversations[id]?.phase = .ringing(uuid, devices: devices)
        conversations[id]?.callee?.isDecoyRinging = false
        sessions[device]?.calls.append(ringing)
        notifyChange(ringing)
        if isFirst { notifyChange(caller) }
    }

    private func callee(of conversation: ConversationID) -> Conversation.Callee? { conversations[conversation]?.callee }

    private func mayRing(_ device: SessionID, for callee: Conversation.Callee) -> Bool {
        guard callee.filter == nil else { return false }
        guard !callee.quietDevices.isEmpty, let deviceID = sessions[device]?.opening.deviceID else { return true }
        return callee.mayRing(on: deviceID)
    }

    func hasVideo(_ call: CallID) -> Bool { calls[call]?.hasVideo == true }

    /// Gives the call to the first device that performs its answer: it ends on the others, and the ring timer stops.
    ///
    /// See pitfall P36.
    mutating func claimAnswer(_ call: CallID, isFulfilled: Bool) {
        guard state(of: call) == .ringing, let id = conversation(of: call),
            case .ringing(_, let devices) = phase(of: id)
        else { return }
        leaveRinging(id, isMissed: false)
        conversations[id]?.phase = .answering(call)
        calls[call]?.state = .answering
        if !isFulfilled {
            notifyChange(call)
            // The caller's call is no longer ringing; a transferred one is sent ringing until it is connected.
            if let caller = caller(of: id), state(of: caller) == .connecting { notifyChange(caller) }
        }
        for other in devices where other != call {
            endLeg(other, CallEnd(reason: .answeredElsewhere, cause: nil, date: now))
        }
    }

    /// Connects the call when its answer is fulfilled.
    mutating func connect(_ call: CallID, at date: Instant) {
        guard state(of: call) == .answering, let id = conversation(of: call) else { return }
        conversations[id]?.phase = .connected(.call(call))
        if let caller = caller(of: id) { noteParticipantsChange(around: caller) }
        holdOrEndActiveCalls(for: call)
        // A call must not be connected before it rang.
        let date = max(date, startedAt(call) ?? date)
        guard let caller = caller(of: id) else { return becomeConnected([call], at: date) }
        // Video needs both ends (row CK-81).
        let hasVideo = hasVideo(caller) && hasVideo(call)
        calls[caller]?.hasVideo = hasVideo
        calls[call]?.hasVideo = hasVideo
        becomeConnected([call, caller], at: date)
    }

    /// Connects a caller with a built-in party; a transferred call is connected already.
    private mutating func connectCaller(of id: ConversationID, at date: Instant) {
        guard let caller = caller(of: id), let session = session(of: caller) else { return }
        guard state(of: caller)?.isConnected == true else { return becomeConnected([caller], at: date) }
        conversations[id]?.transfer?.connectedAt = date
        noteParticipantsChange(around: caller)
        reconcileAudio(of: session)
    }

    /// Sets the names by which the caller knows the other party; a transferred call shows them at once.
    private mutating func setNames(_ names: KnownNames, of caller: CallID) {
        guard calls[caller]?.names != names else { return }
        calls[caller]?.names = names
        if state(of: caller)?.isConnected == true { notifyChange(caller) }
    }

    private func startedAt(_ call: CallID) -> Instant? { calls[call]?.startedAt }

    /// Connects some legs of a conversation; both are notified of that before any change of audio.
    mutating func becomeConnected(_ legs: [CallID], at date: Instant) {
        for leg in legs {
            guard let device = deviceID(ofOwnerOf: leg), let id = conversation(of: leg) else { continue }
            // A transferred call is connected, and perhaps held, already.
            guard state(of: leg)?.isConnected == false else {
                conversations[id]?.transfer?.connectedAt = date
                continue
            }
            calls[leg]?.state = .connected(since: date, isOnHold: false)
            if caller(of: id) == leg {
                conversations[id]?.callerDevices.append(device)
            } else {
                conversations[id]?.calleeDevices.append(device)
            }
        }
        for leg in legs { notifyChange(leg) }
        for (place, leg) in legs.enumerated() {
            guard let session = session(of: leg) else { continue }
            // The first leg's far end is the second: if its audio session fits, its route has been updated by now.
            if place == 0 || !isAudioSessionCurrent(session) { reconcileAudio(of: session) }
        }
    }

    /// Ends a call that was not answered in time (row CK-22): each device is notified of an end action of the system.
    mutating func stopRinging(_ id: ConversationID) {
        guard let conversation = conversations[id], case .ringing(_, let devices) = conversation.phase else { return }
        for device in devices {
            guard let call = calls[device] else { continue }
            effects.append(.notify(call.session, performed(.end, on: call.uuid)))
        }
        guard let first = conversation.caller ?? devices.first else { return }
        let isAwaited = devices.isEmpty && conversation.callee?.isDecoyRinging != true
        let end = CallEnd(reason: .unanswered, cause: .timeout, date: now)
        let final = isAwaited ? CallEnd.failed(.offline, at: now) : end
        if conversation.caller == nil { finish(first, with: final) } else { endSetUp(of: id, with: final) }
    }

    /// Stops the ring timer, removes the conversation from its account's list, and cancels its push.
    mutating func leaveRinging(_ id: ConversationID, isMissed: Bool) {
        deadlines.cancel(.ring(id))
        guard case .ringing(let uuid, _) = phase(of: id), let account = conversations[id]?.callee?.calledAccount else {
            return
        }
        if wasPushSent(id) { sendPushCancellation(of: account, uuid, isMissed: isMissed) }
        accounts[account]?.ringing.removeAll { $0 == id }
        removeAccountIfUnused(account)
    }
}
