import HubAccountData
import HubEngine
import HubWire

/// The data of accounts in memory, and the order of its writes to the store.
///
/// Owns the data, the owners of handles, the requests that wait for the store, and the names of erased accounts.
struct AccountDataService {
    private var accountData: AccountDataTable
    private var pendingWrites = PendingWrites()
    private(set) var directory = AccountDirectory()
    /// Accounts that were erased while this hub ran, and have not signed in since: none of their data is stored.
    private var erasedAccounts: Set<FoldedName> = []
    /// The accounts whose names, handles or settings have changed, for the directory of the house.
    private var changedPeople: [(account: String, cause: SessionID?)] = []
    /// The time at which old calls are removed next.
    private var recentsDue = Instant(nanoseconds: 0)
    private let recentsRetention: Duration
    private let hubHoldAudio: HoldAudio
    private let store: (any AccountDataStore)?
    private let push: (any PushService)?
    private let clock: HubClock

    /// Makes a service with the persistent data at the start of the hub.
    init(_ settings: HubSettings, _ services: HubServices, clock: HubClock, stored: StoredState) {
        store = services.accountData
        accountData = AccountDataTable(limits: settings.accountData, keepsPhotos: store == nil)
        recentsRetention = settings.recentsRetention
        hubHoldAudio = settings.holdAudio
        push = services.push
        self.clock = clock
        _ = directory.accept(list: stored.provisioned)
        for unprovisioned in stored.unprovisionedAccounts {
            remove(directory.restore(unprovisioned))
        }
        for account in stored.storedAccounts { accountData.restore(account) }
        changedPeople = directory.names.sorted().map { ($0, nil) }
    }

    /// The maximum number of entries of an account's call directories.
    var maximumDirectoryEntries: Int { accountData.limits.maximumDirectoryEntries }

    /// The bytes of all accounts' call directories, and of their loads under way.
    var directoryBytes: Int { accountData.directoryBytes }

    // MARK: Queries of the engine

    /// Returns the data that the engine needs before a call is placed.
    ///
    /// - Parameters:
    ///   - lookUp: The engine's query.
    ///   - callers: The sessions of the caller's account, in the order of their sign-ins.
    /// - Returns: The answer.
    func lookUp(_ lookUp: LookUp, for callers: [ClientSession]) -> LookUpResult {
        // A guest's account has only sessions of one invitation, so that any of them has it.
        let invitation = callers.lazy.compactMap(\.invitation).first
        var result = accountData.answer(lookUp, target: directory.lookUp(lookUp.handle), invitation: invitation) {
            clock.localTime(in: $0)
        }
        result.callerDisplayName = displayName(of: lookUp.caller, callers)
        result.callerGuestName = callers.lazy.compactMap(\.guestName).last
        return result
    }

    /// Returns the name that others are shown for an account; nil: none is set.
    ///
    /// A name that the user has set takes precedence over the operator's, that over one of a token, and the newest
    /// token over the others.
    ///
    /// - Parameters:
    ///   - account: The account's name.
    ///   - sessions: The account's sessions, in the order of their sign-ins.
    /// - Returns: The name.
    func displayName(of account: String, _ sessions: [ClientSession]) -> String? {
        accountData.displayName(of: account) ?? directory.provisionedAccount(of: account)?.profile.name
            ?? sessions.last { $0.displayName != nil }?.displayName
    }

    /// Returns the names by which an account's user knows a party.
    func names(of handle: Handle, for account: String) -> KnownNames { accountData.names(of: handle, for: account) }

    /// Indicates that an account's user is named to the other members of groups.
    func isNamedInGroups(_ account: String) -> Bool { accountData.isNamedInGroups(account) }

    /// Returns the sound that an account's held parties receive.
    func holdAudio(of account: String) -> HoldAudio {
        (accountData.settings(of: account)?.holdAudio ?? .hub).audio(ofHub: hubHoldAudio)
    }

    /// Returns the data that the engine needs before a call from outside rings.
    func screeningData(of caller: Handle, by account: String) -> CallerScreeningData {
        accountData.screeningData(of: caller, by: account) { clock.localTime(in: $0) }
    }

    // MARK: Requests

    /// The next step of a request.
    enum Step {
        /// The request is to be executed now.
        case execute
        /// The changes are to be written first.
        case write([AccountDataChange], any AccountDataStore)
        /// The request waits until a write for its account has ended.
        case wait
        /// Too many requests wait already.
        case refuse
    }

    /// Accepts a request.
    ///
    /// - Parameter pendingRequest: The request.
    /// - Returns: Its next step; after `write`, `endWrite(of:)` must be called.
    mutating func accept(_ pendingRequest: PendingWrites.PendingRequest) -> Step {
        switch pendingWrites.accept(pendingRequest) {
        case .later: return .wait
        case .never: return .refuse
        case .now: break
        }
        // A request that throws here throws again in `execute`, and has changed nothing that is kept.
        let changes =
            (try? accountData.plannedChanges(
                pendingRequest.request,
                from: pendingRequest.requester,
                at: pendingRequest.at
            ) { clock.localTime(in: $0) }) ?? []
        guard let store, !changes.isEmpty else { return .execute }
        pendingWrites.begin(pendingRequest.requester.account)
        return .write(changes, store)
    }

    /// Notes that the write of a request has ended.
    ///
    /// - Parameter pendingRequest: The request.
    /// - Returns: The requests and calls that waited for it, to be accepted in this order; nil: the account has been
    ///   erased meanwhile.
    mutating func endWrite(of pendingRequest: PendingWrites.PendingRequest) -> [PendingWrites.QueuedItem]? {
        let waiting = pendingWrites.end(pendingRequest.requester.account)
        return erasedAccounts.contains(FoldedName(pendingRequest.requester.account)) ? nil : waiting
    }

    /// Executes a request.
    ///
    /// - Parameter pendingRequest: The request; its changes are written.
    /// - Returns: The answer, and the topics of which the account's other devices are to be notified.
    /// - Throws: `AccountDataError`, with a message for the client.
    mutating func execute(_ pendingRequest: PendingWrites.PendingRequest) throws(AccountDataError) -> AccountDataResult
    {
        let answer = try accountData.handle(
            pendingRequest.request,
            from: pendingRequest.requester,
            at: pendingRequest.at
        ) { [clock] in clock.localTime(in: $0) }
        if pendingRequest.request.mayChangePeople {
            changedPeople.append((pendingRequest.requester.account, pendingRequest.requester.session))
        }
        return answer
    }

    /// Returns the photo of an account's user; nil: there is none.
    func photo(of account: String) -> StoredPhoto? { accountData.photo(of: account) }

    /// Reads a photo from the store, which has it if it is not in memory.
    ///
    /// - Parameters:
    ///   - contact: The contact's identifier; nil: the photo is that of the account's own user.
    ///   - account: The name of the account.
    ///   - then: Called on any thread with the image data, nil if there is none, or with the fault.
    func readPhoto(
        of contact: String?,
        in account: String,
        _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
    ) {
        store?.readPhoto(of: contact, in: account, then)
    }

    /// Reads the music for those whom an account holds; there is none without a store.
    func readHoldMusic(
        of account: String,
        unless known: [Int64],
        _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
    ) {
        store?.readHoldMusic(of: account, unless: known, then)
    }

    /// True if there may be music for those on hold besides the built-in one.
    var hasHoldMusic: Bool { store != nil }

    // MARK: Recents

    /// Stores an entry of Recents; it survives a crash from then on.
    func storeRecent(_ call: RecentCall, of account: String) { store?.addRecent(call, of: account) }

    /// Adds an entry of Recents that the store has already; false: it waits until a write for the account has ended.
    mutating func addRecent(_ call: RecentCall, of account: String) -> Bool {
        guard pendingWrites.accept(call, of: account) else { return false }
        accountData.addRecent(call, of: account)
        return true
    }
}

// MARK: People

extension AccountDataService {
    /// Returns the accounts whose people may have changed since the last call, and the sessions that caused it.
    mutating func takeChangedPeople() -> [(account: String, cause: SessionID?)] {
        guard !changedPeople.isEmpty else { return [] }
        defer { changedPeople = [] }
        return changedPeople
    }

    /// Returns the settings of an account.
    func settings(of account: String) -> AccountSettings { accountData.settings(of: account) ?? AccountSettings() }

    /// Indicates that an account blocks callers with any of some handles.
    func blocks(anyOf handles: [Handle], _ account: String) -> Bool { accountData.blocks(anyOf: handles, account) }

    /// Returns the presence of an account's user on some devices, and when it changes by quiet hours.
    func presence(of account: String, on devices: [PresentDevice]) -> DatedPresence {
        accountData.presence(of: account, on: devices, at: clock.date, clock.calendar)
    }
}

// MARK: Time

extension AccountDataService {
    /// The time of the next work that needs no request; nil: none.
    var nextDeadline: Instant? {
        guard recentsRetention > .zero else { return accountData.nextDeadline }
        return min(accountData.nextDeadline ?? recentsDue, recentsDue)
    }

    /// Discards loads of call directories that have timed out.
    mutating func expireLoads(at now: Instant) { accountData.expire(at: now) }

    /// Removes calls that have exceeded their retention, once an interval.
    ///
    /// - Parameter now: The time.
    /// - Returns: The moment before which calls are removed, and the accounts that had any; nil: it is not yet time.
    mutating func removeOldRecents(at now: Instant) -> (moment: Instant, accounts: [String])? {
        guard recentsRetention > .zero, now >= recentsDue else { return nil }
        recentsDue = now + Self.removalInterval
        let moment = now + (.zero - recentsRetention)
        return (moment, accountData.expireRecents(endedBefore: moment))
    }

    /// The interval of removals.
    ///
    /// Longer: calls are kept for as much longer than the retention.
    private static let removalInterval = Duration.seconds(3_600)
}

// MARK: Accounts

extension AccountDataService {
    /// Indicates that an account was erased and has not signed in since: none of its data is stored.
    func isErased(_ account: String) -> Bool { erasedAccounts.contains(FoldedName(account)) }

    /// Notes that a device of an account has signed in.
    mutating func noteSignIn(of session: ClientSession) {
        guard !session.isByInvitation else { return directory.add(guest: session.account, session.handles) }
        erasedAccounts.remove(session.accountKey)
        let account = AccountRecord(
            name: session.account,
            handles: session.handles,
            profile: session.profile,
            isListedByDefault: session.isListedByDefault
        )
        remove(directory.noteSignIn(account))
        changedPeople.append((session.account, nil))
        store?.recordUnprovisionedSignIn(of: account)
    }

    /// Notes that a session of an account has ended.
    mutating func noteSessionEnd(of session: ClientSession) {
        accountData.sessionEnded(session.id, of: session.account)
        // There is no data of a guest to be removed.
        if directory.noteSignOut(session.account), !session.isByInvitation { remove([session.account]) }
    }

    /// Begins to apply an operator's changes of the accounts.
    ///
    /// - Parameters:
    ///   - accounts: The hub's own list.
    ///   - erased: The names of the accounts whose data is to be removed.
    /// - Returns: The names of the accounts that are no longer on the list: their sessions must be ended.
    mutating func apply(_ accounts: [AccountRecord], erased: [String]) -> [String] {
        erasedAccounts.formUnion(erased.map(FoldedName.init))
        for account in erased { accountData.removeAccount(account) }
        let (removed, changed) = directory.accept(list: accounts)
        changedPeople += (removed + changed + erased).map { ($0, nil) }
        removeSubscriptions(of: erased + removed)
        return removed
    }

    /// Notes that the sessions of removed and erased accounts have ended.
    mutating func noteSessionsEnded(of erased: [String], provisioned: [AccountRecord]) {
        for account in erased { directory.removeUnlisted(account) }
        changedPeople += erased.map { ($0, nil) }
        erasedAccounts.subtract(provisioned.map { FoldedName($0.name) })
    }

    /// Notes that nothing of erased accounts is left in the hub.
    func finishErasure(of accounts: [String]) {
        if !accounts.isEmpty { store?.finishErasure(of: accounts) }
    }

    /// Removes the data of accounts that are on no list and have been absent for long.
    private mutating func remove(_ accounts: [String]) {
        for account in accounts {
            accountData.removeAccount(account)
            store?.removeAccount(account)
            changedPeople.append((account, nil))
        }
        removeSubscriptions(of: accounts)
    }

    /// Removes the push subscriptions of accounts.
    func removeSubscriptions(of accounts: [String]) {
        for account in accounts { push?.removeAccount(account) }
    }

    /// Has the store remove calls that ended before a moment.
    func removeStoredRecents(endedBefore moment: Instant) { store?.expireRecents(endedBefore: moment) }
}
