import HubEngine

/// The data that the hub stores for one account.
struct AccountDataEntry: Hashable, Sendable {
    var settings = AccountSettings()
    var blockList = BlockList()
    var contacts = Contacts()
    var photos = Photos()
    /// The user's own photo, whose hash is in the settings.
    var photo: StoredPhoto?
    var recents = Recents()
    var directory = CallDirectory()

    // MARK: Engine queries

    /// Returns the data that decides if a caller may ring (rows CK-11 to CK-13).
    func screeningData(of caller: Handle, invitation: InvitationID?, clock: LocalTime.Clock) -> CallerScreeningData {
        var screeningData = CallerScreeningData()
        screeningData.isBlocked = blockList.blocks(caller, invitation: invitation)
        screeningData.isBlockedByDirectory = caller.phoneNumber.map { directory.blocks($0) } ?? false
        screeningData.doNotDisturb = settings.isQuiet(clock)
        screeningData.quietDevices = settings.quietDevices
        let found = contacts.matching(caller)
        screeningData.breaksThroughDoNotDisturb = found.contains(where: \.breaksThroughDoNotDisturb)
        screeningData.refusesTransfers = !settings.acceptsTransferredStrangers && found.isEmpty
        screeningData.names = names(of: caller)
        return screeningData
    }

    /// Indicates that a caller is blocked, by the block list or an enabled call directory.
    func isBlocked(_ caller: Handle, invitation: InvitationID?) -> Bool {
        blockList.blocks(caller, invitation: invitation) || caller.phoneNumber.map { directory.blocks($0) } ?? false
    }

    private func shownSettings(to requester: AccountDataRequester) -> DeviceSettings {
        DeviceSettings(settings, for: requester)
    }

    /// Returns the names by which the account's user knows a party (row CK-15).
    func names(of handle: Handle) -> KnownNames {
        var names = KnownNames()
        names.contact = contacts.matching(handle).first { !$0.name.isEmpty }?.name
        let found = handle.phoneNumber.flatMap { directory.label(of: $0) }
        (names.directory, names.directoryTitle) = (found?.label, found?.title)
        return names
    }

    // MARK: Client requests

    /// Answers a request that changes nothing; `ignored` for all others.
    func answer(_ request: AccountDataRequest, from requester: AccountDataRequester) throws(AccountDataError)
        -> AccountDataResult
    {
        switch request {
        case .getSettings:
            return AccountDataResult(.settings(shownSettings(to: requester)))
        case .listBlocked:
            return AccountDataResult(.blocked(blockList.rules))
        case .listContacts:
            return AccountDataResult(.contacts(contacts.all))
        case .contactPhoto(let identifier):
            guard let photo = photos[identifier] else {
                throw .notFound("no contact with this identifier has a photo; contacts.list names those that have one")
            }
            return AccountDataResult(.photo(photo))
        case .listRecents(let limit, let before):
            let limit = limit ?? Recents.defaultPage
            return AccountDataResult(.recents(try recents.page(for: requester.device, limit: limit, before: before)))
        case .directoryStatus(let identifier):
            return AccountDataResult(.directories(try directory.status(identifier)))
        case .reloadDirectory(let identifier):
            try directory.checkReload(of: identifier)
            return AccountDataResult(.done, reloadedDirectory: identifier)
        case .setSettings, .block, .unblock, .putContact, .removeContact, .markRecentsSeen, .removeRecents,
            .loadDirectory, .cancelDirectoryLoad, .setDirectoryEnabled, .erase:
            return AccountDataResult(.ignored)
        }
    }

    /// Carries out a request that may change data.
    mutating func change(
        _ request: AccountDataRequest,
        from requester: AccountDataRequester,
        at now: Instant,
        clock: LocalTime.Clock,
        _ quota: DirectoryQuota
    ) throws(AccountDataError) -> AccountDataResult {
        let limits = quota.limits
        switch request {
        case .setSettings(let update):
            let isChanged = try settings.apply(update, by: requester.device, limits: limits, clock: clock)
            if isChanged { photo = update.photo.applied(to: photo) }
            let shown = shownSettings(to: requester)
            return AccountDataResult(.settings(shown), changed: isChanged ? [.settings] : [])
        case .block(let rule):
            return .change(try blockList.add(rule, limits: limits), of: .block)
        case .unblock(let rule):
            return .change(blockList.remove(rule), of: .block)
        case .putContact(let contact, let photo):
            return .change(try put(contact, photo, limits: limits), of: .contacts)
        case .removeContact(let identifier):
            photos.apply(.remove, of: identifier)
            return .change(contacts.remove(identifier), of: .contacts)
        case .markRecentsSeen(let ids):
            return .change(recents.markSeen(ids), of: .recents)
        case .removeRecents(let ids):
            return .change(recents.remove(ids), of: .recents)
        case .loadDirectory(let load):
            return AccountDataResult(.loaded(try directory.load(load, by: requester.session, at: now, quota: quota)))
        case .cancelDirectoryLoad(let identifier, let message):
            let fault = message.map { DirectoryLoadFault(code: .callDirectory(.unknown), message: $0, at: now) }
            let result = try directory.cancelLoad(identifier, by: requester.session, for: fault)
            return AccountDataResult(.loaded(result))
        case .setDirectoryEnabled(let identifier, let isEnabled):
            return AccountDataResult(try directory.setEnabled(identifier, isEnabled) ? .done : .ignored)
        case .erase:
            return erase()
        case .getSettings, .listBlocked, .listContacts, .contactPhoto, .listRecents, .directoryStatus,
            .reloadDirectory:
            return try answer(request, from: requester)
        }
    }

    /// Adds or replaces a contact and its photo; false if nothing changes.
    private mutating func put(
        _ given: Contact,
        _ change: PhotoChange,
        limits: AccountDataLimits
    ) throws(AccountDataError) -> Bool {
        var contact = given
        switch change {
        case .keep: contact.photoHash = contacts[given.identifier]?.photoHash
        case .remove: contact.photoHash = nil
        case .replace: break
        }
        try photos.check(change, of: contact.identifier, limits: limits)
        guard try contacts.put(contact, limits: limits) else { return false }
        photos.apply(change, of: contact.identifier)
        return true
    }

    /// Erases all data of the account, including loads under way.
    private mutating func erase() -> AccountDataResult {
        guard self != AccountDataEntry() else { return AccountDataResult(.ignored) }
        self = AccountDataEntry()
        return AccountDataResult(.done, changed: AccountDataTopic.allCases)
    }
}

extension AccountDataEntry {
    /// Restores an account from a store.
    init(_ account: StoredAccountData, limits: AccountDataLimits) {
        settings = account.settings
        // Data stored under wider limits is kept.
        var wide = limits
        (wide.maximumListEntries, wide.maximumListBytes) = (.max, .max)
        for rule in account.blocked { _ = try? blockList.add(rule, limits: wide) }
        for contact in account.contacts { _ = try? contacts.put(contact, limits: wide) }
        photos = Photos(account.photos)
        photo = account.photo
        for entry in account.recents { recents.add(entry, limits: limits) }
        directory = CallDirectory(account.directories)
    }

    /// Returns the changes, for a store, that a request has just made.
    func changes(by request: AccountDataRequest, at now: Instant) -> [AccountDataChange] {
        switch request {
        case .setSettings(let update):
            [.settings(settings)] + (update.photo == .keep ? [] : [.photo(update.photo, hash: settings.photoHash)])
        case .block(let rule): [.blocked(rule)]
        case .unblock(let rule): [.unblocked(rule)]
        case .putContact(let given, let photo): contacts[given.identifier].map { [.contact($0, photo: photo)] } ?? []
        case .removeContact(let identifier): [.contactRemoved(identifier: identifier)]
        case .markRecentsSeen(let ids): [.recentsSeen(ids)]
        case .removeRecents(let ids): [.recentsRemoved(ids)]
        case .loadDirectory(let load):
            directory.contents(of: load.identifier).map { contents in
                let title = directory.title(of: load.identifier)
                return [.directory(identifier: load.identifier, contents, loadedAt: now, title: title)]
            } ?? []
        case .setDirectoryEnabled(let identifier, let isEnabled):
            [.directoryEnabled(identifier: identifier, isEnabled)]
        case .erase: [.erased]
        case .getSettings, .listBlocked, .listContacts, .contactPhoto, .listRecents, .directoryStatus,
            .cancelDirectoryLoad, .reloadDirectory:
            []
        }
    }
}

extension AccountDataRequest {
    /// True if a store must persist the request's changes; a load is persisted when it is complete.
    var isPersistent: Bool {
        switch self {
        case .loadDirectory(let load): load.isFinal
        case .cancelDirectoryLoad: false
        default: mayChange
        }
    }

    /// True if the request may change what others are shown of the account, or who may see it.
    public var mayChangePeople: Bool {
        switch self {
        case .setSettings, .block, .unblock, .loadDirectory, .setDirectoryEnabled, .erase: true
        case .getSettings, .listBlocked, .listContacts, .contactPhoto, .putContact, .removeContact, .listRecents,
            .markRecentsSeen, .removeRecents, .cancelDirectoryLoad, .reloadDirectory, .directoryStatus:
            false
        }
    }

    /// True if the request may change data; a mere query must not create an entry for the account.
    public var mayChange: Bool {
        switch self {
        case .getSettings, .listBlocked, .listContacts, .contactPhoto, .listRecents, .directoryStatus,
            .reloadDirectory:
            false
        case .setSettings, .block, .unblock, .putContact, .removeContact, .markRecentsSeen, .removeRecents,
            .loadDirectory, .cancelDirectoryLoad, .setDirectoryEnabled, .erase:
            true
        }
    }
}
