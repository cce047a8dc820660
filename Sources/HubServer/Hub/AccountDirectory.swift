import HubEngine

/// Who has which handle in `open` mode: an account is whoever says its name, and it is known while it was here lately.
struct AccountDirectory {
    /// The accounts that have been here, the oldest first; each once.
    private var order: [String] = []
    private var first = 0
    private var known: Set<String> = []
    private var devices: [String: Int] = [:]

    /// A device of the account has signed in.
    mutating func arrived(_ account: String) {
        devices[account, default: 0] += 1
        guard known.insert(account).inserted else { return }
        order.append(account)
        while known.count > Self.maximumRemembered {
            known.remove(order[first])
            first += 1
        }
        guard first > Self.maximumRemembered else { return }
        order.removeFirst(first)
        first = 0
    }

    /// A device of the account is gone.
    mutating func left(_ account: String) {
        guard let count = devices[account] else { return }
        devices[account] = count > 1 ? count - 1 : nil
    }

    /// Who has a handle.
    func lookUp(_ handle: Handle) -> LookUpResult {
        guard handle.type == .generic else { return LookUpResult(.unknown) }
        if let party = BuiltInParty(rawValue: handle.value) { return LookUpResult(.builtIn(party)) }
        let isKnown = devices[handle.value] != nil || known.contains(handle.value)
        return LookUpResult(isKnown ? .account(handle.value, CallerKnowledge()) : .unknown)
    }

    /// How many absent accounts are told apart from unknown ones.
    ///
    /// More: more callers hear "offline"; more memory.
    private static let maximumRemembered = 10_000
}
