import HubEngine

/// Who has which handle in `open` mode: an account is whoever says its name, and it is known while it was here lately.
struct AccountDirectory {
    /// The accounts that have been here, the oldest first; each once.
    private var order: [String] = []
    private var first = 0
    private var known: Set<String> = []
    private var devices: [String: Int] = [:]

    /// A device of the account has signed in; the accounts that are forgotten for it.
    mutating func arrived(_ account: String) -> [String] {
        devices[account, default: 0] += 1
        guard known.insert(account).inserted else { return [] }
        order.append(account)
        var forgotten: [String] = []
        while known.count > Self.maximumRemembered {
            known.remove(order[first])
            if devices[order[first]] == nil { forgotten.append(order[first]) }
            first += 1
        }
        guard first > Self.maximumRemembered else { return forgotten }
        order.removeFirst(first)
        first = 0
        return forgotten
    }

    /// A device of the account is gone; true where the account is forgotten with it.
    mutating func left(_ account: String) -> Bool {
        guard let count = devices[account] else { return false }
        devices[account] = count > 1 ? count - 1 : nil
        return count == 1 && !known.contains(account)
    }

    /// Who has a handle.
    func lookUp(_ handle: Handle) -> LookUpResult.Target {
        guard handle.type == .generic else { return .unknown }
        if let party = BuiltInParty(rawValue: handle.value) { return .builtIn(party) }
        let isKnown = devices[handle.value] != nil || known.contains(handle.value)
        return isKnown ? .account(handle.value, CallerKnowledge()) : .unknown
    }

    /// How many absent accounts are told apart from unknown ones, and remembered.
    ///
    /// More: more callers hear "offline", and more come back to their contacts; more memory.
    private static let maximumRemembered = 10_000
}
