/// A transaction on its way: its actions are performed one after another, each when the former is complete (callkit.md 2.3).
struct Transaction {
    let uuid: TransactionUUID
    var steps: [Step]
    /// The step that is being performed or comes next.
    var cursor = 0
    var mode: Mode
    /// Whether a step of it hung up the call that had the focus (row CK-43).
    var hasEndedFocus = false
    /// The calls that a step of it has put on hold (decision D14).
    var newlyHeld: [CallUUID] = []

    /// Who performs the steps.
    enum Mode {
        /// The client was offered the whole and has not said yet whether it takes it (row CK-62).
        ///
        /// Can transition to:
        /// - `taken` when it does.
        /// - `performing` when it does not, or says nothing in time.
        case offered
        /// The client takes care of all actions: no perform messages.
        case taken
        /// Action by action.
        case performing
    }

    /// One action with its outcome.
    struct Step {
        let action: Action
        let origin: ActionOrigin
        /// Whether its effect comes with that of a later step: the un-hold in front of a merge (row CK-47).
        let isHeldBack: Bool
        var pause: Pause
        /// Whether the cursor has reached it: what the action claims (a ringing call, say) is claimed.
        var hasBegun = false
        var outcome: Outcome?
    }

    /// The pause in front of the digits after a `,` (row CK-55).
    enum Pause {
        case none
        case ahead
        case running
    }

    /// What the client, or the hub in its place, said of an action: the first word counts.
    enum Outcome {
        case fulfilled(at: Instant)
        case failed(EndCause)
    }

    var pending: PendingTransaction {
        PendingTransaction(uuid: uuid, actions: steps.map(\.action))
    }

    /// The names of the actions that the client asked for itself.
    var requestedActions: [ActionUUID] {
        var uuids: [ActionUUID] = []
        uuids.reserveCapacity(steps.count)
        for step in steps where step.origin == .user { uuids.append(step.action.uuid) }
        return uuids
    }

    /// The actions that have no outcome yet.
    var pendingActions: [Action] {
        steps.dropFirst(cursor).filter { $0.outcome == nil }.map(\.action)
    }

    /// The step at the cursor; nil: complete.
    var current: Step? { steps.indices.contains(cursor) ? steps[cursor] : nil }

    /// Whether the client may answer this step now.
    func isOutstanding(_ index: Int) -> Bool {
        guard index >= cursor, steps[index].outcome == nil else { return false }
        switch mode {
        case .offered, .taken: return true
        case .performing: return steps[index].hasBegun
        }
    }

    /// Whether digits for a call are still to be keyed by it.
    func hasDigits(for call: CallUUID) -> Bool {
        steps.dropFirst(cursor).contains { step in
            if case .playDTMF = step.action.kind { step.action.callUUID == call } else { false }
        }
    }
}

extension ActionKind {
    /// Whether it would make a call the one the user is busy with.
    var wantsAttention: Bool {
        switch self {
        case .start, .answer, .pull, .setHeld(false): true
        case .end, .endHere, .setHeld(true), .setMuted, .setGroup, .playDTMF, .setTranslating, .unknown: false
        }
    }

    /// Whether the user says when: the digits after a `;` (row CK-55).
    var waitsForTheUser: Bool {
        if case .playDTMF(_, .hardPause) = self { true } else { false }
    }
}
