/// Accounts: looked up by name at the API, by slot from then on.
extension Engine {
    func account(named name: String) -> AccountID? { accountIDs[name] }

    /// Returns the account of that name, and creates it if there is none.
    mutating func makeAccount(named name: String) -> AccountID {
        if let known = account(named: name) { return known }
        let id = accounts.insert(Account(name: name))
        accountIDs[name] = id
        return id
    }

    func sessions(of account: AccountID?) -> [SessionID] {
        guard let account else { return [] }
        return accounts[account]?.sessions ?? []
    }

    /// Removes an account if no device is signed in and no call waits for one.
    mutating func removeAccountIfUnused(_ id: AccountID) {
        guard let account = accounts[id], account.sessions.isEmpty, account.ringing.isEmpty else { return }
        accountIDs[account.name] = nil
        accounts.remove(id)
    }
}
