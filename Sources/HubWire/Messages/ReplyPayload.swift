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
    /// Of `session.refresh`: until when the session may go on.
    case refreshed(expiresAt: Instant)
    /// Of `settings.get` and `settings.set`.
    case settings(ShownSettings)
    /// Of `block.list`.
    case blocked([BlockRule])
    /// Of `contacts.list`.
    case contacts([Contact])
    /// Of `recents.list`, the newest first.
    case recents([RecentEntry])
    /// Of `directory.load`.
    case directoryLoaded(DirectoryLoadResult)
    /// Of `directory.status`.
    case directories([DirectoryStatus])
    /// Of `push.key`: a point of P-256, uncompressed (RFC 8292).
    case pushKey([UInt8])
    /// Of the `admin` methods that list something.
    case admin(AdminReply)

    /// What the memory answers, as it is.
    public init(_ reply: MemoryReply) {
        self =
            switch reply {
            case .done: .done
            case .ignored: .ignored
            case .settings(let settings): .settings(settings)
            case .blocked(let handles): .blocked(handles)
            case .contacts(let contacts): .contacts(contacts)
            case .recents(let entries): .recents(entries)
            case .loaded(let result): .directoryLoaded(result)
            case .directories(let extensions): .directories(extensions)
            }
    }
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
