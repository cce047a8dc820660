import HubEngine
import HubWire

/// The charge for what one party's requests cause others to be sent, and the refusal of requests beyond it.
extension Hub {
    /// Charges a notification to the session that caused it.
    ///
    /// - Parameters:
    ///   - byteCount: The size of its text.
    ///   - receiver: The session that receives it.
    ///   - causer: The session that caused it; nil: the hub itself, and nobody is charged.
    func charge(_ byteCount: Int, for receiver: ClientSession, causedBy causer: ClientSession?) {
        guard let causer, causer !== receiver else { return }
        let isOwn = causer.traffic === receiver.traffic
        causer.traffic.charge(byteCount, for: isOwn ? nil : receiver.id, at: clock.now.nanoseconds)
    }

    /// Returns the reason why a request that others are notified of is refused now; nil: there is none.
    func refusalOfTraffic(by request: Request, of session: ClientSession) -> WireError? {
        guard mayBeRefused(request, of: session) else { return nil }
        if let refusal = refusalOfTraffic(of: session) { return refusal }
        guard case .transaction(let actions) = request else { return nil }
        var estimate = TrafficEstimate(engine, session.id)
        for action in actions { estimate.add(action.kind) }
        let most = Int(traffics.limits.bytesToOneInOneGo)
        guard estimate.bytes > most else { return nil }
        refusals.traffic += 1
        let message =
            "the transaction, with those not yet complete, could send \(estimate.bytes) bytes to one of the other parties; "
            + "\(most) is the most: request fewer actions at a time"
        return WireError(.tooMany, message, retryAfterSeconds: 1)
    }

    /// Returns the reason why a session may cause no notifications to others now; nil: there is none.
    func refusalOfTraffic(of session: ClientSession) -> WireError? {
        guard let wait = session.traffic.wait(at: clock.now.nanoseconds) else { return nil }
        refusals.traffic += 1
        let message =
            "this account's requests send other parties more than the hub allows; wait \(wait) s before the next one"
        return WireError(.tooMany, message, retryAfterSeconds: wait)
    }

    /// Indicates that a request may be refused, that is, causes notifications to others.
    ///
    /// Requests that end or fail something are always executed, and bounded by the number of things to end.
    private func mayBeRefused(_ request: Request, of session: ClientSession) -> Bool {
        switch request {
        case .transaction(let actions): !actions.allSatisfy { $0.kind.isEnd }
        case .fulfill(let uuid, _):
            engine.pendingActions(of: session.id).contains { $0.uuid == uuid && !$0.kind.isEnd }
        case .executed, .reportNewIncomingCall, .reportCall, .reportOutgoingCall: true
        case .fail, .configure, .invalidate, .reportCallEnded, .pending, .calls: false
        }
    }
}

extension ActionKind {
    fileprivate var isEnd: Bool { self == .end || self == .endHere }
}
