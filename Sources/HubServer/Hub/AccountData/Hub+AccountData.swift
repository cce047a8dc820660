import HubAccountData
import HubCrypto
import HubEngine
import HubWire

/// The data of accounts: requested by clients, queried and changed by the engine, changed by an operator.
extension Hub {
    // MARK: Clients

    /// Answers a client, at once or when its changes are written.
    func answer(_ request: AccountDataRequest, of session: ClientSession, _ context: RequestContext) {
        guard !(session.isGuest && request.mayChange) else {
            let message = "the hub stores no data of guests, who may only call; sign in to an account"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        let requester = AccountDataRequester(
            account: session.account,
            device: session.device.id ?? "",
            session: session.id,
            isListedByDefault: accountData.directory.house(of: session.account)?.isListedByDefault ?? false,
            hubTimeZone: clock.timeZone
        )
        let isAudited = request.isAudited
        if isAudited, let refusal = admissionControl.refusalOfOwnChange(by: session, at: clock.now) {
            return refuse(refusal, to: context)
        }
        pending.insert(context)
        let hashed = request.settingPhotoHash(Self.photoHash)
        var asked = PendingWrites.PendingRequest(
            request: hashed,
            requester: requester,
            at: clock.now,
            token: context.token
        )
        if isAudited, auditsOwnActs { asked.actor = actor(session) }
        take(asked)
    }

    /// Executes a request, or has the store write its changes first; if that fails, the request is not executed.
    private func take(_ pendingRequest: PendingWrites.PendingRequest) {
        switch accountData.accept(pendingRequest) {
        case .execute: execute(pendingRequest)
        case .write(let changes, let store):
            store.write(changes, of: pendingRequest.requester.account, by: pendingRequest.actor) {
                [thread = transport?.thread] fault in
                thread?.run { $0.written(pendingRequest, fault) }
            }
        case .wait: break
        case .refuse:
            let message = "too many writes are pending for this account; try again when they have been answered"
            reply(.failure(WireError(.tooMany, message, retryAfterSeconds: 1)), to: pendingRequest.token)
        }
    }

    private func written(_ pendingRequest: PendingWrites.PendingRequest, _ fault: StoreFault?) {
        // The account may have been erased; then its sessions were signed out.
        guard let waiting = accountData.endWrite(of: pendingRequest) else { return }
        if let fault {
            reply(.failure(WireError(.storeFailed, fault.message, retryAfterSeconds: 5)), to: pendingRequest.token)
        } else {
            execute(pendingRequest)
        }
        for next in waiting {
            switch next {
            case .call(let call): addRecent(call, of: pendingRequest.requester.account, causedBy: nil)
            case .pendingRequest(let pendingRequest): take(pendingRequest)
            }
        }
    }

    /// Executes a request, answers it, and notifies the account's other devices.
    private func execute(_ pendingRequest: PendingWrites.PendingRequest) {
        let wasNamed = accountData.isNamedInGroups(pendingRequest.requester.account)
        let formerHoldAudio = accountData.holdAudio(of: pendingRequest.requester.account)
        do throws(AccountDataError) {
            let answer = try accountData.execute(pendingRequest)
            if case .photo(.inStore) = answer.reply { return readPhoto(for: pendingRequest) }
            let (account, requester) = (pendingRequest.requester.account, pendingRequest.requester.session)
            reply(.success(ReplyPayload(answer.reply)), to: pendingRequest.token)
            for topic in answer.changed {
                notifyDevices(of: account, but: requester, that: topic, causedBy: sessions[requester])
            }
            if let directory = answer.reloadedDirectory { requestReload(of: directory, account, requester) }
            applyGroupNaming(of: account, was: wasNamed, causedBy: sessions[requester])
            applyHoldAudio(of: account, was: formerHoldAudio, causedBy: sessions[requester])
            if pendingRequest.request == .erase {
                accountData.removeSubscriptions(of: [account])
                if appearances.removeKept(of: FoldedName(account)) {
                    notifyOfProviders(of: account, but: requester, causedBy: sessions[requester])
                }
            }
        } catch {
            reply(.failure(WireError(error)), to: pendingRequest.token)
        }
        sendPresence()
        arm()
    }

    /// Answers a request for a photo when the store has read it.
    private func readPhoto(for pendingRequest: PendingWrites.PendingRequest) {
        guard case .contactPhoto(let contact) = pendingRequest.request else { return }
        let token = pendingRequest.token
        let account = pendingRequest.requester.account
        accountData.readPhoto(of: contact, in: account) { [thread = transport?.thread] result in
            thread?.run { hub in
                switch result {
                case .success(let bytes?): hub.reply(.success(.photo(bytes)), to: token)
                case .success:
                    hub.reply(.failure(WireError(.notFound, "the contact has no photo any more")), to: token)
                case .failure(let fault):
                    hub.reply(.failure(WireError(.storeFailed, fault.message, retryAfterSeconds: 5)), to: token)
                }
            }
        }
    }

    /// Returns the name by which clients store a photo: the first 16 bytes of its SHA-256 hash, in hexadecimal digits.
    static func photoHash(_ bytes: [UInt8]) -> String {
        SHA256.digest(bytes).prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Asks the account's other devices to load a directory extension again.
    private func requestReload(of identifier: String, _ account: String, _ requester: SessionID) {
        for session in sessions.of(account) where session.id != requester {
            notify(session, .directoryReloadRequested(identifier: identifier), causedBy: sessions[requester])
        }
    }

    private func notifyDevices(
        of account: String,
        but requester: SessionID? = nil,
        that topic: AccountDataTopic,
        causedBy chargedSession: ClientSession?
    ) {
        for session in sessions.of(account) where session.id != requester {
            notify(session, .changed(topic), causedBy: chargedSession)
        }
    }

    // MARK: Recents

    /// Adds an entry of Recents that the store has already, and notifies all of the account's devices.
    func addRecent(_ call: RecentCall, of account: String, causedBy chargedSession: ClientSession?) {
        guard accountData.addRecent(call, of: account) else { return }
        notifyDevices(of: account, that: .recents, causedBy: chargedSession)
    }

    /// Removes calls that have exceeded their retention, once an interval.
    func removeOldRecents(at now: Instant) {
        guard let (moment, accounts) = accountData.removeOldRecents(at: now) else { return }
        for account in accounts { notifyDevices(of: account, that: .recents, causedBy: nil) }
        accountData.removeStoredRecents(endedBefore: moment)
    }

    /// Indicates that data of an account is stored: not of guests, nor of an erased one that has not signed in since.
    func keeps(_ account: String) -> Bool {
        !sessions.of(account).contains(where: \.isByInvitation) && !accountData.isErased(account)
    }

    // MARK: Accounts

    /// Applies an operator's changes of the accounts.
    func take(_ accounts: [AccountRecord], erased: [String]) {
        let removed = accountData.apply(accounts, erased: erased)
        // After `apply`: the calls that end with these sessions are not stored if the account is erased.
        for account in Set(removed + erased) {
            for session in sessions.of(account) { signOut(session, .signedOut) }
        }
        accountData.noteSessionsEnded(of: erased, provisioned: accounts)
        for account in erased { appearances.removeKept(of: FoldedName(account)) }
        for account in accounts { applyListing(account) }
        if !erased.isEmpty { holdMusic.removeAll() }
        accountData.finishErasure(of: erased)
        sendPresence()
        arm()
    }
}

extension AccountDataRequest {
    /// Indicates that the request's changes are in the audit log: others see the photo, and an erasure is final.
    fileprivate var isAudited: Bool {
        switch self {
        case .setSettings(let update): update.photo != .keep
        case .erase: true
        default: false
        }
    }
}
