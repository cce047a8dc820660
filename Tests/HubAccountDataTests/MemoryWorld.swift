import HubAccountData
import HubEngine

/// The account data with a clock, and a client that sends requests.
struct MemoryWorld {
    var accountData: AccountDataTable
    var now = Instant(nanoseconds: 1_000_000_000)
    /// The local times by time zone; "" is the hub's own zone.
    var localTimes = ["": LocalTime(.wednesday, minute: 720)]
    private var lastID: UInt64 = 0

    init(_ change: (inout AccountDataLimits) -> Void = { _ in }) {
        var limits = AccountDataLimits()
        change(&limits)
        accountData = AccountDataTable(limits: limits)
    }

    static func session(_ number: UInt32) -> SessionID { SessionID(index: number, generation: 0) }

    /// Sends a request and returns the answer.
    @discardableResult
    mutating func ask(
        _ request: AccountDataRequest,
        as account: String = "bob",
        device: String = "desk",
        session: UInt32 = 1
    ) throws -> AccountDataResult {
        let requester = AccountDataRequester(account: account, device: device, session: Self.session(session))
        let localTimes = localTimes
        return try accountData.handle(request, from: requester, at: now) { localTimes[$0] }
    }

    /// Sends a request and returns the code of its refusal, or nil.
    mutating func refusal(_ request: AccountDataRequest, session: UInt32 = 1) -> AccountDataError.Code? {
        do {
            try ask(request, session: session)
            return nil
        } catch {
            return (error as? AccountDataError)?.code
        }
    }

    /// Adds an ended call to Recents and returns its entry's UUID.
    @discardableResult
    mutating func addRecent(
        _ name: String = "alice",
        isOutgoing: Bool = false,
        _ outcome: RecentCall.Outcome = .answered,
        devices: [String] = ["desk"],
        link: String? = nil,
        of account: String = "bob"
    ) -> RecentUUID {
        lastID += 1
        now = now + .seconds(1)
        let id = RecentUUID(high: 7, low: lastID)
        let call = RecentCall(
            id: id,
            handle: .generic(name),
            name: name,
            invitation: link.flatMap(InvitationID.init),
            isOutgoing: isOutgoing,
            outcome: outcome,
            devices: devices,
            startedAt: now,
            endedAt: now + .seconds(1)
        )
        accountData.addRecent(call, of: account)
        return id
    }

    mutating func recents(limit: Int? = nil, before: RecentUUID? = nil, device: String = "desk") throws -> [RecentEntry]
    {
        guard case .recents(let entries) = try ask(.listRecents(limit: limit, before: before), device: device).reply
        else { return [] }
        return entries
    }

    /// Returns Bob's account data about a caller.
    func screeningData(of caller: Handle) -> CallerScreeningData {
        accountData.screeningData(of: caller, by: "bob") { localTimes[$0] }
    }

    /// Returns the result of a look-up, with the account data of caller and callee about each other.
    func answer(_ lookUp: LookUp, target: LookUpResult.Target) -> LookUpResult {
        accountData.answer(lookUp, target: target) { localTimes[$0] }
    }

    // MARK: The directory

    /// Requests the status of a directory extension of Bob's; nil if the reply contains none.
    mutating func status(_ identifier: String = "list") throws -> DirectoryStatus? {
        guard case .directories(let all) = try ask(.directoryStatus(identifier: identifier)).reply else { return nil }
        return all.first
    }

    mutating func load(_ load: DirectoryLoad, session: UInt32 = 1) throws -> DirectoryLoadResult? {
        guard case .loaded(let result) = try ask(.loadDirectory(load), session: session).reply else { return nil }
        return result
    }

    /// Returns the block flag and the label of a number in Bob's directories.
    func looksUp(_ number: String) -> (isBlocked: Bool, label: String?) {
        let screeningData = screeningData(of: Handle(type: .phoneNumber, value: number))
        return (screeningData.isBlockedByDirectory, screeningData.names.directory)
    }
}

extension DirectoryLoad {
    /// A load of some numbers to be blocked and some names.
    static func list(
        _ identifier: String = "list",
        incremental: Bool = false,
        blocking: [Int64] = [],
        naming identification: [(Int64, String)] = [],
        batch: Int = 1,
        final: Bool = true,
        change: (inout DirectoryLoad) -> Void = { _ in }
    ) -> DirectoryLoad {
        var load = DirectoryLoad(identifier, isIncremental: incremental)
        load.blocking = blocking
        load.identification = identification.map { DirectoryEntry($0.0, $0.1) }
        load.batch = batch
        load.isFinal = final
        change(&load)
        return load
    }
}
