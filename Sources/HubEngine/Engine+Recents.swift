/// Recents: one entry for each account, and one for a user who calls their own account, when a call is over.
///
/// See callkit-semantics.md 2.11, row CK-71 and decision D9.
extension Engine {
    /// Makes the Recents entries of a conversation.
    ///
    /// - Parameters:
    ///   - conversation: The conversation's state while it lived.
    ///   - legs: Its calls, before they ended.
    ///   - caller: The end that the caller sees.
    ///   - callees: The end that the callee's devices see.
    mutating func addRecent(_ conversation: Conversation, _ legs: EndedLegs, caller: CallEnd, callees: CallEnd) {
        if let call = legs.caller, let account = legs.callerAccount, legs.callerKeepsRecents {
            let entry = RecentCall(
                id: identifiers.identifier(),
                handle: call.remoteHandle,
                name: call.shownName,
                // One who was called, and whose call is transferred, is the caller of one that nobody has taken.
                isOutgoing: call.isOutgoing || conversation.transfer != nil && !conversation.isConnected,
                outcome: Self.outgoingOutcome(conversation, caller),
                devices: conversation.callerDevices,
                startedAt: conversation.startedAt(call) ?? caller.date,
                connectedAt: conversation.connectedAt(call),
                endedAt: max(
                    caller.date,
                    conversation.connectedAt(call) ?? conversation.startedAt(call) ?? caller.date
                ),
                hasVideo: call.hasVideo,
                provider: legs.callerProvider
            )
            effects.append(.addRecent(account: account, entry))
        }
        guard let callee = conversation.callee, callee.filter != .blocked, legs.calleeKeepsRecents,
            callee.account != legs.callerAccount || legs.callee?.isOutgoing == true
        else { return }
        let startedAt =
            legs.callee.flatMap { conversation.startedAt($0) } ?? legs.caller?.startedConnectingAt ?? callees.date
        let connectedAt = legs.callee.flatMap { conversation.connectedAt($0) }
        let entry = RecentCall(
            id: identifiers.identifier(),
            handle: legs.callee?.remoteHandle ?? callee.callerHandle,
            name: legs.callee?.shownName ?? callee.shownName,
            invitation: callee.callerInvitation,
            invitationName: callee.callerInvitationName,
            isOutgoing: legs.callee?.isOutgoing ?? false,
            outcome: Self.incomingOutcome(conversation, legs, callees: callees),
            isSilenced: callee.isSilenced,
            devices: conversation.calleeDevices,
            startedAt: startedAt,
            connectedAt: connectedAt,
            endedAt: max(callees.date, connectedAt ?? startedAt),
            hasVideo: legs.callee?.hasVideo ?? legs.caller?.hasVideo ?? false,
            provider: legs.calleeProvider,
            isUnknown: legs.callee?.isUnknown ?? false
        )
        effects.append(.addRecent(account: callee.account, entry))
    }

    /// The data of a conversation's calls that is needed after they have ended.
    struct EndedLegs {
        var caller: Call?
        var callerAccount: String?
        var callerKeepsRecents = false
        /// The name of the provider that the caller's call was of; nil: it had none.
        var callerProvider: String?
        /// The call that was answered, or any that rang.
        var callee: Call?
        var calleeKeepsRecents = true
        /// The name of the provider that `callee` was of; nil: it had none.
        var calleeProvider: String?
        var isDeclined = false
    }

    /// Returns the data of a conversation's calls, to be taken before they end.
    func legs(of conversation: Conversation) -> EndedLegs {
        var legs = EndedLegs()
        legs.caller = conversation.caller.flatMap { calls[$0] }
        if let session = legs.caller?.session {
            legs.callerAccount = accountName(of: session)
            legs.callerKeepsRecents = keepsRecents(session)
            legs.callerProvider = providerName(of: session)
        }
        let callees = conversation.callees
        legs.callee = callees.first.flatMap { calls[$0] }
        legs.calleeProvider = (legs.callee?.session).flatMap { providerName(of: $0) }
        // A call that never rang is kept: no device has opted out.
        legs.calleeKeepsRecents = callees.isEmpty
        for callee in callees {
            if let session = session(of: callee), keepsRecents(session) { legs.calleeKeepsRecents = true }
        }
        return legs
    }

    /// Returns the name of a device's provider; nil: it has none, or one that is too long to be stored.
    private func providerName(of session: SessionID) -> String? {
        guard let name = sessions[session]?.configuration.localizedName, !name.isEmpty, name.utf8.count <= 256 else {
            return nil
        }
        return name
    }

    private static func outgoingOutcome(_ conversation: Conversation, _ end: CallEnd) -> RecentCall.Outcome {
        if conversation.isConnected { return .answered }
        if end.reason == .failed { return .failed }
        if end.reason == .unanswered { return .unanswered }
        return end.cause == .declined ? .declined : .cancelled
    }

    /// Indicates that the called account has missed the call.
    func isMissed(_ conversation: Conversation, _ legs: EndedLegs, callees: CallEnd) -> Bool {
        Self.incomingOutcome(conversation, legs, callees: callees) == .missed
    }

    private static func incomingOutcome(
        _ conversation: Conversation,
        _ legs: EndedLegs,
        callees: CallEnd
    ) -> RecentCall.Outcome {
        if legs.callee?.isConnected == true { return .answered }
        // An external call may have been answered or declined outside the hub (decision D9).
        if callees.reason == .answeredElsewhere { return .answeredElsewhere }
        if legs.isDeclined || callees.reason == .declinedElsewhere { return .declined }
        if case .answering = conversation.phase, callees.reason == .failed { return .failed }
        return .missed
    }

    /// Makes the entry of an external call that did not ring because of Do Not Disturb: missed, silenced (decision D9).
    mutating func addSilencedRecent(_ report: ScreeningToken, names: KnownNames, account: String) {
        guard sessions[report.session]?.configuration.includesCallsInRecents == true else { return }
        let handle = report.caller
        let entry = RecentCall(
            id: identifiers.identifier(),
            handle: handle,
            name: report.update.overridingName ?? names.contact ?? names.directory ?? handle.value,
            isOutgoing: false,
            outcome: .missed,
            isSilenced: true,
            startedAt: now,
            endedAt: now,
            hasVideo: report.update.hasVideo == true && supportsVideo(report.session),
            provider: providerName(of: report.session),
            isUnknown: report.update.remoteHandle == nil
        )
        effects.append(.addRecent(account: account, entry))
    }
}

extension Conversation {
    /// The time at which a call's part in this conversation began: a transferred call has had another one before.
    fileprivate func startedAt(_ call: Call) -> Instant? {
        guard let transfer else { return call.startedAt }
        return max(transfer.date, call.startedAt ?? transfer.date)
    }

    /// The time since which a call is connected in this conversation; nil: it is not.
    fileprivate func connectedAt(_ call: Call) -> Instant? {
        guard let transfer else { return call.connectedAt }
        return transfer.connectedAt
    }
}
