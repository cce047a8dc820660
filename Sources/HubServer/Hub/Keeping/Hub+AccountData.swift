import HubAccountData
import HubEngine
import HubWire

/// The data of accounts: requested by clients, queried and changed by the engine, changed by an operator.
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

    /// Executes a request, or has the store write its changes first; if that fails, the request is not executed.
    private func take(_ visit: MemoryDesk.Visit) {
        switch accountData.accept(visit) {
        case .execute: execute(visit)
        case .write(let changes, let store):
            store.write(changes, of: visit.asker.account) { [thread = ground?.thread] fault in
                thread?.run { $0.written(visit, fault) }
            }
        case .wait: break
        case .refuse:
            let message = "too much waits to be written for this account; ask again when answers have come"
            reply(.failure(WireError(.tooMany, message, retryAfterSeconds: 1)), to: visit.token)
        }
    }

    private func written(_ visit: MemoryDesk.Visit, _ fault: StoreFault?) {
        // The account may have been erased; then its sessions were signed out.
        guard let waiting = accountData.endWrite(of: visit) else { return }
        if let fault {
            reply(.failure(WireError(.storeFailed, fault.message, retryAfterSeconds: 5)), to: visit.token)
        } else {
            execute(visit)
        }
        for next in waiting {
            switch next {
            case .call(let call): remember(call, of: visit.asker.account, causedBy: nil)
            case .visit(let visit): take(visit)
            }
        }
    }

    /// Executes a request, answers it, and notifies the account's other devices.
    private func execute(_ visit: MemoryDesk.Visit) {
        do throws(MemoryRefusal) {
            let answer = try accountData.execute(visit)
            let (account, asker) = (visit.asker.account, visit.asker.session)
            reply(.success(ReplyPayload(answer.reply)), to: visit.token)
            for topic in answer.changed {
                tellDevices(of: account, but: asker, that: topic, causedBy: sessions[asker])
            }
            if visit.request == .erase { accountData.removeSubscriptions(of: [account]) }
        } catch {
            reply(.failure(WireError(error)), to: visit.token)
        }
        arm()
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

    // MARK: Recents

    /// Adds an entry of Recents that the store has already, and notifies all of the account's devices.
    func remember(_ call: RecentCall, of account: String, causedBy causer: ClientSession?) {
        guard accountData.remember(call, of: account) else { return }
        tellDevices(of: account, that: .recents, causedBy: causer)
    }

    /// Removes calls that have exceeded their retention, once an interval.
    func removeOldRecents(at now: Instant) {
        guard let (moment, accounts) = accountData.removeOldRecents(at: now) else { return }
        for account in accounts { tellDevices(of: account, that: .recents, causedBy: nil) }
        accountData.removeStoredRecents(endedBefore: moment)
    }

    /// Indicates that data of an account is kept: not of a guest, nor of an erased one that has not signed in since.
    func keeps(_ account: String) -> Bool {
        !sessions.of(account).contains(where: \.isByLink) && !accountData.isErased(account)
    }

    // MARK: Accounts

    /// Applies an operator's changes of the accounts.
    func take(_ accounts: [ListedAccount], erased: [String]) {
        let removed = accountData.apply(accounts, erased: erased)
        // Only now: nothing is kept of the calls that end by it, if the account is erased.
        for account in Set(removed + erased) {
            for session in sessions.of(account) { signOut(session, .signedOut) }
        }
        accountData.noteSessionsEnded(of: erased, listed: accounts)
        for account in accounts { holdToList(account) }
        accountData.finishErasure(of: erased)
    }
}
