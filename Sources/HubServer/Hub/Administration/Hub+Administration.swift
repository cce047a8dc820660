import HubEngine
import HubWire

/// The state of the hub for its administrators, and the audit log of their acts.
extension Hub {
    // MARK: Acts

    /// Performs an act of the hub's own when its entry is in the audit log; without one at once.
    ///
    /// The act is refused if the entry cannot be stored, or if the session has lost the right meanwhile.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - session: The administrator's session.
    ///   - context: The request.
    ///   - body: The act, which answers the request.
    func perform(
        _ act: AuditAct,
        by session: ClientSession,
        _ context: RequestContext,
        _ body: @escaping @Sendable (Hub) -> Void
    ) {
        guard let service = services.administration, let thread = transport?.thread else { return body(self) }
        service.record(act, by: actor(session)) { [id = session.id] error in
            thread.run { hub in
                if let error { return hub.refuse(error, to: context) }
                if let session = hub.sessions[id], !session.permissions.contains(.admin) {
                    return hub.refuse(.noAdministrator, to: context)
                }
                body(hub)
            }
        }
    }

    /// Performs an act of a user on the own account when its entry is in the audit log; without one at once.
    ///
    /// It is performed even if the entry cannot be stored: a full disk must not keep a user from signing out a device
    /// that was stolen.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - session: The user's session.
    ///   - context: The request.
    ///   - body: The act, which answers the request.
    func performOwn(
        _ act: AuditAct,
        by session: ClientSession,
        _ context: RequestContext,
        _ body: @escaping @Sendable (Hub) -> Void
    ) {
        if let refusal = admissionControl.refusalOfOwnChange(by: session, at: clock.now) {
            return refuse(refusal, to: context)
        }
        guard auditsOwnActs, let service = services.administration, let thread = transport?.thread else {
            return body(self)
        }
        service.record(act, by: actor(session)) { error in
            thread.run { hub in
                if let error {
                    hub.log(.error, "own act not in the audit log", ["act": act.name, "reason": error.message])
                }
                body(hub)
            }
        }
    }

    /// Indicates that users' acts on their own accounts are in the audit log: where anybody may use any name, they are
    /// nobody's.
    var auditsOwnActs: Bool { services.authMode != "open" }

    /// Describes a session for the audit log.
    func actor(_ session: ClientSession) -> AuditActor {
        AuditActor(
            .session,
            account: session.account,
            device: session.device.name ?? session.device.id,
            address: session.connection.flatMap { admissionControl.address(of: $0)?.text }
        )
    }

    /// Passes a request to the service of accounts and the audit log.
    func forward(_ request: AdminRequest, of session: ClientSession, _ context: RequestContext) {
        guard let service = services.administration else {
            return refuse(WireError(.notFound, "this hub has no accounts and no audit log"), to: context)
        }
        pending.insert(context)
        service.answer(request, by: actor(session)) { [thread = transport?.thread, token = context.token] outcome in
            thread?.run { $0.reply(outcome, to: token) }
        }
    }

    /// Starts a backup.
    func startBackup(of session: ClientSession, _ context: RequestContext) {
        guard let backup = services.backup else {
            let message = "this hub makes no backups; set backup.folder in its configuration"
            return refuse(WireError(.notFound, message), to: context)
        }
        guard !backup.statistics.isRunning else {
            return refuse(WireError(.conflict, "a backup is being made; wait for its end"), to: context)
        }
        perform(AuditAct("server.backup"), by: session, context) { hub in
            backup.makeNow()
            hub.reply(.done, to: context)
        }
    }

    // MARK: Accounts

    /// All accounts that are known, and those that may not sign in, with what an administrator may change.
    ///
    /// - Parameter search: The text that the name or a handle contains; nil: all.
    /// - Returns: The accounts, in no particular order.
    func administeredAccounts(_ search: String?) -> [AdminAccount] {
        let managed = services.administration?.accounts ?? []
        var accounts = accountData.directory.all
        if !managed.isEmpty {
            let byName = Dictionary(managed.map { (FoldedName($0.account), $0) }) { first, _ in first }
            var known: Set<FoldedName> = []
            for index in accounts.indices {
                let key = FoldedName(accounts[index].account)
                known.insert(key)
                accounts[index].managed = byName[key]?.managed
            }
            accounts += managed.filter { !known.contains(FoldedName($0.account)) }
        }
        guard let search = search.map(SearchText.init) else { return accounts }
        return accounts.filter { account in
            search.isIn(account.account) || account.handles.contains(where: search.isIn)
                || account.managed?.name.map(search.isIn) ?? false
        }
    }

    /// The handles of all accounts.
    ///
    /// - Parameter search: The text that the handle or its account contains; nil: all.
    /// - Returns: The handles, in no particular order.
    func administeredHandles(_ search: String?) -> [AdminHandle] {
        let search = search.map(SearchText.init)
        return administeredAccounts(nil).flatMap { account in
            account.handles.filter { search?.isIn($0) ?? true || search?.isIn(account.account) ?? true }
                .map { AdminHandle(handle: $0, account: account.account) }
        }
    }

    // MARK: Status

    /// Answers with the state of the hub, when all loops and the files have been asked.
    func replyWithStatus(to context: RequestContext) {
        pending.insert(context)
        transport?.collectStatistics { [weak self, token = context.token] loops in
            guard let self else { return }
            let status = status(loops)
            guard let service = services.administration, let thread = transport?.thread else {
                return reply(.success(.admin(.status(status))), to: token)
            }
            service.findStatus { found in
                thread.run { hub in
                    var status = status
                    (status.certificate, status.auditHead) = (found.certificate, found.auditHead)
                    hub.reply(.success(.admin(.status(status))), to: token)
                }
            }
        }
    }

    private func status(_ loops: [LoopStatistics]) -> AdminStatus {
        var status = AdminStatus(
            hub: SessionOpenResult.Hub(version: settings.version, node: settings.node),
            authMode: services.authMode,
            startedAt: startedAt,
            answeredAt: clock.date
        )
        status.sessions = sessions.count
        status.calls = engine.objectCounts.conversations
        status.isDraining = drainState.isDraining
        status.backup = services.backup.map { AdminStatus.Backup($0.statistics) }
        status.refusals = history.refusals(refusals(LoopStatistics.sum(of: loops)))
        status.log = settings.log.recent.newestFirst.map { line in
            AdminStatus.LogLine(at: line.at, isError: line.level == .error, text: line.text)
        }
        return status
    }

    private func refusals(_ sum: LoopStatistics) -> [(limit: String, count: Int)] {
        admissionControl.refusals.byLimit
            + sum.transport.refusedByReason.map { ("connections.\($0.reason)", $0.count) }
    }

    // MARK: History

    /// Samples the counters of all loops, if it is time.
    func sampleHistory(at now: Instant) {
        guard history.isDue(at: now) else { return }
        transport?.collectStatistics { [weak self] loops in
            guard let self else { return }
            let sum = LoopStatistics.sum(of: loops)
            var latency = sum.transport.latency
            latency += sum.transport.queueTimeOfWritten
            let counters = HourlyHistory.Counters(
                calls: engine.objectCounts.conversations,
                sessions: sessions.count,
                relayed: sum.relay.relayed,
                latency: latency,
                refusals: refusals(sum)
            )
            history.add(counters, at: clock.now)
        }
    }
}

extension WireError {
    /// The error of a session without the permission `admin`.
    static var noAdministrator: WireError {
        let message = "this session may not administer the hub; sign in with params.permissions \"admin\""
        return WireError(.notAllowed, message)
    }
}

extension AdminStatus.Backup {
    fileprivate init(_ statistics: BackupStatistics) {
        self.init(
            newestAt: statistics.newest > 0
                ? Instant(nanoseconds: statistics.newest.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
                : nil,
            byteCount: statistics.lastBytes > 0 ? statistics.lastBytes : nil,
            failures: statistics.failures,
            failure: statistics.lastFailure,
            isRunning: statistics.isRunning
        )
    }
}

/// A text that an administrator looks for, compared without case; in telephone numbers by digits.
private struct SearchText {
    private let folded: String
    private let digits: String

    init(_ text: String) {
        folded = FoldedName(text).text
        digits = text.allSatisfy { "+0123456789 -./()".contains($0) } ? text.filter(\.isNumber) : ""
    }

    func isIn(_ name: String) -> Bool { folded.isEmpty || FoldedName(name).text.contains(folded) }

    func isIn(_ handle: Handle) -> Bool {
        if isIn(handle.value) { return true }
        return handle.type == .phoneNumber && !digits.isEmpty && handle.value.filter(\.isNumber).contains(digits)
    }
}

extension AdminHandle: AdminEntry {
    var listPosition: AdminListPosition {
        // Without spaces: the identity is the part of a position's text that has none.
        AdminListPosition(name: handle.value, identity: "\(handle.type.rawValue)")
    }

    var byteCount: Int { 96 + handle.value.utf8.count + account.utf8.count }
}
