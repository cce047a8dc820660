import HubEngine
import HubWire

/// The sign-in of clients: their credentials, if the hub requires any, and their permissions.
extension Hub {
    func open(_ open: SessionOpen, _ context: RequestContext) {
        let id = context.connection
        guard sessions[id] == nil else {
            let message = "this connection has a session; open another connection for another one"
            return refuse(WireError(.conflict, message), to: context)
        }
        let isOfAnotherRun = open.resume.map(signIn.isOfAnotherRun) ?? false
        let isAfterReset = isOfAnotherRun && (open.account != nil || open.token != nil)
        if let resume = open.resume, !isAfterReset { return self.resume(resume, for: open.account, context) }
        if let refusal = refusalOfGuess(open, on: id)
            ?? admissionControl.refusalOfSignIn(on: id, ground, using: &chance)
        {
            return refuse(refusal, to: context)
        }
        guard let doorkeeper = signIn.doorkeeper else {
            guard let account = open.account else {
                let message = "params.account is missing; it must be the name to sign in as"
                return refuse(WireError(.invalidParams, message), to: context)
            }
            let admission = Admission(account: account, handles: [.generic(account)])
            return enter(admission, open, isAfterReset: isAfterReset, context)
        }
        if let admission = doorkeeper.admitAtOnce(Credentials(open)) {
            return enter(admission, open, isAfterReset: isAfterReset, context)
        }
        guard let address = admissionControl.address(of: id) else { return }
        let place = ground?.isExempt(address) == false ? address : nil
        let credentials = signIn.beginVerification(of: open, on: id, from: place, at: clock.now)
        ground?.markJudged(id, true)
        pending.insert(context)
        doorkeeper.admit(credentials) { [thread = ground?.thread, token = context.token] verdict in
            thread?.run { hub in
                guard let request = hub.pending.remove(token) else { return }
                hub.decide(verdict, open, isAfterReset: isAfterReset, request.context)
                hub.unpark(id)
            }
        }
    }

    /// Returns an error if too many sign-ins have failed before; nil: the credentials may be verified.
    ///
    /// Such a sign-in does not count for its address: repeated guesses would use up the sign-ins of all others there.
    private func refusalOfGuess(_ open: SessionOpen, on id: ConnectionID) -> WireError? {
        let address = admissionControl.address(of: id)
        guard let refusal = signIn.refusalOfGuess(open, from: address, at: clock.now) else { return nil }
        admissionControl.noteRefusedSignIn()
        return refusal
    }

    private func decide(
        _ verdict: Result<Admission, AdmissionRefusal>,
        _ open: SessionOpen,
        isAfterReset: Bool,
        _ context: RequestContext
    ) {
        let id = context.connection
        if let address = admissionControl.address(of: id) {
            signIn.note(verdict, of: open, from: address, at: clock.now)
        }
        switch verdict {
        case .success(let admission):
            enter(admission, open, isAfterReset: isAfterReset, context)
        case .failure(let refusal):
            if refusal.kind == .tooManyAtOnce { admissionControl.noteRefusedSignIn() }
            if refusal.kind.isGuess {
                log(.info, "sign-in refused", fields(of: id) + [("reason", refusal.message)])
            }
            refuse(WireError(refusal, using: &chance), to: context)
        }
    }

    /// Opens the session of an admitted client in the engine.
    private func enter(
        _ admission: Admission,
        _ open: SessionOpen,
        isAfterReset: Bool,
        _ context: RequestContext
    ) {
        guard let admission = heldToList(admission) else {
            let message = "the password was changed just now; sign in with the new one"
            return refuse(WireError(.wrongPassword, message), to: context)
        }
        // It may have been revoked since the token was verified, when its guests' sessions were ended.
        if let link = admission.link, signIn.doorkeeper?.isRevoked(link) == true {
            let message = "the link was revoked just now; ask for a new one"
            return refuse(WireError(.wrongToken, message), to: context)
        }
        let fault = self.fault(ofAccount: admission.account, isByToken: open.token != nil)
        if let fault = fault ?? self.fault(of: open.permissions, admission) {
            return refuse(fault, to: context)
        }
        if let handle = accountData.directory.taken(admission.handles, by: admission.account) {
            let message = "\(handle.value) is another account's; a handle belongs to one account"
            return refuse(WireError(.conflict, message), to: context)
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
        apply(
            .sessionOpened(opening, token: context.token),
            for: context,
            start: .opening(SessionStart.Opening(session: opening, request: open, admission: admission)),
            causedBy: nil
        )
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
    private func resume(_ resume: SessionOpen.Resume, for account: String?, _ context: RequestContext) {
        guard let session = sessions.named(resume.session), session.isToken(resume.token),
            session.log.canTakeUp(after: resume.seq)
        else {
            let message = "there is no such session to resume, or it is over; open a new one without resume"
            return refuse(WireError(.sessionGone, message), to: context)
        }
        guard account == nil || account == session.account else {
            let message = "the session to resume is another account's; leave params.account out"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        apply(
            .sessionResumed(session.id, token: context.token),
            for: context,
            start: .resumption(session, after: resume.seq),
            causedBy: nil
        )
    }

    // MARK: Waiting for the verdict

    /// Handles the messages that the client has sent while its sign-in was being verified.
    private func unpark(_ id: ConnectionID) {
        ground?.markJudged(id, false)
        for text in signIn.endVerification(on: id) {
            // One of them may be another sign-in: the following ones wait for that.
            text.withUnsafeBytes { received(text: $0, from: id) }
        }
    }
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
