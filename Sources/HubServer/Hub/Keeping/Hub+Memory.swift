import HubAccountData
import HubEngine
import HubWire

/// The data of accounts: requested by clients, queried and changed by the engine, persisted by a store.
extension Hub {
    // MARK: Clients

    /// Answers a client, at once or when its changes are written.
    func answer(_ request: MemoryRequest, of session: ClientSession, _ context: RequestContext) {
        guard !(session.isGuest && request.mayChange) else {
            let message = "nothing is kept of a guest, who may call and nothing else; sign in to an account"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        let asker = MemoryAsker(account: session.account, device: session.device.id ?? "", session: session.id)
        pending.insert(context)
        take(MemoryDesk.Visit(request: request, asker: asker, at: clock.now, token: context.token))
    }

    private func take(_ visit: MemoryDesk.Visit) {
        switch desk.take(visit) {
        case .now: see(to: visit)
        case .later: break
        case .never:
            let message = "too much waits to be written for this account; ask again when answers have come"
            reply(.failure(WireError(.tooMany, message, retryAfterSeconds: 1)), to: visit.token)
        }
    }

    /// Has the store write the changes of a request, if there are any; if that fails, the request is not executed.
    private func see(to visit: MemoryDesk.Visit) {
        // A request that throws here throws again in `complete`, and has changed nothing that is kept.
        let changes =
            (try? memory.rehearse(visit.request, from: visit.asker, at: visit.at) { clock.wallTime(in: $0) }) ?? []
        let account = visit.asker.account
        guard let store = services.memory, !changes.isEmpty else { return complete(visit) }
        desk.begin(account)
        store.write(changes, of: account) { [thread = ground?.thread] fault in
            thread?.run { $0.written(visit, fault) }
        }
    }

    private func written(_ visit: MemoryDesk.Visit, _ fault: StoreFault?) {
        let waiting = desk.end(visit.asker.account)
        // The account has been erased, and its sessions were signed out.
        guard !erasedAccounts.contains(visit.asker.account) else { return }
        if let fault {
            reply(.failure(WireError(.storeFailed, fault.message, retryAfterSeconds: 5)), to: visit.token)
        } else {
            complete(visit)
        }
        for next in waiting {
            switch next {
            case .call(let call): remember(call, of: visit.asker.account, causedBy: nil)
            case .visit(let visit): take(visit)
            }
        }
    }

    /// Executes a request, answers it, and notifies the account's other devices.
    private func complete(_ visit: MemoryDesk.Visit) {
        do throws(MemoryRefusal) {
            let answer = try memory.handle(visit.request, from: visit.asker, at: visit.at) { clock.wallTime(in: $0) }
            reply(.success(ReplyPayload(answer.reply)), to: visit.token)
            let (account, asker) = (visit.asker.account, visit.asker.session)
            for topic in answer.changed {
                tellDevices(of: account, but: asker, that: topic, causedBy: sessions[asker])
            }
            if visit.request == .erase { forgetSubscriptions(of: [visit.asker.account]) }
        } catch {
            reply(.failure(WireError(error)), to: visit.token)
        }
        arm()
    }

    // MARK: The engine

    /// Returns the data that the engine needs before a call is placed.
    func lookUp(_ lookUp: LookUp) -> LookUpResult {
        // A guest's account has only sessions of one link, so that any of them has it.
        let link = sessions.of(lookUp.caller).lazy.compactMap(\.link).first
        var result = memory.answer(lookUp, target: directory.lookUp(lookUp.handle), link: link) {
            clock.wallTime(in: $0)
        }
        // A name that the account has set takes precedence over one of a token, and the newest token over the others.
        result.callerDisplayName =
            result.callerDisplayName ?? sessions.of(lookUp.caller).last { $0.displayName != nil }?.displayName
        return result
    }

    /// Returns the data that the engine needs before a call from outside rings.
    func knowledge(of caller: Handle, by account: String) -> CallerKnowledge {
        memory.knowledge(of: caller, by: account) { clock.wallTime(in: $0) }
    }

    /// Adds an entry of Recents that the store has already, and notifies all of the account's devices.
    func remember(_ call: RecentCall, of account: String, causedBy causer: ClientSession?) {
        guard desk.take(call, of: account) else { return }
        memory.remember(call, of: account)
        tellDevices(of: account, that: .recents, causedBy: causer)
    }

    private func tellDevices(
        of account: String,
        but asker: SessionID? = nil,
        that topic: MemoryTopic,
        causedBy causer: ClientSession?
    ) {
        for session in sessions.of(account) where session.id != asker {
            tell(session, .changed(topic), causedBy: causer)
        }
    }

    /// Removes calls that have exceeded their retention, once an interval.
    func forgetOldRecents(at now: Instant) {
        guard settings.recentsRetention > .zero, now >= recentsDue else { return }
        recentsDue = now + Self.betweenForgetting
        let moment = now + (.zero - settings.recentsRetention)
        for account in memory.forgetRecents(endedBefore: moment) {
            tellDevices(of: account, that: .recents, causedBy: nil)
        }
        services.memory?.forgetRecents(endedBefore: moment)
    }

    /// The interval of removals.
    ///
    /// Longer: calls are kept for as much longer than the retention.
    private static let betweenForgetting = Duration.seconds(3_600)

    // MARK: Accounts

    /// Restores the persistent data at the start of the hub.
    func restore(_ state: StoredState) {
        _ = directory.take(list: state.listed)
        for visitor in state.visitors { forget(directory.restore(visitor.name, visitor.handles)) }
        for memory in state.memories { self.memory.restore(memory) }
    }

    /// Applies an operator's changes of the accounts.
    func take(_ accounts: [ListedAccount], erased: [String]) {
        erasedAccounts.formUnion(erased)
        for account in erased { memory.forget(account) }
        let removed = directory.take(list: accounts)
        forgetSubscriptions(of: erased + removed)
        // After `erasedAccounts` is set: nothing is kept of the calls that end by it, if the account is erased.
        for account in Set(removed + erased) {
            for session in sessions.of(account) { signOut(session, .signedOut) }
        }
        for account in erased { directory.forgetVisitor(account) }
        erasedAccounts.subtract(accounts.map(\.name))
        for account in accounts { holdToList(account) }
        if !erased.isEmpty { services.memory?.finishErasure(of: erased) }
    }

    /// Indicates that data of an account is kept: not of a guest, nor of an erased one that has not signed in since.
    func keeps(_ account: String) -> Bool { !isGuest(account) && !erasedAccounts.contains(account) }

    /// Notes that a device of an account has signed in.
    func noteArrival(of session: ClientSession) {
        guard !session.isByLink else { return directory.welcome(guest: session.account, session.handles) }
        erasedAccounts.remove(session.account)
        forget(directory.arrived(session.account, session.handles))
        services.memory?.noteVisit(of: session.account, handles: session.handles)
    }

    /// Indicates that an account is that of a guest who is signed in: nothing is kept of it, in memory or in the store.
    func isGuest(_ account: String) -> Bool { sessions.of(account).contains(where: \.isByLink) }

    /// Notes that a session of an account has ended.
    func noteDeparture(of session: ClientSession) {
        memory.sessionEnded(session.id, of: session.account)
        // There is no data of a guest to be removed.
        if directory.left(session.account), !session.isByLink { forget([session.account]) }
    }

    /// Removes the data of accounts that are on no list and have been absent for long.
    private func forget(_ accounts: [String]) {
        for account in accounts {
            memory.forget(account)
            services.memory?.forget(account)
        }
        forgetSubscriptions(of: accounts)
    }
}
