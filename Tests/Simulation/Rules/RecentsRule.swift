import HubEngine

/// The entries that one event writes into the Recents: one an account for each call that ended (row CK-71).
struct RecentsRule {
    private struct Count: Hashable {
        var account: Int
        var isOutgoing: Bool
    }

    /// A conversation that has ended.
    private struct Ended {
        var isTransferred: Bool
        /// The number of its calls that were placed.
        var outgoing = 0
    }

    private var ended: [Count] = []
    private var entries: [Count] = []
    /// Looked up and added up, in no order that counts.
    private var conversations: [ConversationID: Ended] = [:]
    private var incomingEnded = 0

    /// Records that a call has ended on a device, or that a transfer has taken it to another conversation.
    ///
    /// - Parameters:
    ///   - call: Its last state in the conversation.
    ///   - account: The owner.
    ///   - keeps: True if its provider keeps calls in Recents.
    ///   - conversation: The conversation that has ended; nil: the call ended in the event in which it appeared.
    ///   - isTransferred: True if a transfer has made the conversation, so that either party's call may be incoming.
    ///   - isBeingPlaced: True if the new other party of a transferred call has not answered: it counts as placed.
    mutating func ended(
        _ call: CallSnapshot,
        of account: Int,
        keeps: Bool,
        in conversation: ConversationID?,
        isTransferred: Bool,
        isBeingPlaced: Bool
    ) {
        guard call.cause != .pulled else { return }
        let isOutgoing = call.isOutgoing || isBeingPlaced
        if keeps, isOutgoing { ended.append(Count(account: account, isOutgoing: true)) }
        guard let conversation else {
            // The callee may have no device: a caller's call that ends has an entry of the callee's, too.
            if isOutgoing || call.isExternal { incomingEnded += 1 }
            return
        }
        conversations[conversation, default: Ended(isTransferred: isTransferred)].outgoing += isOutgoing ? 1 : 0
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
        // One entry a party: the one who was called, and in a transferred conversation also one who had been called.
        let incoming = conversations.values.reduce(incomingEnded) { sum, conversation in
            sum + (conversation.isTransferred ? max(0, 2 - conversation.outgoing) : 1)
        }
        return entries.count - outgoing.count > incoming ? "a call is in the callee's Recents once" : nil
    }
}
