public import HubEngine

/// The result of a request.
public enum ReplyPayload: Hashable, Sendable {
    /// Of `session.open`.
    indirect case opened(SessionOpened)
    /// Of `session.ping`.
    case pong(JSONText?, now: Instant)
    /// Of `transaction.request`: accepted, not yet performed.
    case accepted(TransactionUUID, actions: [ActionUUID])
    /// Done; nothing to tell.
    case done
    /// A second or late answer to an action: nothing was changed.
    case ignored
    /// The configuration now in force.
    case configuration(ProviderConfiguration)
    /// What is not yet complete.
    case pending(transactions: [PendingTransaction], actions: [Action])
    /// The device's calls, and those on the account's other devices.
    case calls([CallSnapshot], elsewhere: [ObservedCall])
}

extension Reply {
    /// What the wire says to this reply.
    ///
    /// Nil for `opened`: the result of `session.open` holds what only the server knows, see `SessionOpened`.
    public var outcome: Result<ReplyPayload, WireError>? {
        switch self {
        case .opened: nil
        case .accepted(let transaction, let actions): .success(.accepted(transaction, actions: actions))
        case .done: .success(.done)
        case .ignored: .success(.ignored)
        case .configuration(let configuration): .success(.configuration(configuration))
        case .pending(let transactions, let actions):
            .success(.pending(transactions: transactions, actions: actions))
        case .calls(let calls, let elsewhere): .success(.calls(calls, elsewhere: elsewhere))
        case .refused(let refusal): .failure(WireError(refusal))
        }
    }
}
