import HubEngine

/// The rules of requests and actions.
extension World {
    /// Checks a reply against the state, and applies it.
    mutating func checkReply(_ reply: Reply, to request: Request, of device: Int) {
        let name = shape.devices[device].name
        switch (request, reply) {
        case (.transaction(let asked), .accepted(_, let actions)):
            if actions.count < asked.count { fail("each requested action has a name", name) }
            if isOperator(device) { coverage.note(.operated) }
            // The operated device performs them.
            let performer = operatedDevice(of: device) ?? device
            if let fault = hubSessions[performer]?.actionOutcomes.begin(actions) { fail(fault, "\(name): \(actions)") }
        case (.fulfill(let action, _, _), .done), (.fail(let action), .done):
            if hubSessions[device]?.actionOutcomes.isOpen(action) == false {
                fail("only what is under way is answered", name)
            }
            if let fault = hubSessions[device]?.actionOutcomes.conclude(action) { fail(fault, "\(name): \(request)") }
        case (.fulfill(let action, _, _), .ignored), (.fail(let action), .ignored):
            coverage.note(.answeredTwice)
            guard let hubSession = hubSessions[device],
                let entry = hubSession.actionOutcomes.open.first(where: { $0.action.uuid == action }),
                !isObsolete(entry.action, on: hubSession)
            else { return }
            fail("the first answer to an action counts", "\(name): \(entry.action)")
        case (.configure(let provider, let isOffered), .configuration(let inForce)):
            if provider != inForce { fail("the configuration is replaced whole", name) }
            hubSessions[device]?.actionOutcomes.configure(offered: isOffered)
            hubSessions[device]?.provider = inForce
        case (.invalidate, .done):
            coverage.note(.invalidated)
            hubSessions[device]?.actionOutcomes.invalidate()
        case (.reportOutgoingCall(let call, .connected, _), .done):
            guard hubSessions[device]?.notified.call(call)?.state == .starting else { return }
            hubSessions[device]?.connectedEarly.append(call)
        case (.executed, .done), (.executed, .ignored), (.pending, .pending), (.reportCall, .done),
            (.reportCallEnded, .done), (.reportNewIncomingCall, .done), (.reportOutgoingCall, .done), (_, .refused):
            return
        case (.calls, .calls(let calls, _)):
            if hubSessions[device]?.notified.calls != calls { fail("observer.calls has the notified calls", name) }
        default: fail("a reply fits its request", "\(name): \(request) \(reply)")
        }
    }

    /// Checks that an action to be performed is pending until it has an outcome, and no longer than its deadline.
    mutating func checkActions(of hubSession: HubSession, on device: Int) {
        guard !hubSession.actionOutcomes.open.isEmpty || !hubSession.actionOutcomes.offered.isEmpty else { return }
        guard case .pending(_, let pending)? = engineReply(.pending(type: nil, callUUID: nil), of: hubSession.session)
        else {
            return fail("provider.pending is answered", shape.devices[device].name)
        }
        for entry in hubSession.actionOutcomes.open {
            if entry.deadline < now, !entry.action.waitsForUser {
                fail("no action is pending beyond its deadline", "\(shape.devices[device].name): \(entry.action)")
            }
            if pending.contains(where: { $0.uuid == entry.action.uuid }) { continue }
            coverage.note(.withdrawn)
            if !isObsolete(entry.action, on: hubSession) {
                fail("an action does not vanish without an outcome", "\(shape.devices[device].name): \(entry.action)")
            }
            hubSessions[device]?.actionOutcomes.drop(entry.action.uuid)
        }
        let isGone = hubSession.actionOutcomes.offered.filter { action in !pending.contains { $0.uuid == action } }
        for action in isGone { hubSessions[device]?.actionOutcomes.drop(offered: action) }
    }

    /// Indicates that an action is void: its call is gone, or in a state that it does not apply to
    /// (callkit-semantics.md 2.2).
    private func isObsolete(_ action: Action, on hubSession: HubSession) -> Bool {
        guard let call = hubSession.notified.call(action.callUUID) else { return true }
        switch action.kind {
        case .start: return call.state != .starting
        case .answer: return call.hasConnected
        case .setHeld: return !call.hasConnected
        case .playDTMF: return call.state != .connected
        // The group may be full by now, and a pulled call may be here already.
        case .setGroup, .pull, .transfer: return true
        case .end, .endHere, .decline, .setMuted, .setTranslating, .unknown: return false
        }
    }

    /// Checks that a call whose connection was reported before its start was fulfilled is connected with it.
    mutating func checkEarlyReports(of hubSession: HubSession, on device: Int) {
        for uuid in hubSession.connectedEarly {
            let call = hubSession.notified.call(uuid)
            guard call?.state != .starting else { continue }
            hubSessions[device]?.connectedEarly.removeAll { $0 == uuid }
            guard let call else { continue }
            coverage.note(.connectedEarly)
            if !call.hasConnected {
                fail("progress reported before the start is fulfilled takes effect with it", shape.devices[device].name)
            }
        }
    }

    /// Checks that an entry for Recents is of a call that has just ended, and its times are in order.
    mutating func checkRecent(_ recent: RecentCall, of account: String) {
        digest.add(9)
        guard let place = shape.accounts.firstIndex(of: account) else {
            return fail("Recents are an account's", account)
        }
        digest.add(UInt64(place))
        coverage.note(.recentAdded)
        recents.recentAdded(recent, of: place)
        if recent.handle.value.isEmpty || recent.name.isEmpty { fail("an entry of Recents can be called", account) }
        let connectedAt = recent.connectedAt ?? recent.startedAt
        if connectedAt < recent.startedAt || recent.endedAt < connectedAt {
            fail("an entry of Recents is in order", "\(recent)")
        }
        if (recent.outcome == .answered) != (recent.connectedAt != nil) {
            fail("an answered call in Recents was connected", "\(recent)")
        }
    }
}
