/// What the hub remembers of each account: settings, block list, contacts, Recents and call directory.
///
/// In memory, and only that: a store keeps it beyond the hub's life, is told of each change before it is made (`rehearse`), and
/// gives everything back (`restore`). The engine asks it through its driver, by `Effect.lookUp` and `Effect.screen`, and
/// tells it by `Effect.remember`.
public struct HubMemory: Sendable {
    /// How much is kept.
    public var limits: MemoryLimits
    /// An account of which nothing is known has no place here.
    private var accounts: [String: AccountMemory] = [:]
    /// The memory of all accounts' call directories and of their loads under way, in bytes.
    public private(set) var directoryBytes = 0
    /// The loads that are under way, and when they are given up.
    private var loads: [LoadName: Instant] = [:]
    /// When the next load is to be given up; nil: none is under way.
    public private(set) var nextDeadline: Instant?

    private struct LoadName: Hashable {
        var account: String
        var identifier: String
    }

    /// A memory of nobody.
    public init(limits: MemoryLimits = MemoryLimits()) {
        self.limits = limits
    }

    // MARK: What the engine asks

    /// What is known of who has a handle and who calls: the answer to `Effect.lookUp`.
    ///
    /// - Parameters:
    ///   - lookUp: What was asked.
    ///   - target: Who has the handle, as the driver knows; what stands in it of the caller is replaced.
    ///   - link: The link by which the caller has come; nil: the caller is no link's guest.
    ///   - clock: What time it is where the callee is.
    /// - Returns: The whole answer.
    public func answer(
        _ lookUp: LookUp,
        target: LookUpResult.Target,
        link: CallLinkID? = nil,
        clock: LocalTime.Clock
    ) -> LookUpResult {
        var result = LookUpResult(target)
        result.callerLink = link
        if case .account(let account, _) = target {
            let knowledge = knowledge(of: lookUp.callerHandle, link: link, by: account, clock: clock)
            result.target = .account(account, knowledge)
        }
        let displayName = accounts[lookUp.caller]?.settings.displayName ?? ""
        result.callerDisplayName = displayName.isEmpty ? nil : displayName
        result.calleeNames = accounts[lookUp.caller]?.names(of: lookUp.handle) ?? KnownNames()
        return result
    }

    /// What an account has on record of a caller: the answer to `Effect.screen`.
    ///
    /// - Parameters:
    ///   - caller: Who calls.
    ///   - link: The link by which the caller has come; nil: the caller is no link's guest.
    ///   - account: Who is called.
    ///   - clock: What time it is where the callee is.
    /// - Returns: What is known, as it is now.
    public func knowledge(
        of caller: Handle,
        link: CallLinkID? = nil,
        by account: String,
        clock: LocalTime.Clock
    ) -> CallerKnowledge {
        accounts[account]?.knowledge(of: caller, link: link, clock: clock) ?? CallerKnowledge()
    }

    /// Keeps an entry of Recents: what `Effect.remember` asks for.
    public mutating func remember(_ call: RecentCall, of account: String) {
        accounts[account, default: AccountMemory()].recents.add(call, limits: limits)
    }

    // MARK: What a store keeps

    /// Takes an account as a store has it, in place of what is known of it.
    ///
    /// Limits that have become narrower take nothing away: they only let nothing more in.
    public mutating func restore(_ account: RememberedAccount) {
        forget(account.name)
        let memory = AccountMemory(account, limits: limits)
        directoryBytes += memory.directory.byteCount
        accounts[account.name] = memory
    }

    /// What a store has of an account when it has written all changes; nil: nothing is known of it.
    public func remembered(_ account: String) -> RememberedAccount? {
        accounts[account].map { memory in
            var remembered = RememberedAccount(name: account)
            remembered.settings = memory.settings
            remembered.blocked = memory.blockList.rules
            remembered.contacts = memory.contacts.all
            remembered.recents = memory.recents.all
            remembered.directories = memory.directory.remembered
            return remembered
        }
    }

    /// Forgets the calls of all accounts that ended before a moment; the accounts that had any.
    public mutating func forgetRecents(endedBefore moment: Instant) -> [String] {
        var changed: [String] = []
        for name in accounts.keys.sorted() where accounts[name]?.recents.remove(endedBefore: moment) == true {
            changed.append(name)
        }
        return changed
    }

    /// What `handle` would change that must be kept; empty: nothing, as with a question or a change that is none.
    ///
    /// - Parameters:
    ///   - request: What a client asks.
    ///   - asker: Who asks.
    ///   - now: The hub's clock.
    ///   - clock: What time zones there are.
    /// - Returns: The changes, in their order.
    /// - Throws: What `handle` would throw.
    public func rehearse(
        _ request: MemoryRequest,
        from asker: MemoryAsker,
        at now: Instant,
        clock: LocalTime.Clock
    ) throws(MemoryRefusal) -> [MemoryChange] {
        guard request.isKept else { return [] }
        var account = accounts[asker.account] ?? AccountMemory()
        let answer = try account.change(request, from: asker, at: now, clock: clock, room(of: asker.account))
        return answer.isNothingNew ? [] : account.changes(by: request, at: now)
    }

    // MARK: What clients ask

    /// Does what a client asks, or says why not.
    ///
    /// - Parameters:
    ///   - request: What it asks.
    ///   - asker: Who asks.
    ///   - now: The hub's clock.
    ///   - clock: What time zones there are.
    /// - Returns: The answer, and what the account's other devices are to be told.
    /// - Throws: What is wrong and what would be right.
    public mutating func handle(
        _ request: MemoryRequest,
        from asker: MemoryAsker,
        at now: Instant,
        clock: LocalTime.Clock
    ) throws(MemoryRefusal) -> MemoryAnswer {
        guard request.mayChange else {
            return try (accounts[asker.account] ?? AccountMemory()).answer(request, from: asker)
        }
        let room = room(of: asker.account)
        defer {
            countDirectory(of: asker.account, besides: room.bytesOfOthers)
            noteLoad(request, of: asker.account)
        }
        return try accounts[asker.account, default: AccountMemory()]
            .change(request, from: asker, at: now, clock: clock, room)
    }

    /// The room for an account's directory beside those of the others.
    private func room(of account: String) -> DirectoryRoom {
        let own = accounts[account]?.directory.byteCount ?? 0
        return DirectoryRoom(limits: limits, bytesOfOthers: directoryBytes - own)
    }

    /// Counts an account's directory anew after a change of it.
    private mutating func countDirectory(of account: String, besides bytesOfOthers: Int) {
        directoryBytes = bytesOfOthers + (accounts[account]?.directory.byteCount ?? 0)
    }

    /// A session is over: its loads that are not complete are forgotten.
    public mutating func sessionEnded(_ session: SessionID, of account: String) {
        let others = room(of: account).bytesOfOthers
        defer { countDirectory(of: account, besides: others) }
        for identifier in accounts[account]?.directory.abandonLoads(of: session) ?? [] {
            setDeadline(of: LoadName(account: account, identifier: identifier), nil)
        }
    }

    /// Gives up the loads whose time is over.
    public mutating func expire(at now: Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        // In whatever order: each is by itself.
        for (name, deadline) in loads where deadline <= now {
            let others = room(of: name.account).bytesOfOthers
            accounts[name.account]?.directory.expireLoad(name.identifier)
            countDirectory(of: name.account, besides: others)
            loads[name] = nil
        }
        self.nextDeadline = loads.values.min()
    }

    /// Forgets an account.
    public mutating func forget(_ account: String) {
        guard let memory = accounts.removeValue(forKey: account) else { return }
        directoryBytes -= memory.directory.byteCount
        guard nextDeadline != nil else { return }
        loads = loads.filter { $0.key.account != account }
        nextDeadline = loads.values.min()
    }

    private mutating func noteLoad(_ request: MemoryRequest, of account: String) {
        switch request {
        case .loadDirectory(let load): noteLoad(load.identifier, of: account)
        case .cancelDirectoryLoad(let identifier): noteLoad(identifier, of: account)
        case .erase: forget(account)
        default: break
        }
    }

    private mutating func noteLoad(_ identifier: String, of account: String) {
        let deadline = accounts[account]?.directory.deadline(of: identifier)
        setDeadline(of: LoadName(account: account, identifier: identifier), deadline)
    }

    private mutating func setDeadline(of name: LoadName, _ deadline: Instant?) {
        guard loads[name] != deadline else { return }
        loads[name] = deadline
        nextDeadline = loads.values.min()
    }
}
