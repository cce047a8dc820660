/// What is remembered of a call: one entry for each account, and one for who calls himself, when it is over (callkit.md 2.11; row CK-71, decision D9).
extension Engine {
    /// Makes the entries of a conversation.
    ///
    /// - Parameters:
    ///   - conversation: as it was while it lived.
    ///   - legs: its calls, before they ended.
    ///   - caller: how it ended for the caller.
    ///   - callees: how it ended for the callee's devices.
    mutating func remember(_ conversation: Conversation, _ legs: EndedLegs, caller: CallEnd, callees: CallEnd) {
        if let call = legs.caller, let account = legs.callerAccount, legs.callerKeepsRecents {
            let entry = RecentCall(
                id: identifiers.identifier(),
                handle: call.remoteHandle,
                name: call.shownName,
                isOutgoing: true,
                outcome: Self.outgoingOutcome(call, caller),
                devices: conversation.callerDevices,
                startedAt: call.startedAt ?? caller.date,
                connectedAt: call.connectedAt,
                endedAt: max(caller.date, call.connectedAt ?? call.startedAt ?? caller.date)
            )
            effects.append(.remember(account: account, entry))
        }
        guard let callee = conversation.callee, callee.filter != .blocked, legs.calleeKeepsRecents,
            callee.account != legs.callerAccount
        else { return }
        let startedAt = legs.callee?.startedAt ?? legs.caller?.startedConnectingAt ?? callees.date
        let entry = RecentCall(
            id: identifiers.identifier(),
            handle: legs.callee?.remoteHandle ?? callee.callerHandle,
            name: legs.callee?.shownName ?? callee.shownName,
            link: callee.callerLink,
            isOutgoing: false,
            outcome: Self.incomingOutcome(conversation, legs, callees: callees),
            isSilenced: callee.isSilenced,
            devices: conversation.calleeDevices,
            startedAt: startedAt,
            connectedAt: legs.callee?.connectedAt,
            endedAt: max(callees.date, legs.callee?.connectedAt ?? startedAt)
        )
        effects.append(.remember(account: callee.account, entry))
    }

    /// What is needed of a conversation's calls after they have ended.
    struct EndedLegs {
        var caller: Call?
        var callerAccount: String?
        var callerKeepsRecents = false
        /// The call that was answered, or any that rang.
        var callee: Call?
        var calleeKeepsRecents = true
        var isDeclined = false
    }

    /// Taken before the calls of a conversation end.
    func legs(of conversation: Conversation) -> EndedLegs {
        var legs = EndedLegs()
        legs.caller = conversation.caller.flatMap { calls[$0] }
        if let session = legs.caller?.session {
            legs.callerAccount = accountName(of: session)
            legs.callerKeepsRecents = keepsRecents(session)
        }
        let callees = conversation.callees
        legs.callee = callees.first.flatMap { calls[$0] }
        // A call that never rang is kept: nobody said otherwise.
        legs.calleeKeepsRecents = callees.isEmpty
        for callee in callees {
            if let session = session(of: callee), keepsRecents(session) { legs.calleeKeepsRecents = true }
        }
        return legs
    }

    private static func outgoingOutcome(_ call: Call, _ end: CallEnd) -> RecentCall.Outcome {
        if call.isConnected { return .answered }
        if end.reason == .failed { return .failed }
        return end.cause == .declined ? .declined : .cancelled
    }

    /// Whether whoever is called has missed it.
    func isMissed(_ conversation: Conversation, _ legs: EndedLegs, callees: CallEnd) -> Bool {
        Self.incomingOutcome(conversation, legs, callees: callees) == .missed
    }

    private static func incomingOutcome(
        _ conversation: Conversation,
        _ legs: EndedLegs,
        callees: CallEnd
    ) -> RecentCall.Outcome {
        if legs.callee?.isConnected == true { return .answered }
        // A call from outside may have been taken or declined there (decision D9).
        if callees.reason == .answeredElsewhere { return .answeredElsewhere }
        if legs.isDeclined || callees.reason == .declinedElsewhere { return .declined }
        if case .answering = conversation.phase, callees.reason == .failed { return .failed }
        return .missed
    }

    /// A call from outside that Do Not Disturb kept from ringing: missed, silently (decision D9).
    mutating func rememberSilenced(_ report: ScreeningToken, _ handle: Handle, names: KnownNames, account: String) {
        guard sessions[report.session]?.configuration.includesCallsInRecents == true else { return }
        let entry = RecentCall(
            id: identifiers.identifier(),
            handle: handle,
            name: report.update.givenName ?? names.contact ?? names.directory ?? handle.value,
            isOutgoing: false,
            outcome: .missed,
            isSilenced: true,
            startedAt: now,
            endedAt: now
        )
        effects.append(.remember(account: account, entry))
    }
}
