import HubEngine

/// The callers that an account blocks (row CK-11), in the order in which they were added.
struct BlockList: Hashable, Sendable {
    private(set) var rules: [BlockRule] = []
    private var keys: Set<BlockRule> = []
    private var byteCount = 0

    /// Indicates that a caller is blocked, by the handle, the beginning of the number or the invitation.
    func blocks(_ caller: Handle, invitation: InvitationID?) -> Bool {
        if keys.contains(.handle(caller.key)) { return true }
        if let invitation, keys.contains(.invitation(invitation)) { return true }
        guard let number = caller.phoneNumber else { return false }
        let digits = String(number)
        return digits.indices.contains { keys.contains(.prefix(String(digits[...$0]))) }
    }

    /// Adds a rule; false if it is in the list already.
    mutating func add(_ rule: BlockRule, limits: AccountDataLimits) throws(AccountDataError) -> Bool {
        guard !keys.contains(rule.key) else { return false }
        let bytes = byteCount + rule.byteCount
        guard rules.count < limits.maximumListEntries, bytes <= limits.maximumListBytes else {
            throw .tooMany("the block list is full; remove some of its \(rules.count) entries first")
        }
        byteCount = bytes
        rules.append(rule)
        keys.insert(rule.key)
        return true
    }

    /// Removes a rule; false if it is not in the list.
    mutating func remove(_ rule: BlockRule) -> Bool {
        guard keys.remove(rule.key) != nil, let index = rules.firstIndex(where: { $0.key == rule.key }) else {
            return false
        }
        byteCount -= rules[index].byteCount
        rules.remove(at: index)
        return true
    }
}
