import HubEngine
import HubWire

/// The charge for what one party's requests cause others to be sent, and the refusal of requests beyond it.
extension Hub {
    /// Charges the session whose doing a notification is.
    ///
    /// - Parameters:
    ///   - byteCount: The size of its text.
    ///   - receiver: The session that it is for.
    func charge(_ byteCount: Int, for receiver: ClientSession) {
        guard let causer, causer !== receiver else { return }
        let isOwn = causer.traffic === receiver.traffic
        causer.traffic.charge(byteCount, for: isOwn ? nil : receiver.id, at: clock.now.nanoseconds)
    }

    /// The reason why a request that others would hear of is refused now; nil: there is none.
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

    /// The reason why nothing that others would hear of is done for a session now; nil: there is none.
    func refusalOfTraffic(of session: ClientSession) -> WireError? {
        guard let wait = session.traffic.wait(at: clock.now.nanoseconds) else { return nil }
        refusals.traffic += 1
        let message =
            "this account's requests send other parties more than the hub allows; wait \(wait) s before the next one"
        return WireError(.tooMany, message, retryAfterSeconds: wait)
    }

    /// Whether a request sends anything to others; what ends or fails something is always done, and bounded by what there is to end.
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
