import HubEngine

/// The outcomes of the actions of one session: each action to be performed has exactly one.
struct ActionOutcomes {
    struct Entry {
        var transaction: TransactionUUID
        var action: Action
        var deadline: Instant
    }

    /// Actions that the client has to perform and answer, without an outcome yet.
    private(set) var open: [Entry] = []
    /// Actions of transactions offered as a whole and not complete, which may be answered without a `perform` for each.
    private(set) var offered: Set<ActionUUID> = []
    private(set) var isInvalid = false
    /// Indicates that the client has asked for offers of whole transactions.
    private(set) var isOffered = false
    private var performed: Set<ActionUUID> = []
    private var concluded: Set<ActionUUID> = []

    /// Applies a notification; returns the description of the rule that it violates, or nil.
    mutating func note(
        _ notification: Notification,
        of device: WorldShape.Device,
        _ times: EngineConfiguration,
        at now: Instant
    ) -> String? {
        switch notification {
        case .execute(_, let actions):
            for action in actions { offered.insert(action.uuid) }
            return isOffered ? nil : "a transaction is offered to a device without support"
        case .perform(let transaction, let action, let deadline, let origin, let fulfilled):
            if isInvalid { return "an invalidated provider is asked to perform" }
            guard performed.insert(action.uuid).inserted else { return "an action is performed twice" }
            if concluded.contains(action.uuid) { return "an action is performed that has its outcome" }
            if fulfilled {
                concluded.insert(action.uuid)
                let isOwn = device.fulfillment == .automatic || origin == .system
                return isOwn ? nil : "the hub fulfils an action of a client's that does so itself"
            }
            if device.fulfillment == .automatic, !action.waitsForUser {
                return "a client is to fulfil what the hub fulfils for it"
            }
            defer { open.append(Entry(transaction: transaction, action: action, deadline: deadline)) }
            if open.contains(where: { $0.transaction == transaction }) {
                return "a transaction's actions are performed one after another"
            }
            if case .playDTMF = action.kind, open.contains(where: { $0.isPlayingDigits(action.callUUID) }) {
                return "digits are played one after another"
            }
            return deadline == now + times.deadline(for: action.kind)
                ? nil : "a deadline is what it is configured to be"
        case .timedOutPerforming(let action):
            guard isOpen(action.uuid) else { return "an action times out that is not under way" }
            if let entry = open.first(where: { $0.action.uuid == action.uuid }), entry.deadline > now,
                !action.mayBecomeImpossible
            {
                return "an action times out before its deadline"
            }
            return conclude(action.uuid)
        case .callChanged(let call) where call.hasEnded:
            // Actions on an ended call are void.
            for entry in open where entry.action.callUUID == call.uuid { drop(entry.action.uuid) }
            return nil
        default: return nil
        }
    }

    /// Applies the acceptance of a transaction; a client may reuse the UUID of an action that is over.
    mutating func begin(_ actions: [ActionUUID]) -> String? {
        for action in actions {
            if isOpen(action) { return "an action is accepted that is under way" }
            performed.remove(action)
            concluded.remove(action)
        }
        return nil
    }

    /// Applies the invalidation of the provider, which ends all open actions until it is configured again.
    mutating func invalidate() {
        isInvalid = true
        for entry in open { concluded.insert(entry.action.uuid) }
        open = []
        offered = []
    }

    /// Applies a configuration of the provider, or a sign-in.
    ///
    /// - Parameter isOffered: True if the client asks for offers of whole transactions; nil: as before.
    mutating func configure(offered isOffered: Bool?) {
        isInvalid = false
        self.isOffered = isOffered ?? self.isOffered
    }

    func isOpen(_ action: ActionUUID) -> Bool {
        offered.contains(action) || open.contains { $0.action.uuid == action }
    }

    /// Records the outcome of an action; returns the description of the rule that it violates, or nil.
    mutating func conclude(_ action: ActionUUID) -> String? {
        open.removeAll { $0.action.uuid == action }
        offered.remove(action)
        return concluded.insert(action).inserted ? nil : "an action has two outcomes"
    }

    /// Closes an action that became void, because its call ended, say.
    mutating func drop(_ action: ActionUUID) {
        open.removeAll { $0.action.uuid == action }
        concluded.insert(action)
    }

    /// Closes an action of an offered transaction that is over.
    mutating func drop(offered action: ActionUUID) {
        offered.remove(action)
    }
}

extension ActionOutcomes.Entry {
    fileprivate func isPlayingDigits(_ call: CallUUID) -> Bool {
        if case .playDTMF = action.kind { action.callUUID == call } else { false }
    }
}

extension EngineConfiguration {
    /// Decision D4.
    fileprivate func deadline(for kind: ActionKind) -> Duration {
        switch kind {
        case .start, .playDTMF(_, .hardPause): startDeadline
        case .answer, .pull: answerDeadline
        default: actionDeadline
        }
    }
}

extension Action {
    /// Indicates that another transaction may make it impossible while its call lives: a full group, a held call.
    fileprivate var mayBecomeImpossible: Bool {
        switch kind {
        case .setGroup, .pull, .answer, .playDTMF, .transfer: true
        case .start, .end, .endHere, .decline, .setHeld, .setMuted, .setTranslating, .unknown: false
        }
    }

    /// Indicates that even a client with automatic fulfilment has to answer it (row CK-55).
    var waitsForUser: Bool {
        if case .playDTMF(_, .hardPause) = kind { true } else { false }
    }
}
