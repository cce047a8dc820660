import HubEngine

/// The rules that are checked after every event, from the notifications sent and from the engine's replies to queries.
extension World {
    mutating func check() {
        for broken in engine.violations() {
            return fail("the engine's own: " + broken.filter { !$0.isNumber }, broken)
        }
        for (device, uuid) in appeared {
            guard let session = hubSessions[device]?.session, hubSessions[device]?.notified.call(uuid) != nil,
                let conversation = engine.conversation(of: uuid, on: session)
            else { continue }
            conversations.insert(uuid, of: device, in: conversation)
        }
        conversations.removeEmptyConversations()
        if let broken = recents.fault { return fail(broken, "\(effects)") }
        for (device, uuid) in appeared { checkAppearance(of: uuid, on: device) }
        let isSweep = checksAll || events.isMultiple(of: 16)
        if !isSweep { touchConnectedDevices() }
        for device in clients.indices where violation == nil && (isSweep || touched[device]) { check(device) }
        if violation == nil, isSweep { checkTimers() }
    }

    /// Extends the devices to be checked by the other parties of their calls, and by those parties' groups.
    private mutating func touchConnectedDevices() {
        for _ in 0..<2 {
            let near = touched
            for device in clients.indices where near[device] {
                for call in hubSessions[device]?.notified.calls ?? [] {
                    for other in conversations.others(than: call.uuid, on: device) { touched[other.device] = true }
                }
            }
        }
    }

    private mutating func check(_ device: Int) {
        guard let hubSession = hubSessions[device] else { return }
        if shape.devices[device].observes { checkObserved(by: hubSession, on: device) }
        guard !isOperator(device) else { return checkOperator(hubSession, on: device) }
        checkCalls(of: hubSession, on: device)
        for call in hubSession.notified.calls { checkPartners(of: call, on: device) }
        checkGroups(of: hubSession, on: device)
        checkActions(of: hubSession, on: device)
        checkEarlyReports(of: hubSession, on: device)
        checkChoices(of: hubSession, on: device)
        checkAudio(of: hubSession, on: device)
        checkParticipants(of: hubSession, on: device)
        checkMachine(of: hubSession, on: device)
    }

    /// Returns the engine's reply to a request that changes nothing, on a copy of it.
    func engineReply(_ request: Request, of session: SessionID) -> Reply? {
        var copy = engine
        var answer: [Effect] = []
        copy.handle(.request(session, request, token: RequestToken(rawValue: 0)), at: now, into: &answer)
        guard case .reply(_, let reply)? = answer.first else { return nil }
        return reply
    }

    private mutating func checkCalls(of hubSession: HubSession, on device: Int) {
        guard case .calls(let calls, _)? = engineReply(.calls, of: hubSession.session) else {
            return fail("observer.calls is answered", shape.devices[device].name)
        }
        if calls != hubSession.notified.calls {
            let detail = RunTranscript.difference(between: hubSession.notified.calls, and: calls)
            fail("the notified calls are the engine's calls", "\(shape.devices[device].name): \(detail)")
        }
    }

    /// Checks that a live call has its other end, and that both have the same state.
    private mutating func checkPartners(of call: CallSnapshot, on device: Int) {
        guard !call.isExternal else { return }
        let name = shape.devices[device].name
        let others = conversations.others(than: call.uuid, on: device).map { leg in
            hubSessions[leg.device]?.notified.call(leg.uuid)
        }
        if others.contains(nil) { fail("the other ends of a call are signed in", name) }
        let builtIn = conversations.builtIn(of: call.uuid, on: device)
        switch call.state {
        case .starting:
            if !others.isEmpty { fail("a call that is starting has no other end", name) }
        case .ringing:
            let isTransferred = conversations.transferDate(of: call.uuid, on: device) != nil
            let callers = others.count { other in
                other?.isOutgoing == true && other?.state == .connecting || isTransferred && other?.hasConnected == true
            }
            if callers != 1 { fail("a call that rings has one caller", name) }
            checkAge(of: call, limit: shape.configuration.ringTimeout, on: device)
        case .connecting where call.isOutgoing:
            if others.contains(where: { $0?.hasConnected == true }) { fail("both ends are connected at once", name) }
            let longest = [
                shape.configuration.ringTimeout, shape.configuration.answerDeadline, shape.configuration.pushWait,
                .seconds(10),
            ].reduce(.zero, +)
            checkAge(of: call, limit: longest, on: device)
        case .connecting:
            if others.count != 1 { fail("a call that is being answered has one caller", name) }
        case .connected, .held:
            if isPlacedAnew(call, beside: others, on: device) { return }
            let isWhole = builtIn == nil ? others.count == 1 && others[0]?.hasConnected == true : others.isEmpty
            if !isWhole { fail("a connected call has one other end", "\(name): \(others.count)") }
            if call.remoteIsOnHold != (others.first??.isOnHold ?? false) {
                fail("both ends agree on who holds", "\(name): \(call)")
            }
        case .ended: fail("an ended call is no call", name)
        }
    }

    /// Indicates that a transferred call has no other party yet: those who are called ring or answer.
    private mutating func isPlacedAnew(_ call: CallSnapshot, beside others: [CallSnapshot?], on device: Int) -> Bool {
        guard let date = conversations.transferDate(of: call.uuid, on: device),
            conversations.builtIn(of: call.uuid, on: device) == nil,
            !others.contains(where: { $0?.hasConnected == true })
        else { return false }
        coverage.note(.placedAnew)
        let name = shape.devices[device].name
        if call.remoteIsOnHold { fail("nobody holds a call that has no other party", name) }
        if others.contains(where: { $0?.state == .ringing }), !call.remoteIsRinging {
            fail("a transferred call is told that it rings", name)
        }
        let longest = [
            shape.configuration.ringTimeout, shape.configuration.answerDeadline, shape.configuration.pushWait,
            .seconds(10),
        ].reduce(.zero, +)
        if date + longest < now { fail("no transferred call waits beyond the limit", "\(name): \(call)") }
        return true
    }

    private mutating func checkAge(of call: CallSnapshot, limit: Duration, on device: Int) {
        guard let startedAt = call.startedAt, startedAt + limit < now else { return }
        fail("no call stays \(call.state) beyond its limit", "\(shape.devices[device].name): \(call)")
    }

    /// Checks that timers run only while there are calls, actions or lost connections.
    private mutating func checkTimers() {
        let objectCounts = engine.objectCounts
        let isIdle = hubSessions.allSatisfy { hubSession in
            guard let hubSession else { return true }
            return hubSession.connection != nil && hubSession.notified.calls.isEmpty
                && hubSession.actionOutcomes.open.isEmpty
                && hubSession.actionOutcomes.offered.isEmpty
        }
        // The drain's own timer and calls that no one was notified of yet are left out: they show in the census.
        if isIdle, objectCounts.calls == 0, !isDraining, objectCounts.deadlines > 0 {
            fail("timers run only for live objects", "\(objectCounts)")
        }
    }
}
