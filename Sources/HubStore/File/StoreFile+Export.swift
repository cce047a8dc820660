import FoundationEssentials
import HubAccountData
import HubEngine
import HubWire

/// Exporting all data of an account, for its owner.
extension StoreFile {
    /// Reads all stored data of an account.
    ///
    /// - Parameter name: The name of the account.
    /// - Returns: The account's data, all of one moment.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if nothing is stored under that name; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database.
    public func export(_ name: String) throws(StoreError) -> AccountExport {
        try atomically { () throws(StoreError) in
            var warnings: [String] = []
            guard let account = try accounts().first(where: { $0.name.nameKey == name.nameKey }),
                let accountData = try storedData(name, &warnings).first
            else {
                throw StoreError(.noSuchAccount, "nothing is stored for an account \(quoted(name)); name another one")
            }
            var export = AccountExport(account, accountData, try subscriptions(of: name), try invitations(to: name))
            export.identities = try identities(of: name).map { linked in
                AccountExport.IdentityExport(
                    issuer: linked.identity.issuer,
                    subject: linked.identity.subject,
                    linkedAt: linked.linkedAt.date
                )
            }
            export.passkeys = try passkeys(of: name).map(AccountExport.PasskeyExport.init)
            export.settings.photo = try photo(of: name).map(Base64.text)
            let photos = try photos(of: name)
            for index in export.contacts.indices {
                export.contacts[index].photo = photos[export.contacts[index].identifier].map(Base64.text)
            }
            return export
        }
    }
}

extension AccountExport {
    fileprivate init(
        _ account: StoredAccount,
        _ accountData: StoredAccountData,
        _ subscriptions: [StoredPushSubscription],
        _ links: [StoredInvitation]
    ) {
        self.account = account.name
        handles = account.handles.map(HandleExport.init)
        personName = account.profile.name
        department = account.profile.department
        hasPassword = account.hasPassword
        passkeys = []
        isAdmin = account.isAdmin
        isDisabled = account.isDisabled
        createdAt = account.createdAt?.date
        firstSeenAt = account.hasSignedIn ? account.firstSeenAt.date : nil
        lastSeenAt = account.hasSignedIn ? account.lastSeenAt.date : nil
        settings = SettingsExport(accountData.settings)
        blocked = accountData.blocked.map(BlockExport.init)
        contacts = accountData.contacts.map(ContactExport.init)
        recents = accountData.recents.map(CallExport.init)
        directories = accountData.directories.map(DirectoryExport.init)
        self.subscriptions = subscriptions.map {
            SubscriptionExport(
                device: $0.device,
                endpoint: $0.subscription.endpoint,
                createdAt: $0.createdAt.date,
                lastUsedAt: $0.lastUsedAt?.date
            )
        }
        self.links = links.map {
            InvitationExport(
                id: $0.id.text,
                callee: $0.guestCalls?.callee.map(HandleExport.init),
                name: $0.guestCalls?.name,
                guestsGiveNames: $0.guestCalls?.guestsGiveNames ?? false,
                createdAt: $0.createdAt.date,
                expiresAt: $0.expiresAt.date,
                revokedAt: $0.revokedAt?.date
            )
        }
    }
}

extension Instant {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}

extension AccountExport.HandleExport {
    fileprivate init(_ handle: Handle) {
        type =
            switch handle.type {
            case .generic: "generic"
            case .phoneNumber: "phoneNumber"
            case .emailAddress: "emailAddress"
            }
        value = handle.value
    }
}

extension AccountExport.PasskeyExport {
    fileprivate init(_ passkey: StoredPasskey) {
        (site, name) = (passkey.site, passkey.name)
        (createdAt, lastUsedAt) = (passkey.createdAt.date, passkey.lastUsedAt?.date)
    }
}

extension AccountExport.SettingsExport {
    fileprivate init(_ settings: AccountSettings) {
        doNotDisturb = settings.doNotDisturb
        quietHours = settings.quietHours.map { hours in
            let days = QuietHours.Weekday.allCases.filter { hours.days.contains($0) }
            return AccountExport.QuietHoursExport(days: days.map(\.rawValue), from: hours.from, to: hours.to)
        }
        quietHoursSkippedUntil = settings.quietHoursSkippedUntil.map(\.date)
        timeZone = settings.timeZone
        quietDevices = settings.quietDevices.sorted()
        displayName = settings.displayName
        isNamedInGroups = settings.isNamedInGroups
        isListed = settings.isListed
        acceptsTransferredStrangers = settings.acceptsTransferredStrangers
        holdAudio = settings.holdAudio.rawValue
    }
}

extension AccountExport.BlockExport {
    fileprivate init(_ rule: BlockRule) {
        switch rule {
        case .handle(let blocked): handle = AccountExport.HandleExport(blocked)
        case .prefix(let digits): prefix = digits
        case .invitation(let blocked): link = blocked.text
        }
    }
}

extension AccountExport.ContactExport {
    fileprivate init(_ contact: Contact) {
        identifier = contact.identifier
        name = contact.name
        handles = contact.handles.map(AccountExport.HandleExport.init)
        isFavorite = contact.isFavorite
        breaksThroughDoNotDisturb = contact.breaksThroughDoNotDisturb
        ringtone = contact.ringtone
    }
}

extension AccountExport.CallExport {
    fileprivate init(_ entry: RecentEntry) {
        handle = AccountExport.HandleExport(entry.call.handle)
        name = entry.call.name
        isOutgoing = entry.call.isOutgoing
        outcome = entry.call.outcome.rawValue
        isSilenced = entry.call.isSilenced
        devices = entry.call.devices
        startedAt = entry.call.startedAt.date
        connectedAt = entry.call.connectedAt?.date
        endedAt = entry.call.endedAt.date
        isSeen = entry.isSeen
        link = entry.call.invitation?.text
        linkName = entry.call.invitationName
        count = entry.count
        hasVideo = entry.call.hasVideo
        provider = entry.call.provider
        isUnknown = entry.call.isUnknown
    }
}

extension AccountExport.DirectoryExport {
    fileprivate init(_ directory: StoredDirectory) {
        identifier = directory.identifier
        isEnabled = directory.isEnabled
        loadedAt = directory.loadedAt?.date
        title = directory.title
        blocking = directory.contents.blockedNumbers
        identification = directory.contents.labels.map { Label(number: $0.number, label: $0.label) }
    }
}
