import HubAccountData
import HubEngine
import HubServer
import HubStore

/// The persistent store of account data that HubServer requires, implemented by HubStore.
struct PersistentAccountStore: AccountDataStore {
    let store: Store

    init(store: Store) { self.store = store }

    func write(_ changes: [AccountDataChange], of account: String, _ then: @escaping @Sendable (StoreFault?) -> Void) {
        store.write(changes, of: account) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(StoreFault(failure.message))
            }
        }
    }

    func addRecent(_ call: RecentCall, of account: String) {
        store.addRecent(call, of: account)
    }

    func noteUnlistedSignIn(of account: String, handles: [Handle]) {
        store.perform { file throws(StoreError) in
            try file.recordSignIn(account, handles: handles)
        } then: { _ in
            // The next sign-in is recorded again; the store counts failures.
        }
    }

    func removeAccount(_ account: String) {
        store.perform { file throws(StoreError) in
            // An account that an operator has created stays, though the hub has no room for it in memory.
            try file.eraseUnregistered(account)
        } then: { _ in
            // If it fails, the account is among those that are erased at a later start for not having been seen.
        }
    }

    func finishErasure(of accounts: [String]) {
        store.perform { file throws(StoreError) in
            try file.removeErasures(of: accounts)
        } then: { _ in
            // If it fails, no data is stored under these names until the next start.
        }
    }

    func expireRecents(endedBefore moment: Instant) {
        store.expireRecents(endedBefore: moment) { _ in
            // It is tried again in an hour.
        }
    }

    var figures: AccountDataStoreFigures {
        let figures = store.figures
        return AccountDataStoreFigures(
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
