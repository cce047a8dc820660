import HubEngine

/// The entries that one event writes into the Recents: one an account for each call that ended (row CK-71).
struct RecentsRule {
    private struct Count: Hashable {
        var account: Int
        var isOutgoing: Bool
    }

    private var ended: [Count] = []
    private var entries: [Count] = []
    private var incomingEnded = 0

    /// Records that a call has ended on a device.
    mutating func ended(_ call: CallSnapshot, of account: Int, keeps: Bool) {
        guard call.cause != .pulled else { return }
        if keeps, call.isOutgoing { ended.append(Count(account: account, isOutgoing: true)) }
        // The callee may have no device: a caller's call that ends has an entry of the callee's, too.
        if call.isOutgoing || call.isExternal { incomingEnded += 1 }
    }

    /// Records that an entry is written.
    mutating func recentAdded(_ call: RecentCall, of account: Int) {
        entries.append(Count(account: account, isOutgoing: call.isOutgoing))
        if call.isSilenced { incomingEnded += 1 }
    }

    /// The description of the violated rule, or nil.
    var fault: String? {
        guard !ended.isEmpty || !entries.isEmpty else { return nil }
        let outgoing = entries.filter(\.isOutgoing).sorted { $0.account < $1.account }
        if outgoing != ended.sorted(by: { $0.account < $1.account }) {
            return "each placed call is in its caller's Recents once"
        }
        return entries.count - outgoing.count > incomingEnded ? "a call is in the callee's Recents once" : nil
    }
}
