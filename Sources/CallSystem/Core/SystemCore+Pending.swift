import HubEngine
import HubWire

// Transactions that the hub has dropped before their turn. It notifies nobody, as none was being performed.
extension SystemCore {
    /// Compares the transactions that wait for their turn with the hub's, once all that it has sent is handled.
    ///
    /// An action may have become impossible before its turn: a hold drops the digits that wait for a pause.
    func checkPending() {
        guard !isCheckingPending, transactions.contains(where: \.isWaiting) else { return }
        isCheckingPending = true
        backend.whenQuiet { [weak self] in
            self?.isCheckingPending = false
            self?.comparePending()
        }
    }

    private func comparePending() {
        let waiting = transactions.filter(\.isWaiting).map(\.id)
        guard !waiting.isEmpty else { return }
        backend.send(.engine(.pending(type: nil, callUUID: nil))) { [weak self] result in
            guard case .success(.pending(let transactions, _)) = result else { return }
            let live = Set(transactions.map(\.uuid))
            for id in waiting where !live.contains(id) { self?.discard(id) }
        }
    }

    private func discard(_ id: TransactionUUID) {
        guard let index = transactions.firstIndex(where: { $0.id == id }) else { return }
        for action in transactions.remove(at: index).actions { action.object.markComplete() }
    }
}
