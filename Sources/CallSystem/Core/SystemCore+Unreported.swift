import HubEngine
import HubWire

// Requests of the hub for calls that the app has yet to report: on an iPhone there is no call before its report.
extension SystemCore {
    /// Keeps a notification about a transaction until the app has reported the calls of it that a push announced.
    ///
    /// An operator, and the hub's other clients, know of a call as soon as it rings at the hub.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: True if it waits; false if it is to be handled now.
    func waitsForReport(_ notification: WireNotification) -> Bool {
        guard let (transaction, wanted) = notification.transaction else { return false }
        let isUnreported = calls.contains { $0.isAnnounced && wanted.contains($0.uuid) }
        guard isUnreported || unreported.contains(where: { $0.transaction?.id == transaction }) else {
            return false
        }
        // Once an action is to be performed, the hub's offer of the whole transaction has expired.
        if case .perform = notification { unreported.removeAll { $0.isOffer(of: transaction) } }
        unreported.append(notification)
        return true
    }

    /// Drops a transaction whose action has timed out at the hub before the app has reported the call.
    func dropUnreported(_ action: Action) {
        let isIts = { (notification: WireNotification) in
            if case .perform(_, let other, _, _, _) = notification { other.uuid == action.uuid } else { false }
        }
        guard let transaction = unreported.first(where: isIts)?.transaction?.id else { return }
        unreported.removeAll { $0.transaction?.id == transaction }
    }

    /// Handles what has waited for the report of a call, or for its end, and waits for no other call.
    func handleUnreported() {
        let waiting = unreported
        unreported = []
        for notification in waiting where !waitsForReport(notification) { handleUnreported(notification) }
    }

    private func handleUnreported(_ notification: WireNotification) {
        switch notification {
        case .execute(let transaction, let actions):
            // A transaction with a call that is over is not offered as a whole; the hub skips what it cannot perform.
            let areLive = actions.allSatisfy { action in
                action.kind.type == .start || calls.contains { $0.uuid == action.callUUID }
            }
            areLive ? offer(transaction, actions) : answer(transaction, isHandled: false)
        case .perform(let transaction, let action, let deadline, _, let isFulfilled):
            guard calls.contains(where: { $0.uuid == action.callUUID }) else { return }
            perform(action, of: transaction, deadline: deadline, isFulfilled: isFulfilled)
        default: break
        }
    }
}

extension WireNotification {
    /// The transaction that an app is asked to perform, and its calls; nil: the notification is about another thing.
    fileprivate var transaction: (id: TransactionUUID, calls: Set<CallUUID>)? {
        switch self {
        case .execute(let id, let actions): (id, Set(actions.map(\.callUUID)))
        case .perform(let id, let action, _, _, _): (id, [action.callUUID])
        default: nil
        }
    }

    /// Indicates that a whole transaction is offered to the app.
    fileprivate func isOffer(of transaction: TransactionUUID) -> Bool {
        if case .execute(let id, _) = self { id == transaction } else { false }
    }
}
