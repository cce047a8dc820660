import HubAccountData
import HubEngine
import HubServer
import HubStore
import HubWire

/// The persistent store of account data that HubServer requires, implemented by HubStore.
struct PersistentAccountStore: AccountDataStore {
    let store: Store

    init(store: Store) { self.store = store }

    func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor?,
        _ then: @escaping @Sendable (StoreFault?) -> Void
    ) {
        store.write(changes, of: account, by: actor) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(StoreFault(failure.message))
            }
        }
    }

    func readPhoto(
        of contact: String?,
        in account: String,
        _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
    ) {
        store.read { file throws(StoreError) in
            if let contact { try file.photo(of: contact, in: account) } else { try file.photo(of: account) }
        } then: { result in
            then(result.mapError { StoreFault($0.message) })
        }
    }

    func readHoldMusic(
        of account: String,
        unless known: [Int64],
        _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
    ) {
        store.read { file throws(StoreError) in
            try file.playedHoldMusic(of: account, unless: known)
        } then: { result in
            then(
                result.map { StoredHoldMusic(ids: $0.ids, tracks: $0.tracks) }.mapError { StoreFault($0.message) }
            )
        }
    }

    func addRecent(_ call: RecentCall, of account: String) {
        store.addRecent(call, of: account)
    }

    func recordUnprovisionedSignIn(of account: AccountRecord) {
        store.perform { file throws(StoreError) in
            try file.recordSignIn(account.name, handles: account.handles, profile: account.profile)
        } then: { _ in
            // The next sign-in is recorded again; the store counts failures.
        }
    }

    func removeAccount(_ account: String) {
        store.perform { file throws(StoreError) in
            // An account that an operator has created stays in the database although the hub removes it from memory.
            try file.eraseUnprovisioned(account)
        } then: { _ in
            // If it fails, the account is erased at a later start, like others that have not signed in for long.
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
            // After a failure it is tried again in an hour.
        }
    }

    var statistics: AccountDataStoreStatistics {
        let statistics = store.statistics
        return AccountDataStoreStatistics(
            writes: statistics.writes,
            transactions: statistics.transactions,
            failures: Dictionary(
                statistics.failures.map { ($0.key.rawValue, $0.value) },
                uniquingKeysWith: +
            ),
            waiting: statistics.waiting,
            waitingBytes: statistics.waitingBytes,
            lastWrite: statistics.lastWrite,
            fileBytes: statistics.fileBytes,
            unjournaledCalls: statistics.unjournaledCalls,
            lostRecents: statistics.lostRecents
        )
    }
}
