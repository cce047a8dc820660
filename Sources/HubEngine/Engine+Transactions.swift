/// How a transaction is accepted, offered, performed and completed (callkit.md 2.1 and 2.3).
extension Engine {
    mutating func accept(_ requests: [ActionRequest], from session: SessionID, token: RequestToken) {
        do {
            let plan = try plan(requests, of: session)
            let transaction = makeTransaction(plan, of: session)
            let requested = transaction.steps.filter { $0.origin == .user }.map(\.action.uuid)
            reply(token, .accepted(transaction.uuid, actions: requested))
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
        guard let asker = sessions[session] else { throw .sessionGone }
        guard asker.opening.mayCall else {
            let message = "this session may not handle calls; open one with permission to call"
            throw Refusal(.requestTransaction(.unentitled), message)
        }
        guard !requests.isEmpty else {
            throw Refusal(.requestTransaction(.emptyTransaction), "actions is empty; a transaction needs one at least")
        }
        guard let provider = asker.provider else {
            throw Refusal(
                .requestTransaction(.unknownCallProvider),
                "the provider was invalidated; provider.configure makes a new one"
            )
        }
        let calls = plannedCalls(of: asker)
        var rules = TransactionRules(
            calls: calls,
            provider: provider,
            requests: requests,
            isAlive: { isAlive($0, in: asker.opening.account) },
            elsewhere: { uuid in
                callElsewhere(uuid, than: session).flatMap { self.calls[$0] }.map { PlannedCall($0, group: 0) }
            }
        )
        var names = Set(asker.transactions.flatMap { $0.steps.map(\.action.uuid) })
        for (index, request) in requests.enumerated() {
            if let uuid = request.uuid, !names.insert(uuid).inserted {
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
        return rules.plan
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

    private mutating func begin(_ transaction: Transaction, of session: SessionID) {
        sessions[session]?.transactions.append(transaction)
        for step in transaction.steps {
            place(step.action.callUUID, step.action.kind, from: session)
        }
        if case .offered = transaction.mode {
            effects.append(.notify(session, .execute(transaction.uuid, transaction.steps.map(\.action))))
            deadlines.set(.transaction(session, transaction.uuid), at: now + configuration.actionDeadline)
        }
        proceed(with: transaction.uuid, of: session)
    }

    /// The client's answer to `provider.execute`.
    mutating func answerOffer(
        _ transaction: TransactionUUID,
        of session: SessionID,
        handled: Bool,
        token: RequestToken
    ) {
        guard let place = place(of: transaction, in: session), case .offered = mode(of: transaction, in: session) else {
            return reply(token, .ignored)
        }
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

    /// Carries a transaction as far as it goes without the client.
    mutating func proceed(with transaction: TransactionUUID, of session: SessionID) {
        while let current = current(transaction, of: session) {
            if case .offered = current.mode { return }
            guard current.cursor < current.steps.count else { return complete(current, of: session) }
            let step = current.steps[current.cursor]
            switch readiness(of: step.action, of: current, in: session) {
            case .ready: break
            case .waiting: return
            case .moot:
                skip(in: current, of: session)
                continue
            case .impossible:
                return abort(current, cause: .actionFailed, of: session)
            }
            guard !isPausing(step, of: current, in: session) else { return }
            guard step.hasBegun else {
                begin(step, of: current, in: session)
                continue
            }
            switch step.outcome {
            case nil: return
            case .failed(let cause): return abort(current, cause: cause, of: session)
            case .fulfilled(let date): carryOut(step, of: current, in: session, at: date)
            }
        }
    }

    /// The digits after a `,` wait when their turn comes (row CK-55).
    private mutating func isPausing(_ step: Transaction.Step, of transaction: Transaction, in session: SessionID)
        -> Bool
    {
        switch step.pause {
        case .none: return false
        case .running: return true
        case .ahead:
            guard let place = place(of: transaction.uuid, in: session) else { return false }
            sessions[session]?.transactions[place].steps[transaction.cursor].pause = .running
            deadlines.set(.transaction(session, transaction.uuid), at: now + configuration.softPause)
            return true
        }
    }

    private mutating func begin(_ step: Transaction.Step, of transaction: Transaction, in session: SessionID) {
        guard let place = place(of: transaction.uuid, in: session), let owner = sessions[session] else { return }
        sessions[session]?.transactions[place].steps[transaction.cursor].hasBegun = true
        let isAutomatic = owner.opening.fulfillment == .automatic && !step.action.kind.waitsForTheUser
        let deadline = now + deadline(for: step.action.kind)
        if case .performing = transaction.mode, step.outcome == nil {
            let perform = Notification.perform(
                transaction.uuid,
                step.action,
                deadline: deadline,
                origin: step.origin,
                fulfilled: isAutomatic
            )
            effects.append(.notify(session, perform))
        }
        if isAutomatic, step.outcome == nil {
            sessions[session]?.transactions[place].steps[transaction.cursor].outcome = .fulfilled(at: now)
        } else if step.outcome == nil {
            deadlines.set(.transaction(session, transaction.uuid), at: deadline)
        }
        claim(step.action, in: session, isFulfilled: isAutomatic)
    }

    private mutating func carryOut(
        _ step: Transaction.Step,
        of transaction: Transaction,
        in session: SessionID,
        at date: Instant
    ) {
        guard let place = place(of: transaction.uuid, in: session) else { return }
        deadlines.cancel(.transaction(session, transaction.uuid))
        sessions[session]?.transactions[place].cursor += 1
        guard !step.isHeldBack else { return }
        let action = step.action
        let call = call(action.callUUID, of: session)
        if case .end = action.kind, step.origin == .user, let call, calls[call]?.hasAttention == true {
            sessions[session]?.transactions[place].hasEndedFocus = true
        }
        if case .setHeld(true) = action.kind, let call, calls[call]?.phase == .active {
            sessions[session]?.transactions[place].newlyHeld.append(action.callUUID)
        }
        apply(action.kind, to: action.callUUID, of: session, at: date)
    }

    private mutating func skip(in transaction: Transaction, of session: SessionID) {
        guard let place = place(of: transaction.uuid, in: session) else { return }
        deadlines.cancel(.transaction(session, transaction.uuid))
        sessions[session]?.transactions[place].cursor += 1
    }

    /// An action has failed: what it was to begin has failed, what was to follow is not done.
    private mutating func abort(_ transaction: Transaction, cause: EndCause, of session: SessionID) {
        forget(transaction, of: session)
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

    private mutating func complete(_ transaction: Transaction, of session: SessionID) {
        forget(transaction, of: session)
        guard transaction.hasEndedFocus, let owner = sessions[session] else { return }
        // Row CK-43: after a local end the one held call or group is resumed; with several, no right one exists.
        let held = plannedCalls(of: owner).filter { $0.phase == .held }
        guard held.groupCount == 1, let first = held.first else { return }
        resumeIfAlone(first.uuid, of: session)
    }

    private mutating func forget(_ transaction: Transaction, of session: SessionID) {
        deadlines.cancel(.transaction(session, transaction.uuid))
        sessions[session]?.transactions.removeAll { $0.uuid == transaction.uuid }
        // Digits of another transaction may have waited for the last of this one.
        if sessions[session]?.transactions.isEmpty == false { unsettled.append(session) }
    }

    /// Resumes a held call by the system, unless something else has or is about to get the user's attention.
    private mutating func resumeIfAlone(_ uuid: CallUUID, of session: SessionID) {
        guard let owner = sessions[session], owner.provider != nil,
            !owner.calls.contains(where: { calls[$0]?.hasAttention == true }),
            !owner.transactions.contains(where: { $0.pendingActions.contains(where: \.kind.wantsAttention) }),
            let call = call(uuid, of: session), calls[call]?.isOnHold == true
        else { return }
        performBySystem(.setHeld(false), on: uuid, of: session)
    }

    private func deadline(for kind: ActionKind) -> Duration {
        switch kind {
        case .start: configuration.startDeadline
        case .answer, .pull: configuration.answerDeadline
        case .playDTMF(_, .hardPause): configuration.startDeadline
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .unknown:
            configuration.actionDeadline
        }
    }

    private func current(_ transaction: TransactionUUID, of session: SessionID) -> Transaction? {
        place(of: transaction, in: session).flatMap { sessions[session]?.transactions[$0] }
    }

    private func mode(of transaction: TransactionUUID, in session: SessionID) -> Transaction.Mode? {
        current(transaction, of: session)?.mode
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
