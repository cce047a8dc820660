public import HubEngine

/// The data that the hub stores for each account: settings, block list, contacts, Recents and call directory.
///
/// Held in RAM only. A store makes it persistent: it stores each change before the change is made (`plannedChanges`),
/// and returns all data at start (`restore`). The engine's driver queries it for `Effect.lookUp` and `Effect.screen`,
/// and adds to it for `Effect.addRecent`.
public struct AccountDataTable: Sendable {
    /// The limits of stored data.
    public var limits: AccountDataLimits
    /// True if photos are in memory; false if a store has them, which reads them for `AccountDataReply.photo`.
    private let keepsPhotos: Bool
    /// The accounts' data by name; an account without data has no entry.
    private var accounts: [FoldedName: AccountDataEntry] = [:]
    /// The memory of all accounts' call directories and of their loads under way, in bytes.
    public private(set) var directoryBytes = 0
    /// The deadlines of the loads under way.
    private var loads: [LoadKey: Instant] = [:]
    /// The earliest deadline of a load; nil: none is under way.
    public private(set) var nextDeadline: Instant?

    private struct LoadKey: Hashable {
        var account: FoldedName
        var identifier: String
    }

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - limits: The limits of stored data.
    ///   - keepsPhotos: True if photos are to be in memory; false if a store has them.
    public init(limits: AccountDataLimits = AccountDataLimits(), keepsPhotos: Bool = true) {
        self.limits = limits
        self.keepsPhotos = keepsPhotos
    }

    // MARK: Engine queries

    /// Returns the data about a handle's owner and the caller: the answer to `Effect.lookUp`.
    ///
    /// - Parameters:
    ///   - lookUp: The engine's query.
    ///   - target: The owner of the handle; for an account, its data about the caller is filled in.
    ///   - invitation: The invitation by which the caller has joined; nil if the caller is not a guest.
    ///   - clock: The local time in a time zone, for the callee's quiet hours.
    /// - Returns: The complete answer.
    public func answer(
        _ lookUp: LookUp,
        target: LookUpResult.Target,
        invitation: InvitationID? = nil,
        clock: LocalTime.Clock
    ) -> LookUpResult {
        var result = LookUpResult(target)
        result.callerInvitation = invitation
        var opposite = screeningData(of: lookUp.handle, by: lookUp.caller, clock: clock)
        if case .account(let account, _) = target {
            var screeningData = screeningData(
                of: lookUp.callerHandle,
                invitation: invitation,
                by: account,
                clock: clock
            )
            // A user's own devices are no strangers to one another.
            if FoldedName(account) == FoldedName(lookUp.caller) {
                (screeningData.refusesTransfers, opposite.refusesTransfers) = (false, false)
            }
            result.target = .account(account, screeningData)
        }
        result.callerDisplayName = displayName(of: lookUp.caller)
        result.isCalleeRefused = opposite.isBlocked || opposite.isBlockedByDirectory || opposite.refusesTransfers
        result.calleeNames = names(of: lookUp.handle, for: lookUp.caller)
        return result
    }

    /// Returns an account's data about a caller: the answer to `Effect.screen`.
    ///
    /// - Parameters:
    ///   - caller: The caller's handle.
    ///   - invitation: The invitation by which the caller has joined; nil if the caller is not a guest.
    ///   - account: The name of the called account.
    ///   - clock: The local time in a time zone, for the callee's quiet hours.
    /// - Returns: The data at this moment; the default value for an account without data.
    public func screeningData(
        of caller: Handle,
        invitation: InvitationID? = nil,
        by account: String,
        clock: LocalTime.Clock
    ) -> CallerScreeningData {
        accounts[FoldedName(account)]?.screeningData(of: caller, invitation: invitation, clock: clock)
            ?? CallerScreeningData()
    }

    /// Returns the display name that an account has set; nil: none.
    public func displayName(of account: String) -> String? {
        guard let name = accounts[FoldedName(account)]?.settings.displayName, !name.isEmpty else { return nil }
        return name
    }

    /// Returns the names by which an account's user knows a party.
    public func names(of handle: Handle, for account: String) -> KnownNames {
        accounts[FoldedName(account)]?.names(of: handle) ?? KnownNames()
    }

    /// Indicates that an account's user is named to the other members of groups.
    public func isNamedInGroups(_ account: String) -> Bool {
        accounts[FoldedName(account)]?.settings.isNamedInGroups ?? true
    }

    /// Returns the photo of an account's user; nil: there is none.
    public func photo(of account: String) -> StoredPhoto? { accounts[FoldedName(account)]?.photo }

    /// Returns an account's settings; nil: it has no data.
    public func settings(of account: String) -> AccountSettings? {
        accounts[FoldedName(account)]?.settings
    }

    /// Indicates that an account blocks a caller with any of some handles, by its block list or a call directory.
    public func blocks(anyOf handles: [Handle], _ account: String) -> Bool {
        let account = FoldedName(account)
        guard accounts[account] != nil else { return false }
        return handles.contains { accounts[account]?.isBlocked($0, invitation: nil) == true }
    }

    /// Adds an entry to an account's Recents: carries out `Effect.addRecent`.
    public mutating func addRecent(_ call: RecentCall, of account: String) {
        accounts[FoldedName(account), default: AccountDataEntry()].recents.add(call, limits: limits)
    }

    // MARK: Persistence

    /// Restores an account from a store, and replaces its present data.
    ///
    /// Limits that have become narrower remove nothing: they only refuse additions.
    public mutating func restore(_ account: StoredAccountData) {
        removeAccount(account.name)
        var accountData = AccountDataEntry(account, limits: limits)
        if !keepsPhotos {
            accountData.photos.releaseMemory(of: account.photos.keys)
            accountData.photo = accountData.photo?.inStore
        }
        directoryBytes += accountData.directory.byteCount
        accounts[FoldedName(account.name)] = accountData
    }

    /// Returns an account as a store has it when it has written all changes; nil: it has no data.
    public func storedData(_ account: String) -> StoredAccountData? {
        accounts[FoldedName(account)].map { accountData in
            var storedData = StoredAccountData(name: account)
            storedData.settings = accountData.settings
            storedData.blocked = accountData.blockList.rules
            storedData.contacts = accountData.contacts.all
            storedData.photos = accountData.photos.all
            storedData.photo = accountData.photo
            storedData.recents = accountData.recents.all
            storedData.directories = accountData.directory.storedData
            return storedData
        }
    }

    /// Removes all accounts' Recents that ended before a moment, and returns the folded names of those that had any.
    public mutating func expireRecents(endedBefore moment: Instant) -> [String] {
        var changed: [String] = []
        for name in accounts.keys where accounts[name]?.recents.remove(endedBefore: moment) == true {
            changed.append(name.text)
        }
        return changed.sorted()
    }

    /// Returns the changes that `handle` would make and a store must persist; empty if there are none.
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - requester: The client.
    ///   - now: The time of the hub's clock.
    ///   - clock: The local time in a time zone, nil for an unknown zone.
    /// - Returns: The changes, in order.
    /// - Throws: `invalidArgument`, `tooMany` or `callDirectory`, where `handle` would throw the same.
    public func plannedChanges(
        _ request: AccountDataRequest,
        from requester: AccountDataRequester,
        at now: Instant,
        clock: LocalTime.Clock
    ) throws(AccountDataError) -> [AccountDataChange] {
        guard request.isPersistent else { return [] }
        let name = FoldedName(requester.account)
        var account = accounts[name] ?? AccountDataEntry()
        let answer = try account.change(request, from: requester, at: now, clock: clock, quota(of: name))
        return answer.isUnchanged ? [] : account.changes(by: request, at: now)
    }

    // MARK: Client requests

    /// Carries out a client's request, or refuses it.
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - requester: The client.
    ///   - now: The time of the hub's clock.
    ///   - clock: The local time in a time zone, nil for an unknown zone.
    /// - Returns: The reply, and the topics of which the account's other devices are notified.
    /// - Throws: `invalidArgument`, `notFound`, `tooMany` or `callDirectory`, each with a message.
    public mutating func handle(
        _ request: AccountDataRequest,
        from requester: AccountDataRequester,
        at now: Instant,
        clock: LocalTime.Clock
    ) throws(AccountDataError) -> AccountDataResult {
        let name = FoldedName(requester.account)
        guard request.mayChange else {
            return try (accounts[name] ?? AccountDataEntry()).answer(request, from: requester)
        }
        let quota = quota(of: name)
        defer {
            updateDirectoryBytes(of: name, besides: quota.bytesOfOtherAccounts)
            updateLoadDeadline(request, of: name)
            if !keepsPhotos { releasePhoto(of: request, name) }
        }
        return try accounts[name, default: AccountDataEntry()]
            .change(request, from: requester, at: now, clock: clock, quota)
    }

    /// Releases the memory of a photo that a request has added, and a store has.
    private mutating func releasePhoto(of request: AccountDataRequest, _ account: FoldedName) {
        switch request {
        case .putContact(let contact, .replace): accounts[account]?.photos.releaseMemory(of: [contact.identifier])
        case .setSettings(let update) where update.photo != .keep:
            let photo = accounts[account]?.photo
            accounts[account]?.photo = photo?.inStore
        default: break
        }
    }

    /// Returns the memory that is available to an account's directory beside those of the others.
    private func quota(of account: FoldedName) -> DirectoryQuota {
        let own = accounts[account]?.directory.byteCount ?? 0
        return DirectoryQuota(limits: limits, bytesOfOtherAccounts: directoryBytes - own)
    }

    /// Updates the sum of directory bytes after a change of an account's directory.
    private mutating func updateDirectoryBytes(of account: FoldedName, besides bytesOfOtherAccounts: Int) {
        directoryBytes = bytesOfOtherAccounts + (accounts[account]?.directory.byteCount ?? 0)
    }

    /// Discards the incomplete loads of a session that has ended.
    public mutating func sessionEnded(_ session: SessionID, of account: String) {
        let account = FoldedName(account)
        let others = quota(of: account).bytesOfOtherAccounts
        defer { updateDirectoryBytes(of: account, besides: others) }
        for identifier in accounts[account]?.directory.abandonLoads(of: session) ?? [] {
            setDeadline(of: LoadKey(account: account, identifier: identifier), nil)
        }
    }

    /// Discards the loads that have timed out.
    public mutating func expire(at now: Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        // The order does not matter: loads are independent of one another.
        for (name, deadline) in loads where deadline <= now {
            let others = quota(of: name.account).bytesOfOtherAccounts
            accounts[name.account]?.directory.expireLoad(name.identifier)
            updateDirectoryBytes(of: name.account, besides: others)
            loads[name] = nil
        }
        self.nextDeadline = loads.values.min()
    }

    /// Removes all data of an account.
    public mutating func removeAccount(_ account: String) {
        removeAccount(FoldedName(account))
    }

    private mutating func removeAccount(_ account: FoldedName) {
        guard let accountData = accounts.removeValue(forKey: account) else { return }
        directoryBytes -= accountData.directory.byteCount
        guard nextDeadline != nil else { return }
        loads = loads.filter { $0.key.account != account }
        nextDeadline = loads.values.min()
    }

    private mutating func updateLoadDeadline(_ request: AccountDataRequest, of account: FoldedName) {
        switch request {
        case .loadDirectory(let load): updateLoadDeadline(load.identifier, of: account)
        case .cancelDirectoryLoad(let identifier, _): updateLoadDeadline(identifier, of: account)
        case .erase: removeAccount(account)
        default: break
        }
    }

    private mutating func updateLoadDeadline(_ identifier: String, of account: FoldedName) {
        let deadline = accounts[account]?.directory.deadline(of: identifier)
        setDeadline(of: LoadKey(account: account, identifier: identifier), deadline)
    }

    private mutating func setDeadline(of name: LoadKey, _ deadline: Instant?) {
        guard loads[name] != deadline else { return }
        loads[name] = deadline
        nextDeadline = loads.values.min()
    }
}
