/// Who is reached: placing, inviting, ringing on every device, the first answer (callkit.md 2.9 and 2.10).
extension Engine {
    /// Makes the caller's leg: `starting`, until its start action is fulfilled.
    mutating func place(_ uuid: CallUUID, to handle: Handle, isVideo: Bool, from session: SessionID) {
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
        _ = conversations.insert(Conversation(caller: call, handle: handle, phase: .starting))
        sessions[session]?.calls.append(call)
        changed(call)
    }

    /// The start action is fulfilled: the audio session goes on, and the callee is looked up (row CK-27).
    mutating func sendInvitation(_ call: CallID, at date: Instant) {
        guard let starting = calls[call], starting.state == .starting,
            let handle = conversations[starting.conversation]?.handle
        else { return }
        makeWay(for: call)
        calls[call]?.state = .connecting
        calls[call]?.startedAt = date
        conversations[starting.conversation]?.phase = .inviting
        changed(call)
        reconcileAudio(of: call)
        let caller = sessions[starting.session]?.opening
        let lookUp = LookUp(
            handle: handle,
            caller: caller?.account ?? "",
            callerHandle: caller?.handles.first ?? .generic("")
        )
        effects.append(.lookUp(LookUpToken(conversation: starting.conversation), lookUp))
    }

    /// The driver knows who has the handle.
    mutating func invite(_ result: LookUpResult, to conversation: ConversationID) {
        guard let inviting = conversations[conversation], case .inviting = inviting.phase else { return }
        switch result.target {
        case .unknown:
            finish(inviting.caller, with: .failed(.unknownHandle, at: now))
        case .builtIn(let party):
            let source = BuiltInSource(party: party, ssrc: identifiers.ssrc())
            conversations[conversation]?.phase = .connected(.builtIn(source))
            becomeConnected([inviting.caller], at: now)
        case .account(let name, _):
            inviteDevices(of: name, to: conversation, caller: inviting.caller)
        }
    }

    private mutating func inviteDevices(of account: String, to conversation: ConversationID, caller: CallID) {
        let callerSession = calls[caller]?.session
        let devices = (accounts[account]?.sessions ?? []).filter { device in
            device != callerSession && sessions[device]?.provider != nil
        }
        guard !devices.isEmpty else { return finish(caller, with: .failed(.offline, at: now)) }
        let free = devices.filter(canRing)
        guard !free.isEmpty else {
            return finish(caller, with: CallEnd(reason: .remoteEnded, cause: .busy, date: now))
        }
        conversations[conversation]?.phase = .ringing(account: account, identifiers.identifier(), devices: [])
        accounts[account]?.ringing.append(conversation)
        deadlines.set(.ring(conversation), at: now + configuration.ringTimeout)
        for device in free { ring(device, for: conversation) }
    }

    /// Decision D2: one call may wait beyond the limit.
    private func canRing(_ device: SessionID) -> Bool {
        guard let session = sessions[device], let provider = session.provider else { return false }
        return session.calls.count <= provider.maximumCallGroups
    }

    /// Has one more device ring for a conversation that rings already.
    mutating func ring(_ device: SessionID, for conversation: ConversationID) {
        guard let ringing = conversations[conversation],
            case .ringing(let account, let uuid, var devices) = ringing.phase,
            let caller = calls[ringing.caller], caller.session != device,
            let session = sessions[device], let provider = session.provider, canRing(device)
        else { return }
        let callerHandle = sessions[caller.session]?.opening.handles.first ?? .generic("")
        let call = calls.insert(
            Call(
                uuid: uuid,
                session: device,
                conversation: conversation,
                isOutgoing: false,
                state: .ringing,
                remoteHandle: callerHandle,
                hasVideo: caller.hasVideo && provider.supportsVideo,
                startedAt: now
            )
        )
        let isFirst = devices.isEmpty
        devices.append(call)
        conversations[conversation]?.phase = .ringing(account: account, uuid, devices: devices)
        sessions[device]?.calls.append(call)
        changed(call)
        if isFirst { changed(ringing.caller) }
    }

    /// The first device to perform its answer has the call; the others are told so, and the ring timer stops (pitfall P36).
    mutating func claimAnswer(_ call: CallID, isFulfilled: Bool) {
        guard let answering = calls[call], answering.state == .ringing,
            case .ringing(_, _, let devices) = conversations[answering.conversation]?.phase
        else { return }
        leaveRinging(answering.conversation)
        conversations[answering.conversation]?.phase = .answering(call)
        calls[call]?.state = .answering
        if !isFulfilled { changed(call) }
        for other in devices where other != call {
            endLeg(other, CallEnd(reason: .answeredElsewhere, cause: nil, date: now))
        }
    }

    /// The answer is fulfilled: both can speak.
    mutating func connect(_ call: CallID, at date: Instant) {
        guard let answering = calls[call], answering.state == .answering,
            let caller = conversations[answering.conversation]?.caller
        else { return }
        conversations[answering.conversation]?.phase = .connected(.call(call))
        makeWay(for: call)
        becomeConnected([call, caller], at: max(date, answering.startedAt ?? date))
    }

    /// Both know that they are connected before either hears of any audio.
    private mutating func becomeConnected(_ legs: [CallID], at date: Instant) {
        for leg in legs { calls[leg]?.state = .connected(since: date, isOnHold: false) }
        for leg in legs { changed(leg) }
        for leg in legs { reconcileAudio(of: leg) }
    }

    /// Nobody answered in time (row CK-22): every device is told that the system ends the call.
    mutating func stopRinging(_ conversation: ConversationID) {
        guard let ringing = conversations[conversation], case .ringing(_, _, let devices) = ringing.phase else {
            return
        }
        for device in devices {
            guard let call = calls[device] else { continue }
            let action = Action(uuid: identifiers.identifier(), callUUID: call.uuid, kind: .end)
            let perform = Notification.perform(
                identifiers.identifier(),
                action,
                deadline: now,
                origin: .system,
                fulfilled: true
            )
            effects.append(.notify(call.session, perform))
        }
        finish(ringing.caller, with: CallEnd(reason: .unanswered, cause: .timeout, date: now))
    }

    /// Stops the ring timer and takes the conversation off its account's list.
    mutating func leaveRinging(_ conversation: ConversationID) {
        deadlines.cancel(.ring(conversation))
        guard case .ringing(let account, _, _) = conversations[conversation]?.phase else { return }
        accounts[account]?.ringing.removeAll { $0 == conversation }
        forgetAccountIfUnused(account)
    }
}
