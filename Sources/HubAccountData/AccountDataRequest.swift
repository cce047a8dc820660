public import HubEngine

/// A client's request for an account's stored data (protocol.md, Account data).
public enum AccountDataRequest: Hashable, Sendable {
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
    /// `contacts.put`; `photoHash` is the hash of a new photo (`settingPhotoHash`), and otherwise ignored.
    case putContact(Contact, photo: PhotoChange = .keep)
    /// `contacts.photo`.
    case contactPhoto(identifier: String)
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
    /// `directory.load` with `cancel`; `message`: the reason why the client could not load, nil: none to be kept.
    case cancelDirectoryLoad(identifier: String, message: String? = nil)
    /// `directory.reload`: the account's other devices are asked to load the extension again.
    case reloadDirectory(identifier: String)
    /// `directory.setEnabled`.
    case setDirectoryEnabled(identifier: String, Bool)
    /// `directory.status`; nil: of all extensions.
    case directoryStatus(identifier: String?)
    /// `account.erase`: all data of the account.
    case erase
}

/// The reply to a request for stored data.
public enum AccountDataReply: Hashable, Sendable {
    /// The request was carried out.
    case done
    /// The data was so already: nothing was changed.
    case ignored
    /// The settings in force.
    case settings(DeviceSettings)
    /// The block list.
    case blocked([BlockRule])
    /// The contacts.
    case contacts([Contact])
    /// The photo of a contact.
    case photo(StoredPhoto)
    /// A page of Recents, the newest first.
    case recents([RecentEntry])
    /// The sizes of a directory extension's lists after the load.
    case loaded(DirectoryLoadResult)
    /// The status of the directory extensions.
    case directories([DirectoryStatus])
}

/// The topics of change notifications to an account's devices.
public enum AccountDataTopic: String, Hashable, Sendable, CaseIterable {
    /// The recent calls.
    case recents
    /// The settings.
    case settings
    /// The contacts.
    case contacts
    /// The block list.
    case block
}

/// The reply to a request, and the topics of which the account's other devices are notified.
public struct AccountDataResult: Hashable, Sendable {
    /// The reply to the client.
    public var reply: AccountDataReply
    /// The topics that have changed.
    public var changed: [AccountDataTopic]
    /// The directory extension that the account's other devices are asked to load again; nil: none.
    public var reloadedDirectory: String?

    /// True if the request has changed nothing.
    var isUnchanged: Bool {
        switch reply {
        case .ignored: true
        case .settings: changed.isEmpty
        case .loaded(let result): result.isExpired
        default: false
        }
    }

    /// Returns the answer to a change that was made, or was not necessary.
    static func change(_ isChanged: Bool, of topic: AccountDataTopic) -> AccountDataResult {
        isChanged ? AccountDataResult(.done, changed: [topic]) : AccountDataResult(.ignored)
    }

    package init(_ reply: AccountDataReply, changed: [AccountDataTopic] = [], reloadedDirectory: String? = nil) {
        self.reply = reply
        self.changed = changed
        self.reloadedDirectory = reloadedDirectory
    }
}

extension AccountDataRequest {
    /// Returns the request with the hash of the photo that it adds, if any.
    ///
    /// - Parameter digest: The hash function, which this target does not have.
    /// - Returns: The request to execute.
    public func settingPhotoHash(_ digest: ([UInt8]) -> String) -> AccountDataRequest {
        switch self {
        case .putContact(var contact, .replace(let photo)):
            contact.photoHash = digest(photo.bytes)
            return .putContact(contact, photo: .replace(photo))
        case .setSettings(var update):
            if case .replace(let photo) = update.photo { update.photoHash = digest(photo.bytes) }
            return .setSettings(update)
        default: return self
        }
    }
}
