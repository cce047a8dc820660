import HubEngine
import HubWire

/// Who has which handle: the accounts of the hub's own list, and those that were here lately without being on it.
///
/// In `open` mode an account is whoever says its name, a token names accounts that no list has: such a one is known while it
/// is here, and for a while after.
struct AccountDirectory {
    private struct Account {
        var handles: [Handle]
        /// What the hub's list says of it; nil: it is not on it.
        var listing: ListedAccount?
        var isListed: Bool { listing != nil }
        /// Of its devices, how many are here.
        var devices = 0
    }

    private var accounts: [String: Account] = [:]
    /// By what two spellings of a handle have in common.
    private var owners: [Handle: String] = [:]
    /// The unlisted accounts that have been here, the oldest first; each once.
    private var order: [String] = []
    private var first = 0
    private var known: Set<String> = []

    // MARK: The hub's own list

    /// Takes the hub's list over, in place of the former one.
    ///
    /// - Parameter list: The accounts with their handles; no handle twice.
    /// - Returns: The accounts that are on it no more: nobody may be signed in as one of them.
    mutating func take(list: [ListedAccount]) -> [String] {
        let former = accounts.filter(\.value.isListed).keys
        let names = Set(list.map(\.name))
        let removed = former.filter { !names.contains($0) }.sorted()
        for name in former { disown(name) }
        for name in removed { accounts[name] = nil }
        for account in list {
            // Somebody may be here under that name already, without having been on the list.
            disown(account.name)
            known.remove(account.name)
            let devices = accounts[account.name]?.devices ?? 0
            accounts[account.name] = Account(handles: account.handles, listing: account, devices: devices)
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

    // MARK: Who comes and goes

    /// A handle that somebody else has; nil: none of them.
    func taken(_ handles: [Handle], by account: String) -> Handle? {
        handles.first { owners[$0.key].map { $0 != account } ?? false }
    }

    /// An account that is not on the list is known from an earlier run; the accounts that are forgotten for it.
    mutating func restore(_ account: String, _ handles: [Handle]) -> [String] {
        defer { _ = left(account) }
        return arrived(account, handles)
    }

    /// A device of the account has signed in; the accounts that are forgotten for it.
    mutating func arrived(_ account: String, _ handles: [Handle]) -> [String] {
        let isListed = accounts[account]?.isListed ?? false
        accounts[account, default: Account(handles: handles)].devices += 1
        guard !isListed else { return [] }
        disown(account)
        accounts[account]?.handles = handles
        own(account, handles)
        guard known.insert(account).inserted else { return [] }
        order.append(account)
        return forgetSurplus()
    }

    /// A guest is here, by an account that nobody else has, and that goes with him.
    mutating func welcome(guest account: String, _ handles: [Handle]) {
        accounts[account, default: Account(handles: handles)].devices += 1
        own(account, handles)
    }

    private mutating func forgetSurplus() -> [String] {
        var forgotten: [String] = []
        while known.count > Self.maximumRemembered {
            let oldest = order[first]
            first += 1
            guard known.remove(oldest) != nil, let account = accounts[oldest], account.devices == 0 else { continue }
            forgotten.append(oldest)
        }
        for account in forgotten { forget(account) }
        if first > Self.maximumRemembered {
            order.removeFirst(first)
            first = 0
        }
        return forgotten
    }

    /// A device of the account is gone; true where the account is forgotten with it.
    mutating func left(_ account: String) -> Bool {
        guard let devices = accounts[account]?.devices, devices > 0 else { return false }
        accounts[account]?.devices = devices - 1
        guard devices == 1, accounts[account]?.isListed == false, !known.contains(account) else { return false }
        forget(account)
        return true
    }

    /// An account was erased; one that is on the list is the operator's, who has made it anew.
    mutating func forgetVisitor(_ account: String) {
        guard accounts[account]?.isListed == false else { return }
        known.remove(account)
        forget(account)
    }

    private mutating func forget(_ account: String) {
        disown(account)
        accounts[account] = nil
    }

    // MARK: Looking up

    /// All accounts that are known, in no order that means anything.
    var all: [AdminAccount] {
        accounts.map { AdminAccount(account: $0.key, handles: $0.value.handles, devices: $0.value.devices) }
    }

    /// What the hub's list says of an account; nil: it is not on it.
    func listing(of account: String) -> ListedAccount? { accounts[account]?.listing }

    /// Who has a handle.
    func lookUp(_ handle: Handle) -> LookUpResult.Target {
        if handle.type == .generic, let party = BuiltInParty(rawValue: handle.value) { return .builtIn(party) }
        return owners[handle.key].map { .account($0, CallerKnowledge()) } ?? .unknown
    }

    /// How many absent accounts that are on no list are told apart from unknown ones, and remembered.
    ///
    /// More: more callers hear "offline", and more come back to their contacts; more memory.
    private static let maximumRemembered = 10_000
}
