import HubEngine
import HubWire

/// The owners of handles: accounts of the hub's own list, and unlisted ones that have signed in recently.
///
/// In `open` mode any name is an account, and a token may name an account that is on no list: such an account is known
/// while it is signed in, and for a while after.
struct AccountDirectory {
    private struct Account {
        var handles: [Handle]
        /// The account's entry in the hub's list; nil: it is unlisted.
        var provisionedAccount: AccountRecord?
        var isProvisioned: Bool { provisionedAccount != nil }
        /// The number of its devices that are signed in.
        var devices = 0
    }

    private var accounts: [String: Account] = [:]
    /// The owners by normalized handle.
    private var owners: [Handle: String] = [:]
    /// The unlisted accounts that have signed in, the oldest first; each once.
    private var order: [String] = []
    private var first = 0
    private var known: Set<String> = []

    // MARK: The hub's own list

    /// Replaces the hub's list.
    ///
    /// - Parameter list: The accounts with their handles; no handle twice.
    /// - Returns: The accounts that are no longer on it: their sessions must be ended.
    mutating func accept(list: [AccountRecord]) -> [String] {
        let former = accounts.filter(\.value.isProvisioned).keys
        let names = Set(list.map(\.name))
        let removed = former.filter { !names.contains($0) }.sorted()
        for name in former { disown(name) }
        for name in removed { accounts[name] = nil }
        for account in list {
            // An unlisted account of that name may be signed in already.
            disown(account.name)
            known.remove(account.name)
            let devices = accounts[account.name]?.devices ?? 0
            accounts[account.name] = Account(handles: account.handles, provisionedAccount: account, devices: devices)
            own(account.name, account.handles)
        }
        return removed
    }

    private mutating func own(_ name: String, _ handles: [Handle]) {
        for handle in handles { owners[handle.key] = name }
    }

    private mutating func disown(_ name: String) {
        for handle in accounts[name]?.handles ?? [] where owners[handle.key] == name { owners[handle.key] = nil }
    }

    // MARK: Sign-ins and departures

    /// Returns the first handle that another account has; nil: none.
    func handleOfAnotherAccount(_ handles: [Handle], by account: String) -> Handle? {
        handles.first { owners[$0.key].map { $0 != account } ?? false }
    }

    /// Restores an unlisted account of an earlier run; returns the accounts that are removed to make room.
    mutating func restore(_ account: String, _ handles: [Handle]) -> [String] {
        defer { _ = noteSignOut(account) }
        return noteSignIn(account, handles)
    }

    /// Notes that a device has signed in; returns the accounts that are removed to make room.
    mutating func noteSignIn(_ account: String, _ handles: [Handle]) -> [String] {
        let isProvisioned = accounts[account]?.isProvisioned ?? false
        accounts[account, default: Account(handles: handles)].devices += 1
        guard !isProvisioned else { return [] }
        disown(account)
        accounts[account]?.handles = handles
        own(account, handles)
        guard known.insert(account).inserted else { return [] }
        order.append(account)
        return removeSurplus()
    }

    /// Adds a guest's account, which belongs to this guest alone and is removed with the session.
    mutating func add(guest account: String, _ handles: [Handle]) {
        accounts[account, default: Account(handles: handles)].devices += 1
        own(account, handles)
    }

    private mutating func removeSurplus() -> [String] {
        var removed: [String] = []
        while known.count > Self.maximumUnprovisionedAccounts {
            let oldest = order[first]
            first += 1
            guard known.remove(oldest) != nil, let account = accounts[oldest], account.devices == 0 else { continue }
            removed.append(oldest)
        }
        for account in removed { removeAccount(account) }
        if first > Self.maximumUnprovisionedAccounts {
            order.removeFirst(first)
            first = 0
        }
        return removed
    }

    /// Notes that a device has signed out; returns true if the account is removed with it.
    mutating func noteSignOut(_ account: String) -> Bool {
        guard let devices = accounts[account]?.devices, devices > 0 else { return false }
        accounts[account]?.devices = devices - 1
        guard devices == 1, accounts[account]?.isProvisioned == false, !known.contains(account) else { return false }
        removeAccount(account)
        return true
    }

    /// Removes an erased account, unless it is on the list, that is, the operator has created it anew.
    mutating func removeUnlisted(_ account: String) {
        guard accounts[account]?.isProvisioned == false else { return }
        known.remove(account)
        removeAccount(account)
    }

    private mutating func removeAccount(_ account: String) {
        disown(account)
        accounts[account] = nil
    }

    // MARK: Looking up

    /// All accounts that are known, in no particular order.
    var all: [AdminAccount] {
        accounts.map { AdminAccount(account: $0.key, handles: $0.value.handles, devices: $0.value.devices) }
    }

    /// Returns the account's entry in the hub's list; nil: it is unlisted.
    func provisionedAccount(of account: String) -> AccountRecord? { accounts[account]?.provisionedAccount }

    /// Returns the owner of a handle.
    func lookUp(_ handle: Handle) -> LookUpResult.Target {
        if handle.type == .generic, let party = BuiltInParty(rawValue: handle.value) { return .builtIn(party) }
        return owners[handle.key].map { .account($0, CallerScreeningData()) } ?? .unknown
    }

    /// The maximum number of absent unlisted accounts that are distinguished from unknown ones, and whose data is kept.
    ///
    /// More: more calls fail as "offline" rather than "unknown", and more users keep their contacts; more memory.
    private static let maximumUnprovisionedAccounts = 10_000
}
