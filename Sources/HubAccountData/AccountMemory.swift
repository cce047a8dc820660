import HubEngine

/// The data that the hub stores for one account.
struct AccountMemory: Hashable, Sendable {
    var settings = AccountSettings()
    var blockList = BlockList()
    var contacts = Contacts()
    var recents = Recents()
    var directory = CallDirectory()

    // MARK: Engine queries

    /// Returns the data that decides if a caller may ring (rows CK-11 to CK-13).
    func knowledge(of caller: Handle, link: CallLinkID?, clock: LocalTime.Clock) -> CallerKnowledge {
        var knowledge = CallerKnowledge()
        knowledge.isBlocked = blockList.blocks(caller, link: link)
        knowledge.isBlockedByDirectory = caller.phoneNumber.map { directory.blocks($0) } ?? false
        knowledge.doNotDisturb = settings.isQuiet(clock)
        knowledge.quietDevices = settings.quietDevices
        knowledge.breaksThroughDoNotDisturb = contacts.having(caller).contains(where: \.breaksThroughDoNotDisturb)
        knowledge.names = names(of: caller)
        return knowledge
    }

    /// Returns the names by which the account's user knows a party (row CK-15).
    func names(of handle: Handle) -> KnownNames {
        var names = KnownNames()
        names.contact = contacts.having(handle).first { !$0.name.isEmpty }?.name
        names.directory = handle.phoneNumber.flatMap { directory.label(of: $0) }
        return names
    }

    // MARK: Client requests

    /// Answers a request that changes nothing; `ignored` for all others.
    func answer(_ request: MemoryRequest, from asker: MemoryAsker) throws(MemoryRefusal) -> MemoryAnswer {
        switch request {
        case .getSettings:
            return MemoryAnswer(.settings(ShownSettings(settings, for: asker.device)))
        case .listBlocked:
            return MemoryAnswer(.blocked(blockList.rules))
        case .listContacts:
            return MemoryAnswer(.contacts(contacts.all))
        case .listRecents(let limit, let before):
            let limit = limit ?? Recents.defaultPage
            return MemoryAnswer(.recents(try recents.page(for: asker.device, limit: limit, before: before)))
        case .directoryStatus(let identifier):
            return MemoryAnswer(.directories(try directory.status(identifier)))
        case .setSettings, .block, .unblock, .putContact, .removeContact, .markRecentsSeen, .removeRecents,
            .loadDirectory, .cancelDirectoryLoad, .setDirectoryEnabled, .erase:
            return MemoryAnswer(.ignored)
        }
    }

    /// Carries out a request that may change data.
    mutating func change(
        _ request: MemoryRequest,
        from asker: MemoryAsker,
        at now: Instant,
        clock: LocalTime.Clock,
        _ room: DirectoryRoom
    ) throws(MemoryRefusal) -> MemoryAnswer {
        let limits = room.limits
        switch request {
        case .setSettings(let update):
            let isChanged = try settings.apply(update, by: asker.device, limits: limits, clock: clock)
            let shown = ShownSettings(settings, for: asker.device)
            return MemoryAnswer(.settings(shown), changed: isChanged ? [.settings] : [])
        case .block(let rule):
            return .change(try blockList.add(rule, limits: limits), of: .block)
        case .unblock(let rule):
            return .change(blockList.remove(rule), of: .block)
        case .putContact(let contact):
            return .change(try contacts.put(contact, limits: limits), of: .contacts)
        case .removeContact(let identifier):
            return .change(contacts.remove(identifier), of: .contacts)
        case .markRecentsSeen(let ids):
            return .change(recents.markSeen(ids), of: .recents)
        case .removeRecents(let ids):
            return .change(recents.remove(ids), of: .recents)
        case .loadDirectory(let load):
            return MemoryAnswer(.loaded(try directory.load(load, by: asker.session, at: now, room: room)))
        case .cancelDirectoryLoad(let identifier):
            return MemoryAnswer(.loaded(try directory.cancelLoad(identifier, by: asker.session)))
        case .setDirectoryEnabled(let identifier, let isEnabled):
            return MemoryAnswer(try directory.setEnabled(identifier, isEnabled) ? .done : .ignored)
        case .erase:
            return erase()
        case .getSettings, .listBlocked, .listContacts, .listRecents, .directoryStatus:
            return try answer(request, from: asker)
        }
    }

    /// Erases all data of the account, including loads under way.
    private mutating func erase() -> MemoryAnswer {
        guard self != AccountMemory() else { return MemoryAnswer(.ignored) }
        self = AccountMemory()
        return MemoryAnswer(.done, changed: MemoryTopic.allCases)
    }
}

extension AccountMemory {
    /// Restores an account from a store.
    init(_ account: RememberedAccount, limits: MemoryLimits) {
        settings = account.settings
        // Data stored under wider limits is kept.
        var wide = limits
        (wide.maximumListEntries, wide.maximumListBytes) = (.max, .max)
        for rule in account.blocked { _ = try? blockList.add(rule, limits: wide) }
        for contact in account.contacts { _ = try? contacts.put(contact, limits: wide) }
        for entry in account.recents { recents.add(entry, limits: limits) }
        directory = CallDirectory(account.directories)
    }

    /// Returns the changes, for a store, that a request has just made.
    func changes(by request: MemoryRequest, at now: Instant) -> [MemoryChange] {
        switch request {
        case .setSettings: [.settings(settings)]
        case .block(let rule): [.blocked(rule)]
        case .unblock(let rule): [.unblocked(rule)]
        case .putContact(let contact): [.contact(contact)]
        case .removeContact(let identifier): [.contactRemoved(identifier: identifier)]
        case .markRecentsSeen(let ids): [.recentsSeen(ids)]
        case .removeRecents(let ids): [.recentsRemoved(ids)]
        case .loadDirectory(let load):
            directory.image(of: load.identifier).map {
                [.directory(identifier: load.identifier, $0, loadedAt: now)]
            } ?? []
        case .setDirectoryEnabled(let identifier, let isEnabled):
            [.directoryEnabled(identifier: identifier, isEnabled)]
        case .erase: [.erased]
        case .getSettings, .listBlocked, .listContacts, .listRecents, .directoryStatus, .cancelDirectoryLoad: []
        }
    }
}

extension MemoryRequest {
    /// True if a store must persist the request's changes; a load is persisted when it is complete.
    var isKept: Bool {
        switch self {
        case .loadDirectory(let load): load.isFinal
        case .cancelDirectoryLoad: false
        default: mayChange
        }
    }

    /// True if the request may change data; a mere query must not create an entry for the account.
    public var mayChange: Bool {
        switch self {
        case .getSettings, .listBlocked, .listContacts, .listRecents, .directoryStatus: false
        case .setSettings, .block, .unblock, .putContact, .removeContact, .markRecentsSeen, .removeRecents,
            .loadDirectory, .cancelDirectoryLoad, .setDirectoryEnabled, .erase:
            true
        }
    }
}
