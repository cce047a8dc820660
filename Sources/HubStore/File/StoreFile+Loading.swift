import HubAccountData
import HubEngine

/// Loading the stored state when a hub starts.
extension StoreFile {
    /// Reads all stored data.
    ///
    /// A damaged directory is left out with a warning; its client is asked to load all of it again.
    ///
    /// - Returns: The data, all of one moment.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func load() throws(StoreError) -> StoredHub {
        try atomically { () throws(StoreError) in
            var hub = StoredHub()
            hub.accounts = try accounts()
            try rows("SELECT name, value FROM secrets") { hub.secrets[$0.text(0)] = $0.bytes(1) }
            hub.revokedInvitations = try revokedInvitations()
            try rows("SELECT text FROM notices ORDER BY id") { hub.notices.append($0.text(0)) }
            hub.storedData = try storedData(nil, &hub.warnings)
            return hub
        }
    }

    /// The stored data of one account, or of all.
    func storedData(_ name: String?, _ warnings: inout [String]) throws(StoreError) -> [StoredAccountData] {
        let key = name?.nameKey
        var accountData = AccountsBuilder()
        try rows("SELECT id, name FROM accounts ORDER BY id") { row in
            if key == nil || key == row.text(1).nameKey {
                accountData.add(StoredAccountData(name: row.text(1)), row.integer(0))
            }
        }
        try readSettings(&accountData)
        try readOwnPhotos(&accountData)
        try readBlockRules(&accountData)
        try readContacts(&accountData)
        try readRecents(&accountData)
        try readDirectories(&accountData, &warnings)
        return accountData.accounts
    }

    private func readSettings(_ accountData: inout AccountsBuilder) throws(StoreError) {
        try rows(
            """
            SELECT account, do_not_disturb, quiet_hours, time_zone, quiet_devices, display_name, is_named_in_groups,
                is_listed, accepts_transferred_strangers, hold_audio
            FROM settings
            """
        ) { row in
            var settings = AccountSettings()
            settings.doNotDisturb = row.flag(1)
            settings.quietHours = QuietHoursColumn.hours(row.text(2))
            settings.quietHoursSkippedUntil = QuietHoursColumn.skippedUntil(row.text(2))
            settings.timeZone = row.text(3)
            settings.quietDevices = Set(StoredStrings.texts(row.text(4)))
            settings.displayName = row.text(5)
            settings.isNamedInGroups = row.flag(6)
            settings.isListed = row.optionalInteger(7).map { $0 != 0 }
            settings.acceptsTransferredStrangers = row.flag(8)
            settings.holdAudio = row.optionalText(9).flatMap(HoldAudioChoice.init(rawValue:)) ?? .hub
            accountData.with(row.integer(0)) { $0.settings = settings }
        }
    }

    /// Reads the hashes and sizes of the users' own photos.
    private func readOwnPhotos(_ accountData: inout AccountsBuilder) throws(StoreError) {
        try rows("SELECT account, hash, length(data) FROM photos WHERE key = ?", [.text(Self.ownPhoto.key)]) { row in
            let byteCount = Int(clamping: row.integer(2))
            let hash = row.text(1)
            accountData.with(row.integer(0)) { account in
                account.settings.photoHash = hash
                account.photo = .inStore(byteCount: byteCount)
            }
        }
    }

    private func readBlockRules(_ accountData: inout AccountsBuilder) throws(StoreError) {
        try rows("SELECT account, type, value FROM block_rules ORDER BY id") { row in
            guard let rule = BlockRule(stored: row.optionalInteger(1), row.text(2)) else { return }
            accountData.with(row.integer(0)) { $0.blocked.append(rule) }
        }
    }

    private func readContacts(_ accountData: inout AccountsBuilder) throws(StoreError) {
        var handles: [Int64: [Handle]] = [:]
        try rows("SELECT contact, type, value FROM contact_handles ORDER BY contact, position") { row in
            handles[row.integer(0), default: []].append(Handle(stored: row.integer(1), row.text(2)))
        }
        // SQLite returns the length of a photo without reading it.
        try rows(
            """
            SELECT contacts.account, contacts.id, identifier, name, is_favorite, breaks_through, ringtone, hash,
                length(data)
            FROM contacts LEFT JOIN photos ON photos.account = contacts.account AND photos.key = contacts.key
            ORDER BY contacts.id
            """
        ) { row in
            let contact = Contact(
                identifier: row.text(2),
                name: row.text(3),
                handles: handles[row.integer(1)] ?? [],
                isFavorite: row.flag(4),
                breaksThroughDoNotDisturb: row.flag(5),
                ringtone: row.optionalText(6),
                photoHash: row.optionalText(7)
            )
            let byteCount = row.optionalInteger(8).map { Int(clamping: $0) }
            accountData.with(row.integer(0)) { account in
                account.contacts.append(contact)
                if let byteCount { account.photos[contact.identifier] = .inStore(byteCount: byteCount) }
            }
        }
    }

    private func readRecents(_ accountData: inout AccountsBuilder) throws(StoreError) {
        try rows(
            """
            SELECT account, id, handle_type, handle, name, is_outgoing, outcome, is_silenced, devices, started_at,
                connected_at, ended_at, is_seen, link, count, link_name, has_video, provider, is_unknown
            FROM recents ORDER BY arrival
            """
        ) { row in
            guard let entry = RecentEntry(row) else { return }
            accountData.with(row.integer(0)) { $0.recents.append(entry) }
        }
    }

    private func readDirectories(_ accountData: inout AccountsBuilder, _ warnings: inout [String]) throws(StoreError) {
        var found: [DirectoryBuilder] = []
        try rows(
            """
            SELECT account, id, identifier, is_enabled, loaded_at, blocking, identification, title FROM directories
            ORDER BY id
            """
        ) { row in
            guard accountData.has(row.integer(0)) else { return }
            let directory = StoredDirectory(
                identifier: row.text(2),
                isEnabled: row.flag(3),
                loadedAt: row.optionalInteger(4).map(Instant.init),
                title: row.optionalText(7),
                contents: DirectoryContents()
            )
            found.append(
                DirectoryBuilder(
                    account: row.integer(0),
                    id: row.integer(1),
                    blocking: Int(row.integer(5)),
                    identification: Int(row.integer(6)),
                    directory: directory
                )
            )
        }
        for var read in found {
            let whole = try contents(of: read.id, blocking: read.blocking, identification: read.identification)
            if let whole {
                read.directory.contents = whole
                cache.contents[read.id] = whole
            } else {
                let name = quoted(read.directory.identifier)
                warnings.append("the call directory \(name) is damaged and left out; load it again completely")
                read.directory.loadedAt = nil
            }
            accountData.with(read.account) { $0.directories.append(read.directory) }
        }
    }
}

/// A directory that is being read, and the expected numbers of its entries.
private struct DirectoryBuilder {
    var account: Int64
    var id: Int64
    var blocking: Int
    var identification: Int
    var directory: StoredDirectory
}

/// The accounts that are being read, by row ID.
private struct AccountsBuilder {
    private(set) var accounts: [StoredAccountData] = []
    private var indexByRowID: [Int64: Int] = [:]

    mutating func add(_ account: StoredAccountData, _ number: Int64) {
        indexByRowID[number] = accounts.count
        accounts.append(account)
    }

    func has(_ number: Int64) -> Bool { indexByRowID[number] != nil }

    mutating func with(_ number: Int64, _ change: (inout StoredAccountData) -> Void) {
        if let place = indexByRowID[number] { change(&accounts[place]) }
    }
}

extension Handle {
    /// Decodes a row; an unknown type becomes `generic`.
    init(stored type: Int64, _ value: String) {
        self.init(type: HandleType(rawValue: Int(type)) ?? .generic, value: value)
    }
}

extension BlockRule {
    /// The type of a row that blocks an invitation; handles have their own (CXHandle's raw values), and a prefix has
    /// none.
    private static let storedInvitationType: Int64 = 0

    /// Decodes a row; nil: it is damaged.
    fileprivate init?(stored type: Int64?, _ value: String) {
        switch type {
        case nil: self = .prefix(value)
        case Self.storedInvitationType:
            guard let invitation = InvitationID(value) else { return nil }
            self = .invitation(invitation)
        case let type?: self = .handle(Handle(stored: type, value))
        }
    }

    /// The type and the value of the rule's row.
    var stored: (type: Int64?, value: String) {
        switch self {
        case .handle(let handle): (Int64(handle.type.rawValue), handle.value)
        case .prefix(let digits): (nil, digits)
        case .invitation(let invitation): (Self.storedInvitationType, invitation.text)
        }
    }
}

extension RecentEntry {
    /// Decodes a row; nil: it is damaged.
    fileprivate init?(_ row: borrowing Row) {
        guard let id = RecentUUID(row.bytes(1)), let outcome = RecentCall.Outcome(rawValue: row.text(6)) else {
            return nil
        }
        let call = RecentCall(
            id: id,
            handle: Handle(stored: row.integer(2), row.text(3)),
            name: row.text(4),
            invitation: row.isNull(13) ? nil : InvitationID(row.text(13)),
            invitationName: row.optionalText(15),
            isOutgoing: row.flag(5),
            outcome: outcome,
            isSilenced: row.flag(7),
            devices: StoredStrings.texts(row.text(8)),
            startedAt: Instant(nanoseconds: row.integer(9)),
            connectedAt: row.optionalInteger(10).map(Instant.init),
            endedAt: Instant(nanoseconds: row.integer(11)),
            hasVideo: row.flag(16),
            provider: row.optionalText(17),
            isUnknown: row.flag(18)
        )
        self.init(call, isSeen: row.flag(12), count: max(1, Int(clamping: row.integer(14))))
    }
}
