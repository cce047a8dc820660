/// The performance of an accepted transaction, action by action, until it is complete (callkit-semantics.md 2.3).
extension Engine {
    /// The position of a transaction: its index in the session, its cursor and its mode.
    ///
    /// Its next step is copied alone: while a copy of all steps exists, each change of a step copies them all.
    private struct TransactionPosition {
        let transaction: TransactionUUID
        let session: SessionID
        /// The transaction's index among those of the session.
        let transactionIndex: Int
        let cursor: Int
        let mode: Transaction.Mode
    }

    private func position(of transaction: TransactionUUID, in session: SessionID) -> TransactionPosition? {
        guard let transactionIndex = transactionIndex(of: transaction, in: session),
            let cursor = sessions[session]?.transactions[transactionIndex].cursor,
            let mode = sessions[session]?.transactions[transactionIndex].mode
        else { return nil }
        return TransactionPosition(
            transaction: transaction,
            session: session,
            transactionIndex: transactionIndex,
            cursor: cursor,
            mode: mode
        )
    }

    /// Returns the step at the cursor; nil: all are complete.
    private func step(at position: TransactionPosition) -> Transaction.Step? {
        sessions[position.session]?.transactions[position.transactionIndex].current
    }

    /// Performs a transaction as far as it goes without the client.
    mutating func proceed(with transaction: TransactionUUID, of session: SessionID) {
        while let position = position(of: transaction, in: session) {
            if case .offered = position.mode { return }
            guard let step = step(at: position) else { return complete(transaction, of: session) }
            if let companion = step.companion {
                advanceCursor(position)
                endForCompanion(step.action.callUUID, on: companion, at: now)
                continue
            }
            switch readiness(of: step.action, of: transaction, in: session) {
            case .ready: break
            case .waiting: return
            case .obsolete:
                advanceCursor(position)
                continue
            case .impossible:
                notifyTimedOut(step, at: position)
                return abort(transaction, cause: .actionFailed, of: session)
            }
            guard !isPausing(step, at: position) else { return }
            guard step.hasBegun else {
                begin(step, at: position)
                continue
            }
            switch step.outcome {
            case nil: return
            case .failed(let cause): return abort(transaction, cause: cause, of: session)
            case .fulfilled(let date, let engine): applyFulfilled(step, at: position, date, using: engine)
            }
        }
    }

    /// Notifies a client that is performing an action which has become impossible.
    ///
    /// If the call has ended, the client has been notified of that instead.
    private mutating func notifyTimedOut(_ step: Transaction.Step, at position: TransactionPosition) {
        guard case .performing = position.mode, step.hasBegun, step.outcome == nil else { return }
        let uuid = step.action.callUUID
        let isPull = step.action.kind == .pull
        let lives = isPull ? callOnOtherDevice(uuid, than: position.session) : call(uuid, of: position.session)
        guard lives != nil else { return }
        effects.append(.notify(position.session, .timedOutPerforming(step.action)))
    }

    /// Indicates that a step is in the pause before the digits after a `,`, which it starts if needed (row CK-55).
    private mutating func isPausing(_ step: Transaction.Step, at position: TransactionPosition) -> Bool {
        switch step.pause {
        case .none: return false
        case .running: return true
        case .notStarted:
            sessions[position.session]?.transactions[position.transactionIndex].steps[position.cursor].pause = .running
            deadlines.set(.transaction(position.session, position.transaction), at: now + configuration.softPause)
            return true
        }
    }

    private mutating func begin(_ step: Transaction.Step, at position: TransactionPosition) {
        let session = position.session
        let isAutomatic =
            sessions[session]?.opening.fulfillment == .automatic && !step.action.kind.waitsForUser
        let deadline = now.advanced(byNanoseconds: actionTimeouts.deadline(for: step.action.kind))
        sessions[session]?.transactions[position.transactionIndex].steps[position.cursor].hasBegun = true
        if step.action.kind.takesFocusFromCompanions {
            let held = takeFocusFromCompanions(of: session)
            sessions[session]?.transactions[position.transactionIndex].newlyHeldByCompanions += held
        }
        if case .performing = position.mode, step.outcome == nil {
            let perform = Notification.perform(
                position.transaction,
                step.action,
                deadline: deadline,
                origin: step.origin,
                fulfilled: isAutomatic
            )
            effects.append(.notify(session, perform))
        }
        if isAutomatic, step.outcome == nil {
            sessions[session]?.transactions[position.transactionIndex].steps[position.cursor].outcome = .fulfilled(
                at: now
            )
        } else if step.outcome == nil {
            deadlines.set(.transaction(session, position.transaction), at: deadline)
        }
        claim(step.action, in: session, isFulfilled: isAutomatic)
    }

    private mutating func applyFulfilled(
        _ step: Transaction.Step,
        at position: TransactionPosition,
        _ date: Instant,
        using engine: TranslationEngine?
    ) {
        let session = position.session
        advanceCursor(position)
        guard !step.isDeferred else { return }
        let action = step.action
        let state = state(of: action.callUUID, in: session)
        if let prepared = step.transfer, case .transfer(let target) = action.kind {
            let hadFocus = transfer(action.callUUID, prepared, to: target, of: session)
            if hadFocus { sessions[session]?.transactions[position.transactionIndex].hasEndedFocus = true }
            return
        }
        if action.kind.type == .end, step.origin == .user, state?.hasAttention == true {
            sessions[session]?.transactions[position.transactionIndex].hasEndedFocus = true
        }
        if case .setHeld(true) = action.kind, state?.phase == .active {
            sessions[session]?.transactions[position.transactionIndex].newlyHeld.append(action.callUUID)
        }
        apply(action.kind, to: action.callUUID, of: session, at: date, using: engine)
    }

    /// Moves on to the next step.
    private mutating func advanceCursor(_ position: TransactionPosition) {
        deadlines.cancel(.transaction(position.session, position.transaction))
        sessions[position.session]?.transactions[position.transactionIndex].cursor += 1
    }

    /// Aborts a transaction with a failed action.
    ///
    /// Calls that it was to start or answer have failed; later actions are not performed.
    mutating func abort(_ uuid: TransactionUUID, cause: EndCause, of session: SessionID) {
        guard let transaction = removeTransaction(uuid, of: session) else { return }
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
        for call in transaction.newlyHeldByCompanions { resumeIfAlone(call.uuid, of: call.session) }
    }

    private mutating func complete(_ uuid: TransactionUUID, of session: SessionID) {
        guard let transaction = removeTransaction(uuid, of: session), transaction.hasEndedFocus else { return }
        // Row CK-43: after a local end, the held call or group is resumed if there is exactly one.
        let held = heldCalls(onMachineOf: session)
        guard held.count == 1, let only = held.first else { return }
        resumeIfAlone(only.uuid, of: only.session)
    }

    private mutating func removeTransaction(_ uuid: TransactionUUID, of session: SessionID) -> Transaction? {
        deadlines.cancel(.transaction(session, uuid))
        guard let transactionIndex = transactionIndex(of: uuid, in: session) else { return nil }
        let transaction = sessions[session]?.transactions.remove(at: transactionIndex)
        // Digits of another transaction may have waited for those of this one.
        if sessions[session]?.transactions.isEmpty == false { sessionsToRecheck.append(session) }
        return transaction
    }

    /// Resumes a held call by the system, unless another call has or is about to get the user's attention.
    private mutating func resumeIfAlone(_ uuid: CallUUID, of session: SessionID) {
        guard let owner = sessions[session], owner.provider != nil,
            !hasAttention(onMachineOf: session), let call = call(uuid, of: session), calls[call]?.isOnHold == true
        else { return }
        performBySystem(.setHeld(false), on: uuid, of: session)
    }

    func transactionIndex(of transaction: TransactionUUID, in session: SessionID) -> Int? {
        sessions[session]?.transactions.firstIndex { $0.uuid == transaction }
    }
}
