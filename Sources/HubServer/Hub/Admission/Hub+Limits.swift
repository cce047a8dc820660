import HubEngine
import HubWire

/// Rate limits on clients' requests, and the refusal of new work while the hub is overloaded.
extension Hub {
    /// Indicates that a connection may send a message now; if not, an error is sent and the message is not parsed.
    func maySend(_ text: UnsafeRawBufferPointer, on id: ConnectionID) -> Bool {
        let excess: WireError
        if conduct[id]?.messages.spend(at: clock.now.nanoseconds) == false {
            let sentence =
                "more than \(settings.messagesPerSecond) messages a second; this one was not read, send fewer"
            excess = WireError(.tooMany, sentence, retryAfterSeconds: 1)
        } else if let refusal = refusalOfStranger(text, on: id) {
            excess = refusal
        } else {
            return true
        }
        refusals.messages += 1
        let requestID = IncomingMessage.id(in: [UInt8](text))
        refuse(excess, to: RequestContext(connection: id, id: requestID, token: pending.issueToken()))
        spendFault(of: id)
        return false
    }

    /// Returns an error for a message before the sign-in, if its address exceeds the rate of those; nil: it does not.
    private func refusalOfStranger(_ text: UnsafeRawBufferPointer, on id: ConnectionID) -> WireError? {
        guard sessions[id] == nil, let address = conduct[id]?.address, let ground,
            !ground.mayAsk(from: address, count: 1 + text.count / Self.bytesOfOneRequest)
        else { return nil }
        let most = settings.transport.requestsPerSecond
        let sentence =
            "more than \(most) requests a second from \(address.text) before a sign-in; this one was not read"
        return WireError(.tooMany, sentence, retryAfterSeconds: 10)
    }

    /// The bytes of a message that count as one request.
    ///
    /// More: long messages before the sign-in cost a client less; each takes the hub about 10 ns a byte.
    private static let bytesOfOneRequest = 4_096

    /// Counts a fault of a client; one that exceeds the limit is disconnected.
    func spendFault(of id: ConnectionID) {
        if conduct[id]?.faults.spend(at: clock.now.nanoseconds) == false { sendAway(id) }
    }

    /// Returns the reason why no client may sign in on a connection now; nil: it may.
    func refusalOfSignIn(on id: ConnectionID) -> WireError? {
        if let overload = overload("the hub takes no new sessions at the moment") { return overload }
        guard let address = conduct[id]?.address, let ground else { return nil }
        guard !ground.maySignIn(from: address) else { return nil }
        refusals.signIns += 1
        let most = settings.transport.signInsPerMinute
        return WireError(
            .tooMany,
            "more than \(most) sign-ins a minute from \(address.text); wait before the next one",
            retryAfterSeconds: max(1, 60 / max(most, 1))
        )
    }

    /// Returns the reason why a request is refused now; nil: it is accepted.
    ///
    /// Refused are requests that start a call, if the hub is overloaded, if a rate of calls is exceeded, if the session
    /// has expired, or if a guest calls another handle than the one permitted.
    func refusal(of request: Request, by session: ClientSession) -> WireError? {
        guard case .transaction(let actions) = request,
            let index = actions.firstIndex(where: { if case .start = $0.kind { true } else { false } })
        else { return nil }
        if isOver(session) {
            let message =
                session.passwordVersion == nil
                ? "the token of this session is over; session.refresh takes a fresh one"
                : "this session is over, for a handle of its account was taken away; sign in anew"
            return WireError(.tokenExpired, message, actionIndex: index)
        }
        if let only = session.onlyCallee,
            let other = actions.firstIndex(where: { $0.callee.map { $0.key != only.key } ?? false })
        {
            let message = "a guest may call \(only.value) alone; the link is for nobody else"
            return WireError(.notAllowed, message, actionIndex: other)
        }
        if let overload = overload("the hub takes no new calls at the moment", actionIndex: index) { return overload }
        for (index, action) in actions.enumerated() {
            guard let callee = action.rungHandle,
                let refusal = refusalOfCall(to: callee, by: session, actionIndex: index)
            else { continue }
            return refusal
        }
        return nil
    }

    /// Counts a call that is to ring an account; returns an error if it exceeds a rate.
    private func refusalOfCall(to handle: Handle, by session: ClientSession, actionIndex: Int) -> WireError? {
        guard case .account(let account, _) = directory.lookUp(handle),
            let excess = callRates.spend(by: session.caller, to: account, at: clock.now.nanoseconds)
        else { return nil }
        refusals.calls[excess.limit, default: 0] += 1
        let wait = max(1, Int(excess.wait.rounded(.up)))
        let message =
            switch excess.limit {
            case .caller:
                "more than \(session.isGuest ? settings.callsByGuestPerMinute : settings.callsByAccountPerMinute) "
                    + "calls a minute by this caller; try again in \(wait) s"
            case .link:
                "more than \(settings.callsByLinkPerMinute) calls a minute by the guests of this link; "
                    + "try again in \(wait) s"
            case .callee:
                "more than \(settings.callsToAccountPerSecond) calls a second to this account; try again in a second"
            }
        return WireError(.tooMany, message, actionIndex: actionIndex, retryAfterSeconds: wait)
    }

    private func overload(_ what: String, actionIndex: Int? = nil) -> WireError? {
        guard let ground, let cause = overloadCause(ground) else {
            if isOverloaded { log(.info, "no longer overloaded") }
            isOverloaded = false
            return nil
        }
        if !isOverloaded { log(.warning, "overloaded: new sessions and calls are refused", ["cause": cause]) }
        isOverloaded = true
        refusals.overload += 1
        // Spread, so that clients do not all return at once.
        let wait = Int.random(in: 2...6, using: &chance)
        let sentence = "\(what), so that those there are go on; try again in \(wait) seconds"
        return WireError(.overloaded, sentence, actionIndex: actionIndex, retryAfterSeconds: wait)
    }

    private func overloadCause(_ ground: any HubGround) -> String? {
        let busyShare = ground.busyShare
        if settings.overloadBusyShare < 1, busyShare >= settings.overloadBusyShare {
            return "busy \(Int(busyShare * 100)) % of the time"
        }
        let queued = ground.queues?.share ?? 0
        return queued >= Self.overloadQueuedShare ? "\(Int(queued * 100)) % of the memory for what waits" : nil
    }

    /// The share of the queue memory from which on the hub is overloaded.
    ///
    /// More: more slow clients at a time; less is left for those that are signed in.
    private static let overloadQueuedShare = 0.8
}

/// Counters of requests refused for their number; they never decrease.
struct RefusalCounters {
    /// Messages beyond the rate of a connection.
    var messages = 0
    /// Sign-ins beyond the rate of an address.
    var signIns = 0
    /// Calls beyond a rate, by the rate.
    var calls: [CallRates.Limit: Int] = [:]
    /// Requests beyond the notifications that an account may cause.
    var traffic = 0
    /// Sign-ins and calls while the hub was overloaded.
    var overload = 0
}

extension ClientSession {
    /// The caller whose rate the session's calls count for.
    fileprivate var caller: CallRates.Caller { isGuest ? .guest(account, link) : .account(account) }
}

extension ActionRequest {
    /// The handle to call; nil: the action starts no call.
    fileprivate var callee: Handle? {
        if case .start(let handle, _, _, _) = kind { handle } else { nil }
    }

    /// The handle to ring by the hub; nil: the action starts no call, or one that its client carries.
    fileprivate var rungHandle: Handle? {
        if case .start(let handle, _, _, isExternal: false) = kind { handle } else { nil }
    }
}
