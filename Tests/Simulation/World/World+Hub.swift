import HubEngine

/// The hub's side: a client's message becomes an event, whose effects are carried out in order.
extension World {
    mutating func receive(_ message: Upward, from device: Int) {
        switch message {
        case .open(let isAfterReset):
            let token = expectReply(.open(isAfterReset: isAfterReset), of: device)
            apply(.sessionOpened(opening(of: device, isAfterReset), token: RequestToken(rawValue: token)), token: nil)
        case .resume(let number, let after):
            guard let session = seats[device]?.session, seats[device]?.number == number else {
                return clients[device].down.send(.turnedAway(.sessionGone), at: now)
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
        seats[device]?.connection == clients[device].connection ? seats[device]?.session : nil
    }

    private mutating func expectReply(_ kind: Asking.Kind, of device: Int) -> UInt64 {
        lastToken += 1
        outstanding[lastToken] = Asking(device: device, connection: clients[device].connection, kind: kind)
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
            isAfterReset: isAfterReset
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
        if let token { checkReplyComesFirst(token) }
        carryOut()
    }

    /// Fires the engine's timers that are due.
    mutating func advance() {
        guard violation == nil else { return }
        narrator?.note("time passes to \(Narrator.seconds(now))")
        effects.removeAll(keepingCapacity: true)
        engine.advance(to: now, into: &effects)
        carryOut()
    }

    private mutating func checkReplyComesFirst(_ token: UInt64) {
        switch effects.first {
        case .reply(let reply, _) where reply.rawValue == token: return
        case .screen(let asked, _, _) where asked.request.rawValue == token: return
        default: fail("every request has one reply, and it comes first", "\(effects.prefix(1))")
        }
    }

    private mutating func carryOut() {
        events += 1
        tamper?(&effects)
        for device in touched.indices { touched[device] = false }
        appeared.removeAll(keepingCapacity: true)
        recents = RecentsRule()
        let carried = effects
        for effect in carried where violation == nil {
            if narrator != nil {
                let device = owner(of: effect)
                narrator?.effect(effect, of: device)
            }
            carryOut(effect)
        }
        for device in touched.indices where touched[device] { letObserverAsk(device) }
        if violation == nil { check() }
    }

    /// Requests the account's other calls for an observer that has just signed in; from then on it is sent changes.
    private mutating func letObserverAsk(_ device: Int) {
        guard let session = seats[device]?.session, seats[device]?.told.hasAsked == false,
            shape.devices[device].observes
        else { return }
        let others = elsewhere(of: session)
        seats[device]?.told.begin(observing: others)
        clients[device].down.send(.elsewhere(others), at: now)
    }

    private func owner(of effect: Effect) -> Int? {
        switch effect {
        case .reply(let token, _): outstanding[token.rawValue]?.device
        case .notify(let session, _), .audioRouteChanged(let session), .sessionEnded(let session, _),
            .sessionClosing(let session, _):
            owners[session]
        case .lookUp, .screen, .wake, .wakeOver, .remember: nil
        }
    }

    private mutating func carryOut(_ effect: Effect) {
        switch effect {
        case .reply(let token, let reply): answer(token, with: reply)
        case .notify(let session, let notification): tell(session, notification)
        case .audioRouteChanged(let session):
            guard let device = owners[session] else { return fail("nothing is told of who is gone", "a route") }
            touched[device] = true
            digest.add(3)
            let route = engine.audioRoute(of: session)
            seats[device]?.route = route
        case .lookUp(let token, let lookUp): questions.append((now + knowledge.delay, .lookUp(token, lookUp)))
        case .screen(let token, let account, let caller):
            questions.append((now + knowledge.delay, .screen(token, account: account, caller: caller)))
        case .wake(let wakeUp): checkWake(wakeUp)
        case .wakeOver(let account, let call, _):
            digest.add(call.low ^ 11)
            if let fault = wakes.end(call, of: account) { fail(fault, account) }
        case .remember(let account, let call): checkRecent(call, of: account)
        case .sessionEnded(let session, let end): endSeat(session, end)
        case .sessionClosing: digest.add(7)
        }
    }

    private mutating func tell(_ session: SessionID, _ notification: Notification) {
        guard let device = owners[session], let number = seats[device]?.log.count else {
            return fail("nothing is told of who is gone", "\(notification)")
        }
        let connection = seats[device]?.connection
        touched[device] = true
        digest.add(notification, to: device)
        tally.note(notification)
        if case .callChanged(let snapshot) = notification { noteChange(of: snapshot, on: device) }
        let (described, times, now) = (shape.devices[device], shape.configuration, now)
        if let fault = seats[device]?.ledger.note(notification, of: described, times, at: now) {
            fail(fault, "\(described.name): \(notification)")
        }
        if let fault = seats[device]?.told.apply(notification) {
            fail(fault, "\(shape.devices[device].name): \(notification)")
        }
        seats[device]?.log.append(notification)
        guard connection == clients[device].connection else { return }
        clients[device].down.send(.told(number + 1, notification), at: now)
    }

    private mutating func noteChange(of snapshot: CallSnapshot, on device: Int) {
        if snapshot.hasEnded {
            let keeps = seats[device]?.provider.includesCallsInRecents == true
            recents.ended(snapshot, of: shape.devices[device].account, keeps: keeps)
            return conversations.remove(snapshot.uuid, of: device)
        }
        let former = seats[device]?.told.call(snapshot.uuid)
        if former == nil { appeared.append((device, snapshot.uuid)) }
        checkGrowth(from: former?.group, to: snapshot, on: device)
    }

    private mutating func answer(_ token: RequestToken, with reply: Reply) {
        guard let asking = outstanding.removeValue(forKey: token.rawValue) else {
            return fail("every request has one reply, and it comes first", "a second one: \(reply)")
        }
        let device = asking.device
        touched[device] = true
        digest.add(reply, to: device)
        switch (asking.kind, reply) {
        case (.open, .opened(let session, let provider, let calls)):
            lastSeat += 1
            let seat = Seat(number: lastSeat, session: session, connection: asking.connection, provider: provider)
            seats[device] = seat
            owners[session] = device
            send(.opened(seat.number, calls: calls, isResumed: false), over: asking)
        case (.resume(let after), .opened(_, _, let calls)):
            if seats[device]?.told.calls != calls { fail("a resume gives the calls as told", "\(calls)") }
            let seat = seats[device]
            tally.note(after < (seat?.log.count ?? 0) ? .replayed : .resumed)
            seats[device]?.connection = asking.connection
            send(.opened(seat?.number ?? 0, calls: calls, isResumed: true), over: asking)
            for (index, notification) in (seat?.log ?? []).enumerated().dropFirst(after) {
                send(.told(index + 1, notification), over: asking)
            }
        case (.open, .refused(let refusal)), (.resume, .refused(let refusal)):
            send(.turnedAway(refusal.code), over: asking)
        case (.request(let number, let request), _):
            checkReply(reply, to: request, of: device)
            send(.reply(number, reply), over: asking)
        case (.endConversation, .done): return
        default:
            fail("a reply fits its request", "\(reply)")
        }
    }

    private mutating func send(_ message: Downward, over asking: Asking) {
        guard clients[asking.device].connection == asking.connection else { return }
        clients[asking.device].down.send(message, at: now)
    }

    private mutating func endSeat(_ session: SessionID, _ end: SessionEnd?) {
        guard let device = owners.removeValue(forKey: session), let seat = seats[device] else {
            return fail("a session ends once", "\(session)")
        }
        digest.add(8)
        if end == .replaced { tally.note(.replaced) }
        if end == .draining || end == .shutdown { tally.note(.drained) }
        if !seat.told.calls.isEmpty { fail("a session ends after its calls", "\(shape.devices[device].name)") }
        if seat.told.audio != nil { fail("a session ends after its audio", "\(shape.devices[device].name)") }
        seats[device] = nil
        guard seat.connection == clients[device].connection else { return }
        clients[device].down.send(.closing, at: now)
    }
}
