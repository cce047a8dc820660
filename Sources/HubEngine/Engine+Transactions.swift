/// The acceptance and offer of transactions, and the outcomes that clients report (callkit-semantics.md 2.1 and 2.3).
extension Engine {
    /// Accepts a request whole, or refuses it.
    ///
    /// - Parameters:
    ///   - requests: The requested actions.
    ///   - session: The device that is to perform them.
    ///   - token: The request to answer.
    ///   - knowledge: The accounts' data about the parties of a transfer; nil: not looked up.
    mutating func accept(
        _ requests: [ActionRequest],
        from session: SessionID,
        token: RequestToken,
        knowing knowledge: LookUpResult? = nil
    ) {
        do {
            let plan = try plan(requests, of: session, knowing: knowledge)
            if knowledge == nil, let lookUp = lookUpBefore(plan, of: session), let parties = plan.first?.transfer {
                let transfer = TransferToken(
                    session: session,
                    action: requests[0],
                    request: token,
                    conversation: parties.conversation,
                    joined: parties.joined?.conversation
                )
                return effects.append(.lookUp(LookUpToken(transfer: transfer), lookUp))
            }
            let transaction = makeTransaction(plan, of: session)
            reply(token, .accepted(transaction.uuid, actions: transaction.requestedActions))
            begin(transaction, of: session)
        } catch {
            var refusal = error
            if refusal.code == .requestTransaction(.unknownCallUUID) { refusal.calls = snapshots(of: session) }
            reply(token, .refused(refusal))
        }
    }

    /// Performs an action on a device's call on behalf of the system.
    mutating func performBySystem(_ kind: ActionKind, on call: CallUUID, of session: SessionID) {
        let plan = [PlannedAction(kind: kind, callUUID: call, origin: .system)]
        begin(makeTransaction(plan, of: session), of: session)
    }

    /// Validates a request in the order of callkit-semantics.md 2.1; malformed ones do not get here.
    private func plan(
        _ requests: [ActionRequest],
        of session: SessionID,
        knowing knowledge: LookUpResult?
    ) throws(Refusal) -> [PlannedAction] {
        guard let mayCall = sessions[session]?.opening.mayCall else { throw .sessionGone }
        guard mayCall else {
            let message = "this session may not handle calls; open one with permission to call"
            throw Refusal(.requestTransaction(.unentitled), message)
        }
        guard !requests.isEmpty else {
            throw Refusal(.requestTransaction(.emptyTransaction), "actions is empty; a transaction needs one at least")
        }
        guard let provider = sessions[session]?.provider else {
            throw Refusal(
                .requestTransaction(.unknownCallProvider),
                "the provider was invalidated; provider.configure makes a new one"
            )
        }
        var rules = TransactionRules(
            calls: plannedCalls(of: session),
            provider: provider,
            maximumCalls: configuration.maximumCallsPerDevice,
            requests: requests
        )
        rules.others = referencedCalls(namedBy: requests, session)
        rules.external = externalCalls(declinedBy: requests, session)
        rules.ofCompanions = companionCalls(endedBy: requests, session)
        rules.transfer = preparedTransfer(in: requests, of: session, knowing: knowledge)
        for (index, request) in requests.enumerated() {
            if let uuid = request.uuid, isTaken(uuid, by: requests[..<index], of: session) {
                throw Refusal(
                    .general(.invalidArgument),
                    "another action has this uuid; give each its own",
                    actionIndex: index
                )
            }
            if case .start = request.kind, isDraining {
                throw Refusal(.draining, "the hub is about to stop and takes no new calls", actionIndex: index)
            }
            try rules.validate(index)
        }
        try checkTransfer(in: requests, of: session, knowing: knowledge)
        try checkLimits(rules.plan.count, of: session)
        return rules.plan
    }

    /// Refuses more actions or transactions than one client may have pending.
    ///
    /// A client must not delay the hub, and its other parties, for longer than audio can wait.
    private func checkLimits(_ count: Int, of session: SessionID) throws(Refusal) {
        guard count <= Self.maximumActions else {
            let message =
                "the transaction would have \(count) actions, each digit being one; \(Self.maximumActions) is the most"
            throw Refusal(.tooMany, message)
        }
        guard (sessions[session]?.transactions.count ?? 0) < Self.maximumTransactions else {
            let message =
                "\(Self.maximumTransactions) transactions are not yet complete; fulfil or fail their actions first"
            throw Refusal(.tooMany, message)
        }
    }

    /// More: larger groups can be ended at once; other clients wait longer meanwhile.
    private static let maximumActions = 64
    /// More: slower clients succeed; more memory for a client that never responds.
    private static let maximumTransactions = 64

    /// Returns the calls on any device of the account that a start or a pull names: the rules depend on them.
    private func referencedCalls(namedBy requests: [ActionRequest], _ session: SessionID)
        -> TransactionRules.ReferencedCalls
    {
        var others = TransactionRules.ReferencedCalls()
        for request in requests {
            switch request.kind {
            case .start
            where isAlive(request.callUUID, inAccountOf: session) || isPendingStart(request.callUUID, on: session):
                others.alive.append(request.callUUID)
            case .pull:
                guard let id = callOnOtherDevice(request.callUUID, than: session), let call = calls[id] else {
                    continue
                }
                others.elsewhere.append(
                    OtherDeviceCall(
                        call: PlannedCall(call, group: 0),
                        isWithThisDevice: isFarEnd(of: id, on: session),
                        isExternal: conversations[call.conversation]?.isExternal == true
                    )
                )
            default: continue
            }
        }
        return others
    }

    /// Returns the external calls that the request declines with a message.
    private func externalCalls(declinedBy requests: [ActionRequest], _ session: SessionID) -> [CallUUID] {
        var found: [CallUUID] = []
        for request in requests {
            guard case .decline = request.kind, let call = call(request.callUUID, of: session),
                let conversation = conversation(of: call), isExternal(conversation)
            else { continue }
            found.append(request.callUUID)
        }
        return found
    }

    /// Returns the calls of other sessions on the machine that a request ends beside the answer of a ringing call.
    private func companionCalls(endedBy requests: [ActionRequest], _ session: SessionID) -> [CompanionCall] {
        guard requests.count > 1, !companions(of: session).isEmpty else { return [] }
        return requests.compactMap { request in
            guard case .end = request.kind, call(request.callUUID, of: session) == nil else { return nil }
            return companion(of: session, having: request.callUUID).map {
                CompanionCall(session: $0, uuid: request.callUUID)
            }
        }
    }

    /// Indicates that a pending transaction starts this call; the call itself may have ended before that.
    private func isPendingStart(_ call: CallUUID, on session: SessionID) -> Bool {
        sessions[session]?.transactions.contains { transaction in
            transaction.pendingActions.contains { $0.callUUID == call && $0.kind.type == .start }
        } == true
    }

    /// Indicates that an earlier action has this identifier, in the same request or in a pending transaction.
    private func isTaken(
        _ uuid: ActionUUID,
        by earlier: ArraySlice<ActionRequest>,
        of session: SessionID
    ) -> Bool {
        earlier.contains { $0.uuid == uuid }
            || sessions[session]?.transactions.contains { $0.steps.contains { $0.action.uuid == uuid } } == true
    }

    private mutating func makeTransaction(_ plan: [PlannedAction], of session: SessionID) -> Transaction {
        let steps = plan.map { planned in
            let uuid = planned.uuid ?? identifiers.identifier()
            return Transaction.Step(
                action: Action(uuid: uuid, callUUID: planned.callUUID, kind: planned.kind),
                origin: planned.origin,
                isDeferred: planned.isDeferred,
                pause: planned.kind.pause,
                companion: planned.companion,
                transfer: planned.transfer
            )
        }
        let isOffered = sessions[session]?.executesTransactions == true
        return Transaction(uuid: identifiers.identifier(), steps: steps, mode: isOffered ? .offered : .performing)
    }

    private mutating func begin(_ transaction: consuming Transaction, of session: SessionID) {
        let uuid = transaction.uuid
        for step in transaction.steps {
            placeCall(step.action.callUUID, step.action.kind, from: session)
        }
        if case .offered = transaction.mode {
            let own = transaction.steps.filter { $0.companion == nil }
            effects.append(.notify(session, .execute(uuid, own.map(\.action))))
            deadlines.set(.transaction(session, uuid), at: now + configuration.actionDeadline)
        }
        // Consumed: while a copy exists here, each change of a step copies all steps.
        sessions[session]?.transactions.append(transaction)
        proceed(with: uuid, of: session)
    }

    /// Handles the client's answer to `provider.execute`.
    mutating func handleExecuteResponse(
        _ transaction: TransactionUUID,
        of session: SessionID,
        handled: Bool,
        token: RequestToken
    ) {
        guard let transactionIndex = transactionIndex(of: transaction, in: session),
            case .offered = sessions[session]?.transactions[transactionIndex].mode
        else { return reply(token, .ignored) }
        reply(token, .done)
        deadlines.cancel(.transaction(session, transaction))
        sessions[session]?.transactions[transactionIndex].mode = handled ? .handledByClient : .performing
        proceed(with: transaction, of: session)
    }

    /// Handles the client's outcome of an action; a second or late one changes nothing (callkit-semantics.md 2.3).
    mutating func recordOutcome(
        _ action: ActionUUID,
        of session: SessionID,
        with outcome: Transaction.Outcome,
        token: RequestToken
    ) {
        guard let requester = sessions[session] else { return reply(token, .ignored) }
        let isManual = requester.opening.fulfillment == .manual
        for (transactionIndex, transaction) in requester.transactions.enumerated() {
            guard let index = transaction.steps.firstIndex(where: { $0.action.uuid == action }),
                transaction.isOutstanding(index), isManual || transaction.steps[index].action.kind.waitsForUser
            else { continue }
            if case .fulfilled(_, .some) = outcome, transaction.steps[index].action.kind.type != .setTranslating {
                let message = "translationEngine is for setTranslating actions; leave it out for others"
                return refuse(token, .general(.invalidArgument), message)
            }
            if case .fulfilled = outcome, index == transaction.cursor,
                readiness(of: transaction.steps[index].action, of: transaction.uuid, in: session) == .impossible
            {
                // Another call has used up the capacity meanwhile.
                reply(token, .ignored)
                return abort(transaction.uuid, cause: .actionFailed, of: session)
            }
            reply(token, .done)
            sessions[session]?.transactions[transactionIndex].steps[index].outcome = outcome
            return proceed(with: transaction.uuid, of: session)
        }
        reply(token, .ignored)
    }

    /// Handles a passed deadline: the offer counts as not handled, the action as failed (row CK-64).
    mutating func timeOut(_ transaction: TransactionUUID, of session: SessionID) {
        guard let transactionIndex = transactionIndex(of: transaction, in: session) else { return }
        let late = sessions[session]?.transactions[transactionIndex]
        if case .offered = late?.mode {
            sessions[session]?.transactions[transactionIndex].mode = .performing
        } else if case .running = late?.current?.pause, let cursor = late?.cursor {
            sessions[session]?.transactions[transactionIndex].steps[cursor].pause = .none
        } else if let late, late.cursor < late.steps.count {
            effects.append(.notify(session, .timedOutPerforming(late.steps[late.cursor].action)))
            sessions[session]?.transactions[transactionIndex].steps[late.cursor].outcome = .failed(.timeout)
        }
        proceed(with: transaction, of: session)
    }
}

extension ActionKind {
    fileprivate var pause: Transaction.Pause {
        if case .playDTMF(_, .softPause) = self { .notStarted } else { .none }
    }
}
