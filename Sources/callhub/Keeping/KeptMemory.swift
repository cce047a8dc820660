import HubEngine
import HubServer
import HubStore

/// The hub's memory in a database: what HubServer asks of a store, done by HubStore.
struct KeptMemory: MemoryStore {
    let store: Store

    func write(_ changes: [MemoryChange], of account: String, _ then: @escaping @Sendable (StoreFault?) -> Void) {
        store.write(changes, of: account) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(StoreFault(failure.message))
            }
        }
    }

    func keep(_ call: RecentCall, of account: String) {
        store.keep(call, of: account)
    }

    func noteVisit(of account: String, handles: [Handle]) {
        store.perform { file throws(StoreFailure) in
            try file.noteSeen(account, handles: handles)
        } then: { _ in
            // The next visit is noted again; the store counts what failed.
        }
    }

    func forget(_ account: String) {
        store.perform { file throws(StoreFailure) in
            // An account that an operator has made stays, though the hub has no place for it.
            try file.eraseUnregistered(account)
        } then: { _ in
            // What stays is erased with the accounts that were not seen for longest, at a later start.
        }
    }

    func finishErasure(of accounts: [String]) {
        store.perform { file throws(StoreFailure) in
            try file.forgetErasures(of: accounts)
        } then: { _ in
            // Until the next start nothing is kept under these names then.
        }
    }

    func forgetRecents(endedBefore moment: Instant) {
        store.forgetRecents(endedBefore: moment) { _ in
            // Tried again in an hour.
        }
    }

    var figures: MemoryStoreFigures {
        let figures = store.figures
        return MemoryStoreFigures(
            writes: figures.writes,
            transactions: figures.transactions,
            failures: Dictionary(
                figures.failures.map { ($0.key.rawValue, $0.value) },
                uniquingKeysWith: +
            ),
            waiting: figures.waiting,
            waitingBytes: figures.waitingBytes,
            lastWrite: figures.lastWrite,
            fileBytes: figures.fileBytes,
            unjournaledCalls: figures.unjournaledCalls,
            lostCalls: figures.lostCalls
        )
    }
}
