import HubAccountData
import HubEngine

/// The hub's side: a client's message becomes an event, whose effects are carried out in order.
extension World {
    mutating func receive(_ message: UplinkMessage, from device: Int) {
        switch message {
        case .open(let isAfterReset):
            let token = expectReply(.open(isAfterReset: isAfterReset), of: device)
            apply(.sessionOpened(opening(of: device, isAfterReset), token: RequestToken(rawValue: token)), token: nil)
        case .resume(let number, let after):
            guard let session = hubSessions[device]?.session, hubSessions[device]?.number == number else {
                return clients[device].downlink.send(.openRefused(.sessionGone), at: now)
            }
            let token = expectReply(.resume(after: after), of: device)
            apply(.sessionResumed(session, token: RequestToken(rawValue: token)), token: token)
        case .request(let number, let request):
            guard let session = session(of: device) else { return }
            let token = expectReply(.request(number, request), of: device)
            apply(.request(session, request, token: RequestToken(rawValue: token)), token: token)
        case .close:
            guard let session = session(of: device) else { return }
            apply(.sessionClosed(session))
        }
    }

    /// Returns the session whose connection is the client's present one.
    private func session(of device: Int) -> SessionID? {
        hubSessions[device]?.connection == clients[device].connection ? hubSessions[device]?.session : nil
    }

    private mutating func expectReply(_ kind: PendingReply.Kind, of device: Int) -> UInt64 {
        lastToken += 1
        outstanding[lastToken] = PendingReply(device: device, connection: clients[device].connection, kind: kind)
        return lastToken
    }

    private func opening(of device: Int, _ isAfterReset: Bool) -> SessionOpening {
        let it = shape.devices[device]
        return SessionOpening(
            account: shape.accounts[it.account],
            handles: [.generic(shape.accounts[it.account])],
            deviceID: it.name,
            deviceName: it.name,
            provider: it.provider,
            fulfillment: it.fulfillment,
            executesTransactions: it.executesTransactions,
            mayCall: it.mayCall,
            observes: it.observes,
            isAfterReset: isAfterReset,
            isNamedInGroups: !screeningData.isHidden(it.account),
            holdAudio: screeningData.holdAudio(of: it.account),
            machine: it.machine,
            operatedDevice: it.operates
        )
    }

    /// Applies one event to the engine, carries out the effects, and checks the rules.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - token: The token of the request whose reply must be the first effect.
    mutating func apply(_ event: Event, token: UInt64? = nil) {
        guard violation == nil else { return }
        if let next = engine.nextDeadline, next <= now { advance() }
        effects.removeAll(keepingCapacity: true)
        engine.handle(event, at: now, into: &effects)
        if let session = event.presenceSession { markPresence(of: session) }
        if let token { checkReplyComesFirst(token) }
        carryOut()
    }

    /// Fires the engine's timers that are due.
    mutating func advance() {
        guard violation == nil else { return }
        transcript?.note("time passes to \(RunTranscript.seconds(now))")
        effects.removeAll(keepingCapacity: true)
        engine.advance(to: now, into: &effects)
        carryOut()
    }

    private mutating func checkReplyComesFirst(_ token: UInt64) {
        switch effects.first {
        case .reply(let reply, _) where reply.rawValue == token: return
        case .screen(let asked, _, _) where asked.request.rawValue == token: return
        case .lookUp(let asked, _):
            // An attended transfer is accepted after its parties have been looked up.
            if case .transfer(let transfer) = asked.purpose, transfer.request.rawValue == token { return }
            fail("every request has one reply, and it comes first", "\(effects.prefix(1))")
        default: fail("every request has one reply, and it comes first", "\(effects.prefix(1))")
        }
    }

    private mutating func carryOut() {
        events += 1
        faultInjection?(&effects)
        for device in touched.indices { touched[device] = false }
        appeared.removeAll(keepingCapacity: true)
        recents = RecentsRule()
        let carried = effects
        for effect in carried where violation == nil {
            if transcript != nil {
                let device = owner(of: effect)
                transcript?.effect(effect, of: device)
            }
            if let session = effect.presenceSession { markPresence(of: session) }
            if case .sessionEnded(let session, _) = effect { presenceRule.subscriptions.remove(session) }
            carryOut(effect)
            if case .reply(_, .opened(let session, _, _)) = effect { watchPresence(session) }
        }
        updatePresence()
        for device in touched.indices where touched[device] { requestObservedCalls(device) }
        if violation == nil { check() }
        if checksAll || events.isMultiple(of: 16) { checkPresence() }
    }

    /// Requests the account's other calls for an observer that has just signed in; from then on it is sent changes.
    private mutating func requestObservedCalls(_ device: Int) {
        guard let session = hubSessions[device]?.session, hubSessions[device]?.notified.hasSentRequest == false,
            shape.devices[device].observes
        else { return }
        let others = elsewhere(of: session)
        hubSessions[device]?.notified.begin(observing: others)
        clients[device].downlink.send(.elsewhere(others), at: now)
    }

    private func owner(of effect: Effect) -> Int? {
        switch effect {
        case .reply(let token, _): outstanding[token.rawValue]?.device
        case .notify(let session, _), .audioRouteChanged(let session), .sessionEnded(let session, _),
            .sessionClosing(let session, _):
            devicesBySession[session]
        case .lookUp, .screen, .sendPush, .cancelPush, .addRecent: nil
        }
    }

    private mutating func carryOut(_ effect: Effect) {
        switch effect {
        case .reply(let token, let reply): answer(token, with: reply)
        case .notify(let session, let notification): notify(session, notification)
        case .audioRouteChanged(let session):
            guard let device = devicesBySession[session] else {
                return fail("no notification goes to an ended session", "a route")
            }
            touched[device] = true
            digest.add(3)
            let route = engine.audioRoute(of: session)
            hubSessions[device]?.route = route
        case .lookUp(let token, let lookUp): pendingQueries.append((now + screeningData.delay, .lookUp(token, lookUp)))
        case .screen(let token, let account, let caller):
            pendingQueries.append((now + screeningData.delay, .screen(token, account: account, caller: caller)))
        case .sendPush(let pushRequest): checkPush(pushRequest)
        case .cancelPush(let account, let call, _):
            digest.add(call.low ^ 11)
            if let fault = pushRule.end(call, of: account) { fail(fault, account) }
        case .addRecent(let account, let call): checkRecent(call, of: account)
        case .sessionEnded(let session, let end): endSession(session, end)
        case .sessionClosing: digest.add(7)
        }
    }

    private mutating func notify(_ session: SessionID, _ notification: Notification) {
        guard let device = devicesBySession[session], let number = hubSessions[device]?.log.count else {
            return fail("no notification goes to an ended session", "\(notification)")
        }
        let connection = hubSessions[device]?.connection
        touched[device] = true
        digest.add(notification, to: device)
        coverage.note(notification)
        if case .callChanged(let snapshot) = notification { noteChange(of: snapshot, on: device) }
        let (described, times, now) = (shape.devices[device], shape.configuration, now)
        if let fault = hubSessions[device]?.actionOutcomes.note(notification, of: described, times, at: now) {
            fail(fault, "\(described.name): \(notification)")
        }
        if let fault = hubSessions[device]?.notified.apply(notification) {
            fail(fault, "\(shape.devices[device].name): \(notification)")
        }
        hubSessions[device]?.log.append(notification)
        guard connection == clients[device].connection else { return }
        clients[device].downlink.send(.notified(number + 1, notification), at: now)
    }

    /// Records that a transfer has brought a call to another conversation.
    private mutating func noteTransfer(of former: CallSnapshot, to call: CallSnapshot, on device: Int) {
        guard let session = hubSessions[device]?.session,
            let conversation = engine.conversation(of: call.uuid, on: session),
            let known = conversations.conversation(of: call.uuid, on: device), known != conversation
        else { return }
        coverage.note(call.transferor == nil ? .transferReturned : .transferred)
        if conversations.isTransferred(conversation) { coverage.note(.joined) }
        if call.transferor == nil { conversations.markReturned(conversation) }
        noteEnd(of: former, on: device)
        conversations.move(call, of: device, to: conversation, at: now)
    }

    private mutating func noteChange(of snapshot: CallSnapshot, on device: Int) {
        if snapshot.hasEnded {
            noteEnd(of: snapshot, on: device)
            return conversations.remove(snapshot.uuid, of: device)
        }
        let former = hubSessions[device]?.notified.call(snapshot.uuid)
        if former?.hasConnected == false, snapshot.hasConnected {
            conversations.noteConnected(snapshot.uuid, on: device)
        }
        if former == nil { appeared.append((device, snapshot.uuid)) }
        if let former, former.mayHaveTransfers(before: snapshot) { noteTransfer(of: former, to: snapshot, on: device) }
        checkGrowth(from: former?.group, to: snapshot, on: device)
    }

    private mutating func noteEnd(of call: CallSnapshot, on device: Int) {
        recents.ended(
            call,
            of: shape.devices[device].account,
            keeps: hubSessions[device]?.provider.includesCallsInRecents == true,
            in: conversations.conversation(of: call.uuid, on: device),
            isTransferred: conversations.transferDate(of: call.uuid, on: device) != nil,
            isBeingPlaced: conversations.isBeingPlaced(call, on: device)
        )
    }

    private mutating func answer(_ token: RequestToken, with reply: Reply) {
        guard let awaitingReply = outstanding.removeValue(forKey: token.rawValue) else {
            return fail("every request has one reply, and it comes first", "a second one: \(reply)")
        }
        let device = awaitingReply.device
        touched[device] = true
        digest.add(reply, to: device)
        switch (awaitingReply.kind, reply) {
        case (.open, .opened(let session, let provider, let calls)):
            lastSessionNumber += 1
            var hubSession = HubSession(
                number: lastSessionNumber,
                session: session,
                connection: awaitingReply.connection,
                provider: provider
            )
            hubSession.actionOutcomes.configure(offered: shape.devices[device].executesTransactions)
            // An operator is shown calls that there are already.
            if isOperator(device) { hubSession.notified.calls = calls }
            hubSessions[device] = hubSession
            devicesBySession[session] = device
            send(.opened(hubSession.number, calls: calls, isResumed: false), over: awaitingReply)
        case (.resume(let after), .opened(_, _, let calls)):
            if hubSessions[device]?.notified.calls != calls { fail("a resume has the notified calls", "\(calls)") }
            let hubSession = hubSessions[device]
            coverage.note(after < (hubSession?.log.count ?? 0) ? .replayed : .resumed)
            hubSessions[device]?.connection = awaitingReply.connection
            send(.opened(hubSession?.number ?? 0, calls: calls, isResumed: true), over: awaitingReply)
            for (index, notification) in (hubSession?.log ?? []).enumerated().dropFirst(after) {
                send(.notified(index + 1, notification), over: awaitingReply)
            }
        case (.open, .refused(let refusal)), (.resume, .refused(let refusal)):
            send(.openRefused(refusal.code), over: awaitingReply)
        case (.request(let number, let request), _):
            checkReply(reply, to: request, of: device)
            send(.reply(number, reply), over: awaitingReply)
        case (.endConversation, .done): return
        default:
            fail("a reply fits its request", "\(reply)")
        }
    }

    private mutating func send(_ message: DownlinkMessage, over awaitingReply: PendingReply) {
        guard clients[awaitingReply.device].connection == awaitingReply.connection else { return }
        clients[awaitingReply.device].downlink.send(message, at: now)
    }

    private mutating func endSession(_ session: SessionID, _ end: SessionEnd?) {
        guard let device = devicesBySession.removeValue(forKey: session), let hubSession = hubSessions[device] else {
            return fail("a session ends once", "\(session)")
        }
        digest.add(8)
        if end == .replaced { coverage.note(.replaced) }
        if end == .draining || end == .shutdown { coverage.note(.drained) }
        if !hubSession.notified.calls.isEmpty, !isOperator(device) {
            fail("a session ends after its calls", "\(shape.devices[device].name)")
        }
        if hubSession.notified.audio != nil { fail("a session ends after its audio", "\(shape.devices[device].name)") }
        hubSessions[device] = nil
        guard hubSession.connection == clients[device].connection else { return }
        clients[device].downlink.send(.closing, at: now)
    }
}

extension CallSnapshot {
    /// Indicates that a transfer may have taken the call to another conversation: the first one has always a name.
    fileprivate func mayHaveTransfers(before later: CallSnapshot) -> Bool {
        hasConnected && (later.transferor != nil || later.returned != nil)
    }
}
