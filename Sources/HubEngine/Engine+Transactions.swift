/// How a transaction is accepted, offered, performed and completed (callkit.md 2.1 and 2.3).
extension Engine {
    mutating func accept(_ requests: [ActionRequest], from session: SessionID, token: RequestToken) {
        do {
            let plan = try plan(requests, of: session)
            let transaction = makeTransaction(plan, of: session)
            reply(token, .accepted(transaction.uuid, actions: transaction.requestedActions))
            begin(transaction, of: session)
        } catch {
            var refusal = error
            if refusal.code == .requestTransaction(.unknownCallUUID) { refusal.calls = snapshots(of: session) }
            reply(token, .refused(refusal))
        }
    }

    /// Has the hub itself do something to a device's calls.
    mutating func performBySystem(_ kind: ActionKind, on call: CallUUID, of session: SessionID) {
        let plan = [PlannedAction(kind: kind, callUUID: call, origin: .system)]
        begin(makeTransaction(plan, of: session), of: session)
    }

    /// Checks a request in the order of callkit.md 2.1; malformed ones do not get here.
    private func plan(_ requests: [ActionRequest], of session: SessionID) throws(Refusal) -> [PlannedAction] {
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
        var rules = TransactionRules(calls: plannedCalls(of: session), provider: provider, requests: requests)
        rules.others = callsOfOthers(namedBy: requests, session)
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
            try rules.admit(index)
        }
        try checkAmount(rules.plan.count, of: session)
        return rules.plan
    }

    /// What one request can set going: a client may not keep the hub, and those it talks with, busy for longer than sound may wait.
    private func checkAmount(_ count: Int, of session: SessionID) throws(Refusal) {
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

    /// More: larger groups can be ended at once; everybody else waits longer meanwhile.
    private static let maximumActions = 64
    /// More: slower clients get through; more memory for a client that answers nothing.
    private static let maximumTransactions = 64

    /// The calls on any device of the account that a start or a pull names: the rules must know of them.
    private func callsOfOthers(namedBy requests: [ActionRequest], _ session: SessionID) -> TransactionRules.Others {
        var others = TransactionRules.Others()
        for request in requests {
            switch request.kind {
            case .start where isAlive(request.callUUID, inAccountOf: session):
                others.alive.append(request.callUUID)
            case .pull:
                guard let id = callElsewhere(request.callUUID, than: session), let call = calls[id] else { continue }
                others.elsewhere.append(
                    CallElsewhere(
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

    /// Whether an action before this one has its name, in the same request or in one that is under way.
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
                isHeldBack: planned.isHeldBack,
                pause: planned.kind.pause
            )
        }
        let isOffered = sessions[session]?.opening.executesTransactions == true
        return Transaction(uuid: identifiers.identifier(), steps: steps, mode: isOffered ? .offered : .performing)
    }

    private mutating func begin(_ transaction: consuming Transaction, of session: SessionID) {
        let uuid = transaction.uuid
        for step in transaction.steps {
            place(step.action.callUUID, step.action.kind, from: session)
        }
        if case .offered = transaction.mode {
            effects.append(.notify(session, .execute(uuid, transaction.steps.map(\.action))))
            deadlines.set(.transaction(session, uuid), at: now + configuration.actionDeadline)
        }
        // Given away: with a copy left here, each change of a step would copy them all.
        sessions[session]?.transactions.append(transaction)
        proceed(with: uuid, of: session)
    }

    /// The client's answer to `provider.execute`.
    mutating func answerOffer(
        _ transaction: TransactionUUID,
        of session: SessionID,
        handled: Bool,
        token: RequestToken
    ) {
        guard let place = place(of: transaction, in: session),
            case .offered = sessions[session]?.transactions[place].mode
        else { return reply(token, .ignored) }
        reply(token, .done)
        deadlines.cancel(.transaction(session, transaction))
        sessions[session]?.transactions[place].mode = handled ? .taken : .performing
        proceed(with: transaction, of: session)
    }

    /// The client's word on an action; a second or late one changes nothing (callkit.md 2.3).
    mutating func conclude(
        _ action: ActionUUID,
        of session: SessionID,
        with outcome: Transaction.Outcome,
        token: RequestToken
    ) {
        guard let asker = sessions[session] else { return reply(token, .ignored) }
        let isManual = asker.opening.fulfillment == .manual
        for (place, transaction) in asker.transactions.enumerated() {
            guard let index = transaction.steps.firstIndex(where: { $0.action.uuid == action }),
                transaction.isOutstanding(index), isManual || transaction.steps[index].action.kind.waitsForTheUser
            else { continue }
            if case .fulfilled = outcome, index == transaction.cursor,
                readiness(of: transaction.steps[index].action, of: transaction.uuid, in: session) == .impossible
            {
                // Somebody else has taken the room for it.
                reply(token, .ignored)
                return abort(transaction.uuid, cause: .actionFailed, of: session)
            }
            reply(token, .done)
            sessions[session]?.transactions[place].steps[index].outcome = outcome
            return proceed(with: transaction.uuid, of: session)
        }
        reply(token, .ignored)
    }

    /// A deadline passed: the offer is taken as not handled, the action as failed (row CK-64).
    mutating func timeOut(_ transaction: TransactionUUID, of session: SessionID) {
        guard let place = place(of: transaction, in: session) else { return }
        let late = sessions[session]?.transactions[place]
        if case .offered = late?.mode {
            sessions[session]?.transactions[place].mode = .performing
        } else if case .running = late?.current?.pause, let cursor = late?.cursor {
            sessions[session]?.transactions[place].steps[cursor].pause = .none
        } else if let late, late.cursor < late.steps.count {
            effects.append(.notify(session, .timedOutPerforming(late.steps[late.cursor].action)))
            sessions[session]?.transactions[place].steps[late.cursor].outcome = .failed(.timeout)
        }
        proceed(with: transaction, of: session)
    }

    /// Where a transaction stands.
    ///
    /// Its next step is copied out alone: with a copy of the whole at hand, each change of a step would copy them all.
    private struct Turn {
        let transaction: TransactionUUID
        let session: SessionID
        /// The transaction's place among those of the session.
        let place: Int
        let cursor: Int
        let mode: Transaction.Mode
    }

    private func turn(of transaction: TransactionUUID, in session: SessionID) -> Turn? {
        guard let place = place(of: transaction, in: session),
            let cursor = sessions[session]?.transactions[place].cursor,
            let mode = sessions[session]?.transactions[place].mode
        else { return nil }
        return Turn(
            transaction: transaction,
            session: session,
            place: place,
            cursor: cursor,
            mode: mode
        )
    }

    /// The step whose turn it is; nil: all is done.
    private func step(at turn: Turn) -> Transaction.Step? {
        sessions[turn.session]?.transactions[turn.place].current
    }

    /// Carries a transaction as far as it goes without the client.
    mutating func proceed(with transaction: TransactionUUID, of session: SessionID) {
        while let turn = turn(of: transaction, in: session) {
            if case .offered = turn.mode { return }
            guard let step = step(at: turn) else { return complete(transaction, of: session) }
            switch readiness(of: step.action, of: transaction, in: session) {
            case .ready: break
            case .waiting: return
            case .moot:
                pass(turn)
                continue
            case .impossible:
                tellThatItIsTooLate(step, at: turn)
                return abort(transaction, cause: .actionFailed, of: session)
            }
            guard !isPausing(step, at: turn) else { return }
            guard step.hasBegun else {
                begin(step, at: turn)
                continue
            }
            switch step.outcome {
            case nil: return
            case .failed(let cause): return abort(transaction, cause: cause, of: session)
            case .fulfilled(let date): carryOut(step, at: turn, date)
            }
        }
    }

    /// A client at work on what has become impossible meanwhile is told so; of its call's end it has been told anyway.
    private mutating func tellThatItIsTooLate(_ step: Transaction.Step, at turn: Turn) {
        guard case .performing = turn.mode, step.hasBegun, step.outcome == nil else { return }
        let uuid = step.action.callUUID
        let isPull = step.action.kind == .pull
        let lives = isPull ? callElsewhere(uuid, than: turn.session) : call(uuid, of: turn.session)
        guard lives != nil else { return }
        effects.append(.notify(turn.session, .timedOutPerforming(step.action)))
    }

    /// The digits after a `,` wait when their turn comes (row CK-55).
    private mutating func isPausing(_ step: Transaction.Step, at turn: Turn) -> Bool {
        switch step.pause {
        case .none: return false
        case .running: return true
        case .ahead:
            sessions[turn.session]?.transactions[turn.place].steps[turn.cursor].pause = .running
            deadlines.set(.transaction(turn.session, turn.transaction), at: now + configuration.softPause)
            return true
        }
    }

    private mutating func begin(_ step: Transaction.Step, at turn: Turn) {
        let session = turn.session
        let isAutomatic =
            sessions[session]?.opening.fulfillment == .automatic && !step.action.kind.waitsForTheUser
        let deadline = now.advanced(byNanoseconds: spans.deadline(for: step.action.kind))
        sessions[session]?.transactions[turn.place].steps[turn.cursor].hasBegun = true
        if case .performing = turn.mode, step.outcome == nil {
            let perform = Notification.perform(
                turn.transaction,
                step.action,
                deadline: deadline,
                origin: step.origin,
                fulfilled: isAutomatic
            )
            effects.append(.notify(session, perform))
        }
        if isAutomatic, step.outcome == nil {
            sessions[session]?.transactions[turn.place].steps[turn.cursor].outcome = .fulfilled(at: now)
        } else if step.outcome == nil {
            deadlines.set(.transaction(session, turn.transaction), at: deadline)
        }
        claim(step.action, in: session, isFulfilled: isAutomatic)
    }

    private mutating func carryOut(_ step: Transaction.Step, at turn: Turn, _ date: Instant) {
        let session = turn.session
        pass(turn)
        guard !step.isHeldBack else { return }
        let action = step.action
        let state = state(of: action.callUUID, in: session)
        if action.kind.type == .end, step.origin == .user, state?.hasAttention == true {
            sessions[session]?.transactions[turn.place].hasEndedFocus = true
        }
        if case .setHeld(true) = action.kind, state?.phase == .active {
            sessions[session]?.transactions[turn.place].newlyHeld.append(action.callUUID)
        }
        apply(action.kind, to: action.callUUID, of: session, at: date)
    }

    /// On to the next step.
    private mutating func pass(_ turn: Turn) {
        deadlines.cancel(.transaction(turn.session, turn.transaction))
        sessions[turn.session]?.transactions[turn.place].cursor += 1
    }

    /// An action has failed: what it was to begin has failed, what was to follow is not done.
    private mutating func abort(_ uuid: TransactionUUID, cause: EndCause, of session: SessionID) {
        guard let transaction = forget(uuid, of: session) else { return }
        let failed = transaction.steps[transaction.cursor].action
        for step in transaction.steps[transaction.cursor...] {
            guard let call = call(step.action.callUUID, of: session) else { continue }
            switch (step.action.kind, calls[call]?.state) {
            case (.start, .starting): abandon(call, cause: cause)
            case (.answer, .answering): abandon(call, cause: cause)
            default: continue
            }
        }
        // Decision D14: a swap, or hold & accept, that fails half-way is undone.
        switch failed.kind {
        case .setHeld(false), .answer, .setGroup:
            for uuid in transaction.newlyHeld { resumeIfAlone(uuid, of: session) }
        default: break
        }
    }

    private mutating func complete(_ uuid: TransactionUUID, of session: SessionID) {
        guard let transaction = forget(uuid, of: session), transaction.hasEndedFocus else { return }
        // Row CK-43: after a local end the one held call or group is resumed; with several, no right one exists.
        let held = plannedCalls(of: session).filter { $0.phase == .held }
        guard held.groupCount == 1, let first = held.first else { return }
        resumeIfAlone(first.uuid, of: session)
    }

    private mutating func forget(_ uuid: TransactionUUID, of session: SessionID) -> Transaction? {
        deadlines.cancel(.transaction(session, uuid))
        guard let place = place(of: uuid, in: session) else { return nil }
        let transaction = sessions[session]?.transactions.remove(at: place)
        // Digits of another transaction may have waited for the last of this one.
        if sessions[session]?.transactions.isEmpty == false { unsettled.append(session) }
        return transaction
    }

    /// Resumes a held call by the system, unless something else has or is about to get the user's attention.
    private mutating func resumeIfAlone(_ uuid: CallUUID, of session: SessionID) {
        guard let owner = sessions[session], owner.provider != nil,
            !owner.calls.contains(where: { calls[$0]?.state.hasAttention == true }),
            !owner.transactions.contains(where: { $0.pendingActions.contains(where: \.kind.wantsAttention) }),
            let call = call(uuid, of: session), calls[call]?.isOnHold == true
        else { return }
        performBySystem(.setHeld(false), on: uuid, of: session)
    }

    private func place(of transaction: TransactionUUID, in session: SessionID) -> Int? {
        sessions[session]?.transactions.firstIndex { $0.uuid == transaction }
    }
}

extension ActionKind {
    fileprivate var pause: Transaction.Pause {
        if case .playDTMF(_, .softPause) = self { .ahead } else { .none }
    }
}
