/// A transaction under way: its actions are performed one after another, each when the one before is complete.
///
/// See callkit-semantics.md 2.3.
struct Transaction {
    let uuid: TransactionUUID
    var steps: [Step]
    /// The index of the step that is being performed or comes next.
    var cursor = 0
    var mode: Mode
    /// True if one of its steps has ended the call that had the focus (row CK-43).
    var hasEndedFocus = false
    /// The calls that its steps have put on hold (decision D14).
    var newlyHeld: [CallUUID] = []
    /// The calls of other sessions on the machine that are on hold because of its steps.
    var newlyHeldByCompanions: [CompanionCall] = []

    /// The way in which the steps are performed.
    enum Mode {
        /// The client was offered the whole transaction and has not answered yet (row CK-62).
        ///
        /// Can transition to:
        /// - `handledByClient` when the client answers `handled`.
        /// - `performing` when the client does not, or does not answer in time.
        case offered
        /// The client performs all actions itself: it is sent no `perform` notifications.
        case handledByClient
        /// The hub sends `perform` for one action after another.
        case performing
    }

    /// One action with its outcome.
    struct Step {
        let action: Action
        let origin: ActionOrigin
        /// True if its effect comes with that of a later step: the un-hold before a merge (row CK-47).
        let isDeferred: Bool
        var pause: Pause
        /// The other session on the machine whose call it ends; nil: it is an action on the session's own call.
        var companion: SessionID?
        /// The parties of a transfer, as they were when it was accepted; nil: it is another action.
        var transfer: PreparedTransfer?
        /// True if the cursor has reached the step: what the action claims (for example a ringing call) is claimed.
        var hasBegun = false
        var outcome: Outcome?
    }

    /// The pause in front of the digits after a `,` (row CK-55).
    enum Pause {
        case none
        case notStarted
        case running
    }

    /// The outcome of an action, set by the client or by the hub in its place; the first one counts.
    enum Outcome {
        case fulfilled(at: Instant, using: TranslationEngine? = nil)
        case failed(EndCause)
    }

    var pending: PendingTransaction {
        PendingTransaction(uuid: uuid, actions: steps.map(\.action))
    }

    /// The identifiers of the actions that the client itself has requested.
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

    /// The step at the cursor; nil if the transaction is complete.
    var current: Step? { steps.indices.contains(cursor) ? steps[cursor] : nil }

    /// Indicates that the client may answer this step now.
    func isOutstanding(_ index: Int) -> Bool {
        guard index >= cursor, steps[index].outcome == nil else { return false }
        switch mode {
        case .offered, .handledByClient: return true
        case .performing: return steps[index].hasBegun
        }
    }

    /// Indicates that the transaction still has DTMF digits to play on a call.
    func hasDigits(for call: CallUUID) -> Bool {
        steps.dropFirst(cursor).contains { step in
            if case .playDTMF = step.action.kind { step.action.callUUID == call } else { false }
        }
    }
}

extension ActionKind {
    /// True if the action would give a call the user's attention.
    var wantsAttention: Bool {
        switch self {
        case .start, .answer, .pull, .setHeld(false): true
        case .end, .endHere, .decline, .setHeld(true), .setMuted, .setGroup, .playDTMF, .transfer, .setTranslating,
            .unknown:
            false
        }
    }

    /// True if the calls of other sessions on the machine lose the focus before it is performed.
    ///
    /// A pulled call may be one of them, so that a pull takes the focus when it is fulfilled.
    var takesFocusFromCompanions: Bool { wantsAttention && self != .pull }

    /// True if the user decides when it is done: the digits after a `;` (row CK-55).
    var waitsForUser: Bool {
        if case .playDTMF(_, .hardPause) = self { true } else { false }
    }
}
