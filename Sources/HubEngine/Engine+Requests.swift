/// The requests of signed-in clients (protocol.md, Requests): one reply each, before any other effect (row CK-65).
extension Engine {
    mutating func handle(_ request: Request, from session: SessionID, token: RequestToken) {
        guard sessions.contains(session) else { return reply(token, .refused(.sessionGone)) }
        switch request {
        case .transaction(let actions):
            acceptForDevice(actions, from: session, token: token)
        case .fulfill(let action, let date, let engine):
            let outcome = Transaction.Outcome.fulfilled(at: min(date ?? now, now), using: engine)
            recordOutcome(action, of: session, with: outcome, token: token)
        case .fail(let action):
            recordOutcome(action, of: session, with: .failed(.actionFailed), token: token)
        case .executed(let transaction, let handled):
            handleExecuteResponse(transaction, of: session, handled: handled, token: token)
        case .configure(let provider, let executesTransactions):
            if let executesTransactions { sessions[session]?.executesTransactions = executesTransactions }
            configure(session, provider, token: token)
        case .invalidate:
            invalidate(session, token: token)
        case .reportCall(let uuid, let update):
            report(update, on: uuid, from: session, token: token)
        case .reportCallEnded(let uuid, let reason, let date):
            reportEnd(of: uuid, reason: reason, date: min(date ?? now, now), from: session, token: token)
        case .reportOutgoingCall(let uuid, let event, let date):
            reportOutgoingCall(uuid, event, date: min(date ?? now, now), from: session, token: token)
        case .reportNewIncomingCall(let uuid, let update):
            reportNewIncomingCall(
                ScreeningToken(session: session, callUUID: uuid, update: update, request: token)
            )
        case .pending(let type, let callUUID):
            reply(token, pending(of: session, type: type, callUUID: callUUID))
        case .calls:
            reply(token, .calls(shownCalls(of: session), elsewhere: observed(by: session)))
        }
    }

    /// Replaces the provider's whole configuration; live calls continue (row CK-03).
    ///
    /// An invalidated provider starts over (row CK-06).
    private mutating func configure(_ session: SessionID, _ provider: ProviderConfiguration, token: RequestToken) {
        let startsOver = sessions[session]?.provider == nil
        sessions[session]?.provider = provider
        reply(token, .configuration(provider))
        if startsOver { effects.append(.notify(session, .didBegin(provider))) }
        refreshChoices(of: session)
    }

    /// Invalidates the provider: its calls fail, pending actions are dropped, later requests are refused (row CK-04).
    private mutating func invalidate(_ session: SessionID, token: RequestToken) {
        reply(token, .done)
        for transaction in sessions[session]?.transactions ?? [] {
            deadlines.cancel(.transaction(session, transaction.uuid))
        }
        sessions[session]?.transactions = []
        sessions[session]?.provider = nil
        for call in sessions[session]?.calls ?? [] { abandon(call, cause: .providerInvalidated) }
        if let account = account(of: session) {
            endDecoyRinging(on: account, .failed(.providerInvalidated, at: now))
        }
    }

    /// Handles `provider.reportCall`: a change of a call's displayed data (row CK-16).
    ///
    /// A change of name or video reaches the other party's device too (protocol.md, Requests).
    private mutating func report(
        _ update: CallUpdate,
        on uuid: CallUUID,
        from session: SessionID,
        token: RequestToken
    ) {
        guard let call = call(uuid, of: session) else { return refuseUnknown(uuid, token) }
        guard update.hasVideo != true || sessions[session]?.configuration.supportsVideo == true else {
            let message = "update.hasVideo is true, but the provider does not support video"
            return refuse(token, .general(.invalidArgument), message)
        }
        let other = otherCall(than: call)
        let otherDevice = other.flatMap { self.session(of: $0) }
        guard update.hasVideo != true || otherDevice.map(supportsVideo) != false else {
            let message = "update.hasVideo is true, but the other party's device does not support video"
            return refuse(token, .general(.invalidArgument), message)
        }
        reply(token, .done)
        applyUpdate(update, to: call)
        guard let other else { return }
        var shared = CallUpdate()
        shared.localizedCallerName = update.localizedCallerName
        shared.hasVideo = update.hasVideo
        guard shared != CallUpdate() else { return }
        applyUpdate(shared, to: other)
    }

    /// Applies an update to a call, and notifies its owner of a change.
    private mutating func applyUpdate(_ update: CallUpdate, to call: CallID) {
        let before = snapshot(of: call)
        noteParticipantsChange(around: call)
        if let handle = update.remoteHandle, handle != before?.remoteHandle || before?.nameSource == .hidden {
            calls[call]?.remoteHandle = handle
            calls[call]?.isUnknown = false
            // The names belong to the former handle.
            calls[call]?.names = KnownNames()
        }
        if update.localizedCallerName != nil { calls[call]?.overridingName = update.overridingName }
        calls[call]?.capabilities.apply(update)
        if let value = update.hasVideo { calls[call]?.hasVideo = value }
        guard let after = snapshot(of: call), after != before else { return }
        notifyChange(call)
        // The handle and name are part of the other party's audio sources too.
        if let session = self.session(of: call) { reconcileAudio(of: session) }
    }

    /// Handles `provider.reportCallEnded`: a call has ended, not by its user (row CK-31).
    private mutating func reportEnd(
        of uuid: CallUUID,
        reason: EndReason,
        date: Instant,
        from session: SessionID,
        token: RequestToken
    ) {
        guard let call = call(uuid, of: session) else { return refuseUnknown(uuid, token) }
        reply(token, .done)
        let own = CallEnd(reason: reason, cause: nil, date: date)
        let others = CallEnd(reason: reason == .failed ? .failed : .remoteEnded, cause: nil, date: date)
        finish(call, with: own, others: others)
    }

    private func pending(of session: SessionID, type: ActionType?, callUUID: CallUUID?) -> Reply {
        let transactions = sessions[session]?.transactions ?? []
        let actions = transactions.flatMap(\.pendingActions).filter { action in
            (type == nil || action.kind.type == type) && (callUUID == nil || action.callUUID == callUUID)
        }
        return .pending(transactions: transactions.map(\.pending), actions: actions)
    }

    mutating func refuse(_ token: RequestToken, _ code: Refusal.Code, _ message: String) {
        reply(token, .refused(Refusal(code, message)))
    }

    mutating func refuseUnknown(_ uuid: CallUUID, _ token: RequestToken) {
        refuse(token, .notFound, "this device has no call with this callUUID; observer.calls lists those it has")
    }
}
