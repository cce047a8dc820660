/// Calls whose audio a client carries itself: reported by it, arbitrated like all others.
///
/// Rows CK-08 to CK-14, CK-29 and CK-68.
extension Engine {
    /// Handles `provider.reportNewIncomingCall`: refuses at once what it can; otherwise has the caller looked up.
    mutating func reportNewIncomingCall(_ report: ScreeningToken) {
        if let refusal = refusal(of: report) { return reply(report.request, .refused(refusal)) }
        guard let account = sessions[report.session]?.opening.account else { return }
        effects.append(.screen(report, account: account, caller: report.caller))
    }

    /// Continues a report with the driver's data about the caller (callkit-semantics.md 2.4).
    mutating func screened(_ report: ScreeningToken, _ screeningData: CallerScreeningData) {
        // Since the query, the device may have got another call, or its session may have ended.
        if let refusal = refusal(of: report) { return reply(report.request, .refused(refusal)) }
        guard let account = sessions[report.session]?.opening.account else { return }
        switch filter(report, screeningData) {
        case .blocked:
            let message = "the account's user has blocked this caller; drop the call"
            reply(report.request, .refused(Refusal(.incomingCall(.filteredByBlockList), message)))
        case .silenced:
            let message = "the user does not want to be disturbed, on this device at least; drop the call"
            reply(report.request, .refused(Refusal(.incomingCall(.filteredByDoNotDisturb), message)))
            addSilencedRecent(report, names: screeningData.names, account: account)
        case nil:
            reply(report.request, .done)
            ringExternally(report, names: screeningData.names, account: account)
        }
    }

    /// Returns the reason for which the caller may not ring on the reporting device, the only one that can ring.
    private func filter(_ report: ScreeningToken, _ screeningData: CallerScreeningData) -> Conversation.Filter? {
        if let filter = Conversation.Filter(screeningData) { return filter }
        guard let deviceID = sessions[report.session]?.opening.deviceID else { return nil }
        let isQuiet = screeningData.quietDevices.contains(deviceID) && !screeningData.breaksThroughDoNotDisturb
        return isQuiet ? .silenced : nil
    }

    private func refusal(of report: ScreeningToken) -> Refusal? {
        guard let session = sessions[report.session] else { return .sessionGone }
        guard session.opening.mayCall else {
            return Refusal(
                .incomingCall(.unentitled),
                "this session may not take calls; open one with permission to call"
            )
        }
        guard report.update.remoteHandle?.value.isEmpty != true else {
            let message = "update.remoteHandle has no value; leave it out if nobody knows it"
            return Refusal(.general(.invalidArgument), message)
        }
        guard !isDraining else {
            return Refusal(.draining, "the hub is about to stop and takes no new calls")
        }
        guard session.provider != nil else {
            let message = "the provider was invalidated; provider.configure makes a new one"
            return Refusal(.incomingCall(.unknown), message)
        }
        guard !isAlive(report.callUUID, inAccountOf: report.session), !isTombstone(report) else {
            let message = "a call with this callUUID is live or has just ended; drop the report"
            return Refusal(.incomingCall(.callUUIDAlreadyExists), message)
        }
        guard canRing(report.session) else {
            return Refusal(
                .incomingCall(.unknown),
                "the device is busy: it has a call waiting beyond its limit, or as many calls as the hub allows"
            )
        }
        return nil
    }

    private mutating func ringExternally(
        _ report: ScreeningToken,
        names: KnownNames,
        account: String
    ) {
        let handle = report.caller
        var call = Call(
            uuid: report.callUUID,
            session: report.session,
            conversation: conversations.nextKey,
            isOutgoing: false,
            state: .ringing,
            remoteHandle: handle,
            overridingName: report.update.overridingName,
            names: names,
            hasVideo: report.update.hasVideo == true && supportsVideo(report.session)
        )
        call.isUnknown = report.update.remoteHandle == nil
        call.startedAt = now
        call.capabilities.apply(report.update)
        let ringing = calls.insert(call)
        var conversation = Conversation(
            caller: nil,
            handle: handle,
            isExternal: true,
            phase: .ringing(report.callUUID, devices: [ringing])
        )
        conversation.callee = Conversation.Callee(
            account: account,
            callerHandle: handle,
            callerName: report.update.overridingName,
            callerGuestName: nil,
            names: names
        )
        deadlines.set(.ring(conversations.insert(conversation)), at: now + configuration.ringTimeout)
        sessions[report.session]?.calls.append(ringing)
        notifyChange(ringing)
    }

    /// Handles `provider.reportOutgoingCall`, for a call that leaves the hub through this client (rows CK-27, CK-29).
    ///
    /// A report before the fulfilment of the start action is kept until then: many clients report first.
    mutating func reportOutgoingCall(
        _ uuid: CallUUID,
        _ event: OutgoingCallEvent,
        date: Instant,
        from session: SessionID,
        token: RequestToken
    ) {
        guard let id = call(uuid, of: session), let call = calls[id] else { return refuseUnknown(uuid, token) }
        guard call.isOutgoing, let conversation = conversations[call.conversation], conversation.isExternal else {
            return refuse(token, .notAllowed, "the hub itself reports the progress of calls between its clients")
        }
        reply(token, .done)
        if case .starting(var progress) = conversation.phase {
            progress.add(event, at: date)
            conversations[call.conversation]?.phase = .starting(progress)
        } else {
            advance(id, event, at: date)
        }
    }

    /// Returns the progress that was reported before the start action is fulfilled; nil: it is fulfilled.
    func earlyProgress(of conversation: ConversationID) -> Conversation.OutgoingProgress? {
        guard case .starting(let progress) = phase(of: conversation) else { return nil }
        return progress
    }

    /// Applies the progress that was reported before the start action was fulfilled.
    mutating func apply(_ progress: Conversation.OutgoingProgress, to call: CallID) {
        if let date = progress.startedConnectingAt { advance(call, .startedConnecting, at: date) }
        if let date = progress.connectedAt { advance(call, .connected, at: date) }
    }

    /// Advances an outgoing external call; a second report of an event changes nothing.
    private mutating func advance(_ id: CallID, _ event: OutgoingCallEvent, at date: Instant) {
        guard let call = calls[id], case .inviting = phase(of: call.conversation) else { return }
        if call.startedConnectingAt == nil { calls[id]?.startedConnectingAt = max(date, call.startedAt ?? date) }
        switch event {
        case .startedConnecting:
            if call.startedConnectingAt == nil { notifyChange(id) }
        case .connected:
            conversations[call.conversation]?.phase = .connected(.external)
            holdOrEndActiveCalls(for: id)
            becomeConnected([id], at: max(date, call.startedAt ?? date))
        }
    }

    // MARK: Tombstones

    /// Notes that an external call has ended: a late report of it must not ring again (pitfall P32).
    mutating func addTombstone(_ call: CallUUID, of account: AccountID) {
        var tombstones = accounts[account]?.tombstones ?? []
        tombstones.removeAll { $0.until <= now }
        if tombstones.count >= Self.maximumTombstones { tombstones.removeFirst() }
        tombstones.append((call, until: now + configuration.ringTimeout))
        accounts[account]?.tombstones = tombstones
    }

    private func isTombstone(_ report: ScreeningToken) -> Bool {
        guard let account = account(of: report.session) else { return false }
        return accounts[account]?.tombstones.contains { $0.call == report.callUUID && $0.until > now } == true
    }

    /// More: late reports of more calls are recognised; more memory for each account.
    private static let maximumTombstones = 16
}

extension ScreeningToken {
    /// The caller's handle; a placeholder if the report has none.
    var caller: Handle { update.remoteHandle ?? .anonymous }
}
