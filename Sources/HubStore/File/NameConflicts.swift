import HubEngine

/// The accounts of a database that compared names by case, with the conflicts solved that arise without it.
///
/// The account that was stored first keeps a name or a handle. Another one gets a free name, `Alice-2`, and so does a
/// handle that is a name. An e-mail address is taken from the other account, since no other address is its own.
struct NameConflicts {
    /// An account as it is stored.
    struct Account {
        let id: Int64
        var name: String
        var handles: [Handle]
    }

    /// The change of an account.
    struct Change {
        let id: Int64
        let formerName: String
        let name: String
        /// The party that has the name; nil: the account keeps it.
        let nameOwner: Owner?
        /// The handles that other parties have.
        var handles: [HandleChange] = []
    }

    /// A handle that another party has, and the one by which the account is called instead.
    struct HandleChange {
        let former: Handle
        let present: Handle
        let owner: Owner
    }

    /// The party that keeps a name or a handle.
    enum Owner: Hashable {
        case account(String)
        case builtIn
    }

    /// The accounts with their present names and handles, in the order in which they keep them.
    private(set) var accounts: [Account] = []
    /// The changed accounts, in the same order.
    private(set) var changes: [Change] = []

    /// The keys of all names, of accounts and of handles, that no account may be given.
    private var occupied = Set(BuiltInParty.allCases.map(\.rawValue))
    /// The accounts and built-in parties by the keys of their names and of their handles.
    private var nameOwners: [String: Owner] = [:]
    private var handleOwners: [String: Owner] = [:]

    /// Solves the conflicts.
    ///
    /// - Parameter stored: All accounts in the order in which they keep their names; no two have a name or a handle in
    ///   the same spelling.
    init(_ stored: [Account]) {
        for party in BuiltInParty.allCases {
            nameOwners[party.rawValue] = .builtIn
            handleOwners[party.handle.storedKey] = .builtIn
        }
        for account in stored {
            occupied.insert(account.name.nameKey)
            for handle in account.handles where handle.type == .generic { occupied.insert(handle.value.nameKey) }
        }
        let renamed = stored.map { account in rename(account) }
        for (account, change) in renamed {
            var (account, change) = (account, change)
            changeHandles(of: &account, &change)
            accounts.append(account)
            if change.nameOwner != nil || !change.handles.isEmpty { changes.append(change) }
        }
    }

    // MARK: Names

    private mutating func rename(_ stored: Account) -> (Account, Change) {
        var account = stored
        let formerName = account.name
        let owner = nameOwners[formerName.nameKey]
        if owner != nil { account.name = freeName(like: formerName) }
        nameOwners[account.name.nameKey] = .account(account.name)
        let change = Change(id: account.id, formerName: formerName, name: account.name, nameOwner: owner)
        return (account, change)
    }

    /// Returns a name that no account and no handle has, `Alice-2`, and occupies it.
    private mutating func freeName(like name: String) -> String {
        var number = 2
        while true {
            let suffix = "-\(number)"
            var start = name
            while start.utf8.count + suffix.utf8.count > Self.maximumNameBytes, !start.isEmpty { start.removeLast() }
            if occupied.insert((start + suffix).nameKey).inserted { return start + suffix }
            number += 1
        }
    }

    /// The maximum length of an account's name in bytes, as the hub has it at sign-in.
    private static let maximumNameBytes = 128

    // MARK: Handles

    /// Leaves an account the handles that no earlier account has.
    private mutating func changeHandles(of account: inout Account, _ change: inout Change) {
        let own = Owner.account(account.name)
        let stored = account.handles
        var removed: [(Handle, Owner)] = []
        account.handles = []
        for handle in stored {
            switch handleOwners[handle.storedKey] {
            case own: continue
            case nil: add(handle, to: &account)
            case let owner?:
                guard handle.type == .generic else {
                    removed.append((handle, owner))
                    continue
                }
                let isName = change.nameOwner != nil && handle.value.nameKey == change.formerName.nameKey
                let present = Handle.generic(isName ? account.name : freeName(like: handle.value))
                add(present, to: &account)
                change.handles.append(HandleChange(former: handle, present: present, owner: owner))
            }
        }
        for (handle, owner) in removed {
            let present = account.handles.first ?? nameHandle(of: account)
            add(present, to: &account)
            change.handles.append(HandleChange(former: handle, present: present, owner: owner))
        }
        guard stored.isEmpty else { return }
        // An account without stored handles is called by its name.
        let present = Handle.generic(account.name)
        if handleOwners[present.storedKey] == nil { handleOwners[present.storedKey] = own }
        if let owner = change.nameOwner {
            let former = Handle.generic(change.formerName)
            change.handles.append(HandleChange(former: former, present: present, owner: owner))
        }
    }

    private mutating func add(_ handle: Handle, to account: inout Account) {
        guard handleOwners[handle.storedKey] == nil else { return }
        handleOwners[handle.storedKey] = .account(account.name)
        account.handles.append(handle)
    }

    /// Returns the handle that is an account's name, or like it.
    private mutating func nameHandle(of account: Account) -> Handle {
        let handle = Handle.generic(account.name)
        return handleOwners[handle.storedKey] == nil ? handle : .generic(freeName(like: account.name))
    }
}
