import HubEngine

/// What becomes of the actions of one session: each told to be performed has one outcome and not two.
struct Ledger {
    struct Entry {
        var action: Action
        var deadline: Instant
    }

    /// Told to be performed, to be answered by the client, and without an outcome.
    private(set) var open: [Entry] = []
    /// Offered as wholes and not complete: their actions may be answered without having been told singly.
    private(set) var offered: Set<ActionUUID> = []
    private var performed: Set<ActionUUID> = []
    private var concluded: Set<ActionUUID> = []

    /// Takes in what is told; the words of a rule that it breaks.
    mutating func note(_ notification: Notification, of device: WorldShape.Device, at now: Instant) -> String? {
        switch notification {
        case .execute(_, let actions):
            for action in actions { offered.insert(action.uuid) }
            return device.executesTransactions ? nil : "a transaction is offered to whom asked for none"
        case .perform(_, let action, let deadline, let origin, let fulfilled):
            guard performed.insert(action.uuid).inserted else { return "an action is performed twice" }
            if concluded.contains(action.uuid) { return "an action is performed that has its outcome" }
            if fulfilled {
                concluded.insert(action.uuid)
                let isOwn = device.fulfillment == .automatic || origin == .system
                return isOwn ? nil : "the hub fulfils an action of a client's that does so itself"
            }
            if device.fulfillment == .automatic, !action.waitsForTheUser {
                return "a client is to fulfil what the hub fulfils for it"
            }
            open.append(Entry(action: action, deadline: deadline))
            return deadline < now ? "an action is performed after its deadline" : nil
        case .timedOutPerforming(let action):
            guard isOpen(action.uuid) else { return "an action times out that is not under way" }
            if let entry = open.first(where: { $0.action.uuid == action.uuid }), entry.deadline > now {
                return "an action times out before its deadline"
            }
            return conclude(action.uuid)
        default: return nil
        }
    }

    /// A transaction is accepted: a client may name an action as it has named one that is over.
    mutating func begin(_ actions: [ActionUUID]) -> String? {
        for action in actions {
            if isOpen(action) { return "an action is accepted that is under way" }
            performed.remove(action)
            concluded.remove(action)
        }
        return nil
    }

    func isOpen(_ action: ActionUUID) -> Bool {
        offered.contains(action) || open.contains { $0.action.uuid == action }
    }

    /// The action has its outcome.
    mutating func conclude(_ action: ActionUUID) -> String? {
        open.removeAll { $0.action.uuid == action }
        offered.remove(action)
        return concluded.insert(action).inserted ? nil : "an action has two outcomes"
    }

    /// Forgets what was told of an action that came to nothing: its call is gone, say.
    mutating func drop(_ action: ActionUUID) {
        open.removeAll { $0.action.uuid == action }
        concluded.insert(action)
    }

    /// Forgets an action of a transaction that was offered and is over.
    mutating func drop(offered action: ActionUUID) {
        offered.remove(action)
    }
}

extension Action {
    /// Whether even a client whose actions the hub fulfils has to answer it (row CK-55).
    var waitsForTheUser: Bool {
        if case .playDTMF(_, .hardPause) = kind { true } else { false }
    }
}
