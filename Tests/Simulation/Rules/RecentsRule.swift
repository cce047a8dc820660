import HubEngine

/// What one event writes into the Recents: one entry an account for each call that is over (row CK-71).
struct RecentsRule {
    private struct Count: Hashable {
        var account: Int
        var isOutgoing: Bool
    }

    private var ended: [Count] = []
    private var entries: [Count] = []
    private var incomingEnded = 0

    /// A call has ended on a device.
    mutating func ended(_ call: CallSnapshot, of account: Int, keeps: Bool) {
        guard call.cause != .pulled else { return }
        if keeps, call.isOutgoing { ended.append(Count(account: account, isOutgoing: true)) }
        // Who is called may have no device: what ends for a caller is an entry for the callee, too.
        if call.isOutgoing || call.isExternal { incomingEnded += 1 }
    }

    /// An entry is written.
    mutating func remembered(_ call: RecentCall, of account: Int) {
        entries.append(Count(account: account, isOutgoing: call.isOutgoing))
        if call.isSilenced { incomingEnded += 1 }
    }

    /// The words of the rule that is broken.
    var fault: String? {
        guard !ended.isEmpty || !entries.isEmpty else { return nil }
        let outgoing = entries.filter(\.isOutgoing).sorted { $0.account < $1.account }
        if outgoing != ended.sorted(by: { $0.account < $1.account }) {
            return "each call that somebody placed is in his Recents once"
        }
        return entries.count - outgoing.count > incomingEnded ? "a call is in the callee's Recents once" : nil
    }
}
