/// What a client may ask of the hub's memory (protocol.md 9).
public enum MemoryRequest: Hashable, Sendable {
    /// `settings.get`.
    case getSettings
    /// `settings.set`.
    case setSettings(SettingsUpdate)
    /// `block.list`.
    case listBlocked
    /// `block.add`.
    case block(BlockRule)
    /// `block.remove`.
    case unblock(BlockRule)
    /// `contacts.list`.
    case listContacts
    /// `contacts.put`.
    case putContact(Contact)
    /// `contacts.remove`.
    case removeContact(identifier: String)
    /// `recents.list`: `limit` nil: the hub's default; `before` nil: from the newest.
    case listRecents(limit: Int?, before: RecentUUID?)
    /// `recents.markSeen`; nil: all.
    case markRecentsSeen([RecentUUID]?)
    /// `recents.remove`; nil: all.
    case removeRecents([RecentUUID]?)
    /// `directory.load`.
    indirect case loadDirectory(DirectoryLoad)
    /// `directory.load` with `cancel`.
    case cancelDirectoryLoad(identifier: String)
    /// `directory.setEnabled`.
    case setDirectoryEnabled(identifier: String, Bool)
    /// `directory.status`; nil: of all extensions.
    case directoryStatus(identifier: String?)
    /// `account.erase`: all that is remembered of the account.
    case erase
}

/// What the memory answers.
public enum MemoryReply: Hashable, Sendable {
    /// Done.
    case done
    /// It was so already: nothing was changed.
    case ignored
    /// The settings in force.
    case settings(ShownSettings)
    /// The block list.
    case blocked([BlockRule])
    /// The contacts.
    case contacts([Contact])
    /// A page of Recents, the newest first.
    case recents([RecentEntry])
    /// What a directory extension has now.
    case loaded(DirectoryLoadResult)
    /// The directory extensions.
    case directories([DirectoryStatus])
}

/// What the account's devices are kept in step about.
public enum MemoryTopic: String, Hashable, Sendable, CaseIterable {
    /// The last calls.
    case recents
    /// The settings.
    case settings
    /// The contacts.
    case contacts
    /// The block list.
    case block
}

/// Who asks.
public struct MemoryAsker: Hashable, Sendable {
    /// The account whose memory it is.
    public var account: String
    /// The device, by its own name for itself.
    public var device: String
    /// The device's session: a load in several batches is one session's.
    public var session: SessionID

    /// An asker of its parts.
    public init(account: String, device: String, session: SessionID) {
        self.account = account
        self.device = device
        self.session = session
    }
}

/// What the memory answers, and what the account's other devices must be told.
public struct MemoryAnswer: Hashable, Sendable {
    /// The answer.
    public var reply: MemoryReply
    /// What has changed.
    public var changed: [MemoryTopic]

    /// Whether everything is as it was.
    var isNothingNew: Bool {
        switch reply {
        case .ignored: true
        case .settings: changed.isEmpty
        case .loaded(let result): result.isExpired
        default: false
        }
    }

    /// A change that was made, or was not necessary.
    static func change(_ isChanged: Bool, of topic: MemoryTopic) -> MemoryAnswer {
        isChanged ? MemoryAnswer(.done, changed: [topic]) : MemoryAnswer(.ignored)
    }

    package init(_ reply: MemoryReply, changed: [MemoryTopic] = []) {
        self.reply = reply
        self.changed = changed
    }
}
