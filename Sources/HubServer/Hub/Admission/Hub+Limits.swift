import HubEngine
import HubWire

/// The requests that are checked against the limits of ``AdmissionControl`` and of their sessions.
extension Hub {
    /// Indicates that a connection may send a message now; if not, an error is sent and the message is not parsed.
    func maySend(_ text: UnsafeRawBufferPointer, on id: ConnectionID) -> Bool {
        let isSignedIn = sessions[id] != nil
        guard
            let refusal = admissionControl.refusalOfMessage(
                on: id,
                byteCount: text.count,
                isSignedIn: isSignedIn,
                transport,
                at: clock.now
            )
        else { return true }
        let requestID = IncomingMessage.id(in: [UInt8](text))
        refuse(refusal, to: RequestContext(connection: id, id: requestID, token: pending.issueToken()))
        countFault(of: id)
        return false
    }

    /// Counts a fault of a client; one that exceeds the limit is disconnected.
    func countFault(of id: ConnectionID) {
        if !admissionControl.countFault(of: id, at: clock.now) { disconnectViolator(id) }
    }

    // MARK: Calls

    /// Returns the reason why a request is refused now; nil: it is accepted.
    ///
    /// Refused are requests that start a call, a blind transfer being one, if the hub is overloaded, if a rate of calls
    /// is exceeded, if the session has expired, or if a guest calls another handle than the one permitted.
    func refusal(of request: Request, by session: ClientSession) -> WireError? {
        guard case .transaction(let actions) = request,
            let index = actions.firstIndex(where: { $0.callee != nil })
        else { return nil }
        if session.hasExpired(at: clock.now) {
            let message =
                session.passwordVersion == nil
                ? "the token of this session has expired; send a fresh one with session.refresh"
                : "this session has ended, as a handle of its account was removed; sign in again"
            return WireError(.tokenExpired, message, actionIndex: index)
        }
        if let only = session.onlyCallee,
            let other = actions.firstIndex(where: { $0.callee.map { $0.key != only.key } ?? false })
        {
            let message = "a guest may call only \(only.value); the link permits no other handle"
            return WireError(.notAllowed, message, actionIndex: other)
        }
        let what = "the hub takes no new calls at the moment"
        if let overload = admissionControl.overload(what, actionIndex: index, transport, using: &random) {
            return overload
        }
        for (index, action) in actions.enumerated() {
            guard let callee = action.handleToRing,
                case .account(let account, _) = accountData.directory.lookUp(callee),
                let refusal = admissionControl.refusalOfCall(
                    to: account,
                    by: session,
                    actionIndex: index,
                    at: clock.now
                )
            else { continue }
            return refusal
        }
        return nil
    }

    // MARK: Notifications to others

    /// Charges a notification to the session that caused it.
    ///
    /// - Parameters:
    ///   - byteCount: The size of its text.
    ///   - receiver: The session that receives it.
    ///   - chargedSession: The session that caused it; nil: the hub itself, and nobody is charged.
    func charge(_ byteCount: Int, for receiver: ClientSession, causedBy chargedSession: ClientSession?) {
        guard let chargedSession, chargedSession !== receiver else { return }
        let isOwn = chargedSession.fanOut === receiver.fanOut
        chargedSession.fanOut.charge(byteCount, for: isOwn ? nil : receiver.id, at: clock.now.nanoseconds)
    }

    /// Returns the reason why a request that others are notified of is refused now; nil: there is none.
    func fanOutRefusal(by request: Request, of session: ClientSession) -> WireError? {
        guard mayBeRefused(request, of: session) else { return nil }
        if let refusal = admissionControl.fanOutRefusal(of: session, at: clock.now) { return refusal }
        guard case .transaction(let actions) = request else { return nil }
        return admissionControl.fanOutRefusal(by: actions, with: FanOutEstimate(engine, session.id))
    }

    /// Indicates that a request may be refused, that is, causes notifications to others.
    ///
    /// Requests that end or fail something are always executed, and bounded by the number of things to end.
    private func mayBeRefused(_ request: Request, of session: ClientSession) -> Bool {
        switch request {
        case .transaction(let actions): !actions.allSatisfy { $0.kind.isEnd }
        case .fulfill(let uuid, _, _):
            engine.pendingActions(of: session.id).contains { $0.uuid == uuid && !$0.kind.isEnd }
        case .executed, .configure, .reportNewIncomingCall, .reportCall, .reportOutgoingCall: true
        case .fail, .invalidate, .reportCallEnded, .pending, .calls: false
        }
    }
}

extension ActionKind {
    fileprivate var isEnd: Bool { type == .end }
}

extension ActionRequest {
    /// The handle to call; nil: the action starts no call.
    fileprivate var callee: Handle? {
        switch kind {
        case .start(let handle, _, _, _), .transfer(to: .handle(let handle)): handle
        default: nil
        }
    }

    /// The handle to ring by the hub; nil: the action starts no call, or one that its client carries.
    fileprivate var handleToRing: Handle? {
        if case .start(_, _, _, isExternal: true) = kind { nil } else { callee }
    }
}
