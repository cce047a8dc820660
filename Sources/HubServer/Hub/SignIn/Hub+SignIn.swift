import HubEngine
import HubWire

/// The sign-in of clients: their credentials, if the hub requires any, and their permissions.
extension Hub {
    func open(_ open: SessionOpen, on id: ConnectionID) {
        guard sessions[id] == nil else {
            return refuse(
                WireError(.conflict, "this connection has a session; open another connection for another one")
            )
        }
        let isOfAnotherRun = open.resume.map { ResumeSecret.isOfAnotherRun($0.token, than: run) } ?? false
        let isAfterReset = isOfAnotherRun && (open.account != nil || open.token != nil)
        if let resume = open.resume, !isAfterReset { return self.resume(resume, for: open.account, on: id) }
        if let refusal = refusalOfGuess(open, on: id) ?? refusalOfSignIn(on: id) { return refuse(refusal) }
        guard let doorkeeper = services.doorkeeper else {
            guard let account = open.account else {
                return refuse(
                    WireError(.invalidParams, "params.account is missing; it must be the name to sign in as")
                )
            }
            let admission = Admission(account: account, handles: [.generic(account)])
            return enter(admission, open, isAfterReset: isAfterReset)
        }
        var credentials = Credentials(account: open.account, password: open.password, token: open.token)
        if let admission = doorkeeper.admitAtOnce(credentials) {
            return enter(admission, open, isAfterReset: isAfterReset)
        }
        guard let requestID = asking.map(\.id), let address = conduct[id]?.address else { return }
        if ground?.isExempt(address) == false {
            let now = clock.now.nanoseconds
            credentials.place = wrongSignIns.lane(of: open.account, from: address, device: open.device.id, at: now)
        }
        let attendance = parking.begin(id)
        credentials.areStillShown = { attendance.goesOn }
        ground?.markJudged(id, true)
        doorkeeper.admit(credentials) { [thread = ground?.thread] verdict in
            thread?.run { hub in
                guard hub.parking.contains(id) else { return }
                hub.asking = Asking(connection: id, id: requestID)
                hub.decide(verdict, on: id, open, isAfterReset: isAfterReset)
                (hub.asking, hub.causer) = (nil, nil)
                hub.unpark(id)
            }
        }
    }

    /// Returns an error if too many sign-ins have failed before; nil: the credentials may be verified.
    ///
    /// Such a sign-in does not count for its address: repeated guesses would use up the sign-ins of all others there.
    private func refusalOfGuess(_ open: SessionOpen, on id: ConnectionID) -> WireError? {
        let credentials = Credentials(account: open.account, password: open.password, token: open.token)
        guard let doorkeeper = services.doorkeeper, doorkeeper.admitAtOnce(credentials) == nil,
            let address = conduct[id]?.address,
            let wait = wrongSignIns.wait(open.account, from: address, device: open.device.id, at: clock.now.nanoseconds)
        else { return nil }
        refusals.signIns += 1
        let message = "too many wrong sign-ins; wait \(wait) seconds before the next one"
        return WireError(.tooMany, message, retryAfterSeconds: wait)
    }

    private func decide(
        _ verdict: Result<Admission, AdmissionRefusal>,
        on id: ConnectionID,
        _ open: SessionOpen,
        isAfterReset: Bool
    ) {
        switch verdict {
        case .success(let admission):
            if open.token == nil, let address = conduct[id]?.address {
                let now = clock.now.nanoseconds
                wrongSignIns.noteRight(admission.account, from: address, device: open.device.id, at: now)
            }
            enter(admission, open, isAfterReset: isAfterReset)
        case .failure(let refusal):
            if refusal.kind == .tooManyAtOnce { refusals.signIns += 1 }
            if refusal.kind.isGuess, let address = conduct[id]?.address {
                let now = clock.now.nanoseconds
                wrongSignIns.note(open.account, from: address, device: open.device.id, at: now)
                log(.info, "sign-in refused", fields(of: id) + [("reason", refusal.message)])
            }
            refuse(WireError(refusal, using: &chance))
        }
    }

    /// Opens the session of an admitted client in the engine.
    private func enter(_ admission: Admission, _ open: SessionOpen, isAfterReset: Bool) {
        guard let admission = heldToList(admission) else {
            return refuse(WireError(.wrongPassword, "the password was changed just now; sign in with the new one"))
        }
        // It may have been revoked since the token was verified, when its guests' sessions were ended.
        if let link = admission.link, services.doorkeeper?.isRevoked(link) == true {
            return refuse(WireError(.wrongToken, "the link was revoked just now; ask for a new one"))
        }
        let fault = self.fault(ofAccount: admission.account, isByToken: open.token != nil)
        if let fault = fault ?? self.fault(of: open.permissions, admission) { return refuse(fault) }
        if let handle = directory.taken(admission.handles, by: admission.account) {
            let message = "\(handle.value) is another account's; a handle belongs to one account"
            return refuse(WireError(.conflict, message))
        }
        var open = open
        open.device.id = open.device.id ?? freshDeviceID()
        let opening = SessionOpening(
            account: admission.account,
            handles: admission.handles,
            deviceID: open.device.id ?? "",
            deviceName: open.device.name,
            provider: open.provider,
            fulfillment: open.fulfillment,
            executesTransactions: open.executesTransactions,
            mayCall: open.permissions.contains(.call),
            observes: open.permissions.contains(.observe),
            isAfterReset: isAfterReset
        )
        asking?.opening = Asking.Opening(session: opening, request: open, admission: admission)
        apply(.sessionOpened(opening, token: token))
    }

    private func fault(ofAccount account: String, isByToken: Bool) -> WireError? {
        guard account.isAccountName else {
            let requirement =
                "must have 1 to \(longestAccountName) bytes, no control or invisible characters, no spaces around it or two in a row"
            return isByToken
                ? WireError(.wrongToken, "the token's claim sub \(requirement)")
                : WireError(.invalidParams, "params.account \(requirement)")
        }
        guard BuiltInParty(rawValue: account) == nil else {
            return WireError(.conflict, "\(account) is a party of the hub's own; sign in under another name")
        }
        return nil
    }

    private func fault(of wanted: [Permission], _ admission: Admission) -> WireError? {
        guard let refused = wanted.first(where: { !admission.permissions.contains($0) }) else { return nil }
        let granted = admission.permissions.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
        let message = "\(admission.account) may not \"\(refused.rawValue)\"; params.permissions may have \(granted)"
        return WireError(.notAllowed, message)
    }

    private func freshDeviceID() -> String {
        let id: Identifier<ClientSession> = chance.identifier()
        return id.uuidText
    }

    // MARK: Resuming a session

    /// Resumes a lost session, or one whose former connection has not been detected as dead yet.
    private func resume(_ resume: SessionOpen.Resume, for account: String?, on id: ConnectionID) {
        guard let session = sessions.named(resume.session), session.isToken(resume.token),
            session.log.canTakeUp(after: resume.seq)
        else {
            let message = "there is no such session to resume, or it is over; open a new one without resume"
            return refuse(WireError(.sessionGone, message))
        }
        guard account == nil || account == session.account else {
            let message = "the session to resume is another account's; leave params.account out"
            return refuse(WireError(.notAllowed, message))
        }
        asking?.resumption = (session, after: resume.seq)
        apply(.sessionResumed(session.id, token: token))
    }

    // MARK: Waiting for the verdict

    /// Handles the messages that the client has sent while its sign-in was being verified.
    private func unpark(_ id: ConnectionID) {
        ground?.markJudged(id, false)
        for text in parking.end(id) {
            // One of them may be another sign-in: the following ones wait for that.
            text.withUnsafeBytes { received(text: $0, from: id) }
        }
    }
}

extension AdmissionFault {
    /// True if the client may be guessing.
    fileprivate var isGuess: Bool { self == .wrongPassword || self == .wrongToken }
}

extension WireError {
    /// Converts the refusal of a sign-in.
    init(_ refusal: AdmissionRefusal, using chance: inout HubChance) {
        switch refusal.kind {
        case .missing: self.init(.credentialsMissing, refusal.message)
        case .wrongPassword: self.init(.wrongPassword, refusal.message)
        case .wrongToken: self.init(.wrongToken, refusal.message)
        case .tokenExpired: self.init(.tokenExpired, refusal.message)
        case .tooManyAtOnce:
            // Spread, so that clients do not all return at once.
            self.init(.tooMany, refusal.message, retryAfterSeconds: Int.random(in: 1...3, using: &chance))
        case .unavailable: self.init(.overloaded, refusal.message, retryAfterSeconds: 5)
        }
    }
}
