public import HubAccountData
public import HubEngine

/// The result of a request.
public enum ReplyPayload: Hashable, Sendable {
    /// The result of `session.open`.
    indirect case opened(SessionOpenResult)
    /// The result of `session.ping`.
    case pong(RawJSON?, now: Instant)
    /// The result of `transaction.request`: accepted, not yet performed.
    case accepted(TransactionUUID, actions: [ActionUUID])
    /// The request is done, and has no result.
    case done
    /// A second or late response to an action, which changed nothing.
    case ignored
    /// The provider's configuration now in force.
    case configuration(ProviderConfiguration)
    /// The transactions and actions that are not yet complete.
    case pending(transactions: [PendingTransaction], actions: [Action])
    /// The device's calls, and those on the account's other devices.
    case calls([CallSnapshot], elsewhere: [ObservedCall])
    /// The result of `session.refresh`: the new expiry of the session.
    case refreshed(expiresAt: Instant)
    /// The result of `settings.get` and `settings.set`.
    case settings(DeviceSettings)
    /// The result of `block.list`.
    case blocked([BlockRule])
    /// The result of `contacts.list`.
    case contacts([Contact])
    /// The result of `contacts.photo` and `people.photo`: the image data.
    case photo([UInt8])
    /// The result of `recents.list`, the newest first.
    case recents([RecentEntry])
    /// The result of `directory.load`.
    case directoryLoaded(DirectoryLoadResult)
    /// The result of `directory.status`.
    case directories([DirectoryStatus])
    /// The result of `push.key`: an uncompressed point of P-256 (RFC 8292).
    case pushKey([UInt8])
    /// The result of `people.list` and `people.subscribe`; `next` is the start of the next page, nil: there is none.
    case people([Person], next: String? = nil)
    /// The result of `provider.list`.
    case providers([ListedProvider])
    /// The result of `provider.media`: the image or sound data.
    case media([UInt8])
    /// The result of the `admin` methods that list something.
    case admin(AdminReply)
    /// The result of a method about invitations.
    case invitation(InvitationReply)
    /// The result of a method about passkeys.
    case passkey(PasskeyReply)

    /// Converts the result of a request for the account's data.
    public init(_ reply: AccountDataReply) {
        self =
            switch reply {
            case .done: .done
            case .ignored: .ignored
            case .settings(let settings): .settings(settings)
            case .blocked(let handles): .blocked(handles)
            case .contacts(let contacts): .contacts(contacts)
            case .photo(let photo): .photo(photo.bytes ?? [])
            case .recents(let entries): .recents(entries)
            case .loaded(let result): .directoryLoaded(result)
            case .directories(let extensions): .directories(extensions)
            }
    }
}

extension Reply {
    /// The response to send.
    ///
    /// Nil for `opened`: the result of `session.open` has members that only the server can set (`SessionOpenResult`).
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
