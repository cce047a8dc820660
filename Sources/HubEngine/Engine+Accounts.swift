/// Accounts: found by name where a name comes in, by their place from then on.
extension Engine {
    func account(named name: String) -> AccountID? { accountIDs[name] }

    /// The account of that name, made where there is none.
    mutating func makeAccount(named name: String) -> AccountID {
        if let known = account(named: name) { return known }
        let id = accounts.insert(Account(name: name))
        accountIDs[name] = id
        return id
    }

    func sessions(of account: AccountID) -> [SessionID] { accounts[account]?.sessions ?? [] }

    /// Forgets an account on which no device is signed in and for which nobody waits.
    mutating func forgetAccountIfUnused(_ id: AccountID) {
        guard let account = accounts[id], account.sessions.isEmpty, account.ringing.isEmpty else { return }
        accountIDs[account.name] = nil
        accounts.remove(id)
    }
}
