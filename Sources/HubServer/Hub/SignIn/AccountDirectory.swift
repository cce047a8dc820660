import HubAccountData
import HubEngine
import HubWire

/// The owners of handles: accounts of the hub's own list, and unlisted ones that have signed in recently.
///
/// In `open` mode any name is an account, and a token may name an account that is on no list: such an account is known
/// while it is signed in, and for a while after.
///
/// Names are compared without case. An account is spelled as it was created, or at its first sign-in; while a device is
/// signed in, its spelling does not change.
struct AccountDirectory {
    private struct Account {
        /// The spelling that all of its sessions have.
        var name: String
        var handles: [Handle]
        /// The account's entry in the hub's list; nil: it is unlisted.
        var provisionedAccount: AccountRecord?
        var isProvisioned: Bool { provisionedAccount != nil }
        /// The number of its devices that are signed in.
        var devices = 0
        /// The name and department in the last token that had any.
        var tokenProfile = PersonProfile()
        /// True if others may find the account unless its user has decided.
        var isListedByDefault = true
        /// True if the account is a guest's.
        var isGuest = false
    }

    /// An account as others may find it.
    struct House {
        /// The handles, at least one.
        var handles: [Handle]
        /// The name and department that the operator or a token gives.
        var profile: PersonProfile
        /// True if others may find the account unless its user has decided.
        var isListedByDefault: Bool
    }

    private var accounts: [FoldedName: Account] = [:]
    /// The owners by normalized handle.
    private var owners: [Handle: FoldedName] = [:]
    /// The unlisted accounts that have signed in, the oldest first; each once.
    private var order: [FoldedName] = []
    private var first = 0
    private var known: Set<FoldedName> = []

    // MARK: The hub's own list

    /// Replaces the hub's list.
    ///
    /// - Parameter list: The accounts with their handles; no handle twice.
    /// - Returns: The accounts that are no longer on it, whose sessions must be ended, and those that are new or
    ///   different.
    mutating func accept(list: [AccountRecord]) -> (removed: [String], changed: [String]) {
        let changed = list.filter { accounts[FoldedName($0.name)]?.provisionedAccount != $0 }.map(\.name)
        let former = accounts.filter(\.value.isProvisioned)
        let keys = Set(list.map { FoldedName($0.name) })
        let removed = former.filter { !keys.contains($0.key) }
        for key in former.keys { disown(key) }
        for key in removed.keys { accounts[key] = nil }
        for account in list {
            // An unlisted account of that name may be signed in already.
            let key = FoldedName(account.name)
            disown(key)
            known.remove(key)
            var listed = accounts[key] ?? Account(name: account.name, handles: [])
            if listed.devices == 0 { listed.name = account.name }
            listed.handles = account.handles
            listed.provisionedAccount = account
            accounts[key] = listed
            own(key, account.handles)
        }
        return (removed.values.map(\.name).sorted(), changed)
    }

    private mutating func own(_ key: FoldedName, _ handles: [Handle]) {
        for handle in handles { owners[handle.key] = key }
    }

    private mutating func disown(_ key: FoldedName) {
        for handle in accounts[key]?.handles ?? [] where owners[handle.key] == key { owners[handle.key] = nil }
    }

    // MARK: Sign-ins and departures

    /// Returns the first handle that another account has; nil: none.
    func handleOfAnotherAccount(_ handles: [Handle], by account: String) -> Handle? {
        let key = FoldedName(account)
        return handles.first { owners[$0.key].map { $0 != key } ?? false }
    }

    /// Restores an unlisted account of an earlier run; returns the accounts that are removed to make room.
    mutating func restore(_ account: AccountRecord) -> [String] {
        defer { _ = noteSignOut(account.name) }
        return noteSignIn(account)
    }

    /// Notes that a device has signed in.
    ///
    /// - Parameter session: The account's name and handles, and the profile in its token.
    /// - Returns: The accounts that are removed to make room.
    mutating func noteSignIn(_ session: AccountRecord) -> [String] {
        let (key, handles) = (FoldedName(session.name), session.handles)
        let isProvisioned = accounts[key]?.isProvisioned ?? false
        accounts[key, default: Account(name: session.name, handles: handles)].devices += 1
        if session.profile != PersonProfile() { accounts[key]?.tokenProfile = session.profile }
        guard !isProvisioned else { return [] }
        accounts[key]?.isListedByDefault = session.isListedByDefault
        disown(key)
        accounts[key]?.handles = handles
        own(key, handles)
        guard known.insert(key).inserted else { return [] }
        order.append(key)
        return removeSurplus()
    }

    /// Adds a guest's account, which belongs to this guest alone and is removed with the session.
    mutating func add(guest account: String, _ handles: [Handle]) {
        let key = FoldedName(account)
        accounts[key, default: Account(name: account, handles: handles, isGuest: true)].devices += 1
        own(key, handles)
    }

    private mutating func removeSurplus() -> [String] {
        var removed: [String] = []
        while known.count > Self.maximumUnprovisionedAccounts {
            let oldest = order[first]
            first += 1
            guard known.remove(oldest) != nil, let account = accounts[oldest], account.devices == 0 else { continue }
            removed.append(account.name)
            removeAccount(oldest)
        }
        if first > Self.maximumUnprovisionedAccounts {
            order.removeFirst(first)
            first = 0
        }
        return removed
    }

    /// Notes that a device has signed out; returns true if the account is removed with it.
    mutating func noteSignOut(_ account: String) -> Bool {
        let key = FoldedName(account)
        guard let devices = accounts[key]?.devices, devices > 0 else { return false }
        accounts[key]?.devices = devices - 1
        guard devices == 1 else { return false }
        if let provisioned = accounts[key]?.provisionedAccount {
            accounts[key]?.name = provisioned.name
            return false
        }
        guard !known.contains(key) else { return false }
        removeAccount(key)
        return true
    }

    /// Removes an erased account, unless it is on the list, that is, the operator has created it anew.
    mutating func removeUnlisted(_ account: String) {
        let key = FoldedName(account)
        guard accounts[key]?.isProvisioned == false else { return }
        known.remove(key)
        removeAccount(key)
    }

    private mutating func removeAccount(_ key: FoldedName) {
        disown(key)
        accounts[key] = nil
    }

    // MARK: Looking up

    /// All accounts that are known, in no particular order.
    var all: [AdminAccount] {
        accounts.values.map { AdminAccount(account: $0.name, handles: $0.handles, devices: $0.devices) }
    }

    /// Returns the account's entry in the hub's list; nil: it is unlisted.
    func provisionedAccount(of account: String) -> AccountRecord? { accounts[FoldedName(account)]?.provisionedAccount }

    /// Returns an identity whose account is spelled as in the sessions that it has, or as it was created.
    ///
    /// The engine has one spelling of each account. A handle that is the account's name is spelled like it, and of two
    /// spellings of one handle the first stays.
    func spelled(_ identity: AuthenticatedIdentity) -> AuthenticatedIdentity {
        let name = accounts[FoldedName(identity.account)]?.name ?? identity.account
        let given = Handle.generic(identity.account)
        var known: Set<Handle> = []
        var identity = identity
        identity.account = name
        identity.handles = identity.handles.filter { known.insert($0.key).inserted }
            .map { $0 == given ? .generic(name) : $0 }
        return identity
    }

    /// The names of all accounts that are known, in no particular order.
    var names: [String] { accounts.values.map(\.name) }

    /// Returns the name of an account as the engine has it; one that is not known is returned as it is.
    func spelled(_ account: String) -> String { accounts[FoldedName(account)]?.name ?? account }

    /// Returns the name of the account that has a handle; nil: nobody has it.
    func owner(of handle: Handle) -> String? { owners[handle.key].flatMap { accounts[$0]?.name } }

    /// Returns an account as others may find it; nil: there is none, it has no handle, or it is a guest's.
    func house(of account: String) -> House? {
        guard let known = accounts[FoldedName(account)], !known.isGuest, !known.handles.isEmpty else { return nil }
        let given = known.provisionedAccount?.profile ?? PersonProfile()
        return House(
            handles: known.handles,
            profile: PersonProfile(
                name: given.name ?? known.tokenProfile.name,
                department: given.department ?? known.tokenProfile.department
            ),
            isListedByDefault: known.provisionedAccount?.isListedByDefault ?? known.isListedByDefault
        )
    }

    /// Returns the owner of a handle.
    func lookUp(_ handle: Handle) -> LookUpResult.Target {
        let key = handle.key
        if key.type == .generic, let party = BuiltInParty(rawValue: key.value) { return .builtIn(party) }
        guard let owner = owners[key], let account = accounts[owner] else { return .unknown }
        return .account(account.name, CallerScreeningData())
    }

    /// The maximum number of absent unlisted accounts that are distinguished from unknown ones, and whose data is kept.
    ///
    /// More: more calls fail as "offline" rather than "unknown", and more users keep their contacts; more memory.
    private static let maximumUnprovisionedAccounts = 10_000
}
