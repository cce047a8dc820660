import HubEngine
import HubWire

/// What clients may ask of the hub in all, and what it refuses first when that is more than it can do.
extension Hub {
    /// Whether a connection may send one more text message; if not, it is answered without being read.
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
        asking = Asking(connection: id, id: IncomingMessage.id(in: [UInt8](text)))
        refuse(excess)
        spendFault(of: id)
        return false
    }

    /// A refusal of a message before the sign-in, where its address sends more of those than it may; else nil.
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
    /// More: long messages of strangers are cheaper for them; each takes the hub about 10 ns a byte.
    private static let bytesOfOneRequest = 4_096

    /// Notes that a client did what it should not; one that keeps on is sent away.
    func spendFault(of id: ConnectionID) {
        if conduct[id]?.faults.spend(at: clock.now.nanoseconds) == false { sendAway(id) }
    }

    /// Why nobody may sign in on a connection at the moment; nil: he may.
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

    /// Why a request cannot be taken at the moment or from this session: one that starts a call, while there is more to do than can be done, or while
    /// everybody calls the same account, or that a guest may not make.
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

    /// Counts a call that is to ring an account; the refusal where it is one too many.
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
        // Not all at once.
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

    /// More: more slow clients at once; less is left for those that are there.
    private static let overloadQueuedShare = 0.8
}

/// What was refused for its amount; numbers only grow.
struct RefusalCounters {
    /// Messages beyond what a connection may send.
    var messages = 0
    /// Sign-ins beyond what an address may.
    var signIns = 0
    /// Calls beyond a rate.
    var calls: [CallRates.Limit: Int] = [:]
    /// Requests beyond what an account may cause others to be sent.
    var traffic = 0
    /// Sign-ins and calls while the hub had too much to do.
    var overload = 0
}

extension ClientSession {
    /// The party whose calls it places.
    fileprivate var caller: CallRates.Caller { isGuest ? .guest(account, link) : .account(account) }
}

extension ActionRequest {
    /// The handle that it calls; nil: it starts no call.
    fileprivate var callee: Handle? {
        if case .start(let handle, _, _, _) = kind { handle } else { nil }
    }

    /// The handle that it has the hub ring; nil: it starts no call, or one that its client carries.
    fileprivate var rungHandle: Handle? {
        if case .start(let handle, _, _, isExternal: false) = kind { handle } else { nil }
    }
}
