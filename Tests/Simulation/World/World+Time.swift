import HubAccountData
import HubEngine

/// The virtual clock, which jumps from one due event to the next.
extension World {
    private enum DueEvent {
        case deadline
        case notice(Int)
        case query(Int)
        case uplink(Int)
        case downlink(Int)
    }

    /// The time of the next event that is due by itself.
    var nextDue: Instant? { earliest()?.instant }

    /// Advances the clock to `target`, and performs everything that is due until then.
    mutating func advanceClock(to target: Instant) {
        var idleIterations = 0
        while violation == nil, let (instant, due) = earliest(), instant <= target {
            idleIterations = instant > now ? 0 : idleIterations + 1
            now = max(now, instant)
            process(due)
            if idleIterations > 100_000 { return fail("the clock advances", "at \(now) something is always due") }
        }
        now = max(now, target)
    }

    private func earliest() -> (instant: Instant, due: DueEvent)? {
        var found: (instant: Instant, due: DueEvent)?
        func offer(_ instant: Instant?, _ due: @autoclosure () -> DueEvent) {
            guard let instant, found.map({ instant < $0.instant }) ?? true else { return }
            found = (instant, due())
        }
        offer(engine.nextDeadline, .deadline)
        for (place, notice) in notices.enumerated() { offer(notice.due, .notice(place)) }
        for (place, query) in pendingQueries.enumerated() { offer(query.due, .query(place)) }
        for device in clients.indices {
            offer(clients[device].uplink.next, .uplink(device))
            offer(clients[device].downlink.next, .downlink(device))
        }
        return found
    }

    private mutating func process(_ due: DueEvent) {
        switch due {
        case .deadline:
            advance()
        case .notice(let place):
            let notice = notices.remove(at: place)
            if notice.connection == hubSessions[notice.device]?.connection { noticeLoss(of: notice.device) }
        case .query(let place):
            answer(pendingQueries.remove(at: place).query)
        case .uplink(let device):
            let message = clients[device].uplink.receive()
            receive(message, from: device)
        case .downlink(let device):
            let message = clients[device].downlink.receive()
            take(message, at: device)
        }
    }

    private mutating func noticeLoss(of device: Int) {
        guard let session = hubSessions[device]?.session else { return }
        let name = shape.devices[device].name
        transcript?.note("the hub notices that \(name)'s connection is lost")
        hubSessions[device]?.connection = nil
        presenceRule.subscriptions.pause(session)
        coverage.note(.lossDetectedLate)
        apply(.sessionLost(session))
    }

    private mutating func answer(_ query: PendingQuery) {
        switch query {
        case .lookUp(let token, let lookUp):
            let result = screeningData.answer(lookUp)
            transcript?.note("\(lookUp.handle.value) is looked up for \(lookUp.caller)")
            switch token.purpose {
            case .call(let conversation): answer(lookUp, with: result, about: conversation)
            case .transfer(let transfer):
                if case .account(_, let known) = result.target, known.refusesTransfers {
                    coverage.note(.strangerRefused)
                }
                apply(.lookedUp(token, result), token: transfer.request.rawValue)
            }
        case .screen(let token, let account, let caller):
            transcript?.note("\(account) is asked about \(caller.value)")
            let answer = screeningData.answer(about: caller, for: account)
            let device = devicesBySession[token.session].map { shape.devices[$0].name } ?? ""
            if answer.forbidsRinging(on: device) {
                coverage.note(.reportFiltered)
                conversations.filter(token.callUUID)
            }
            apply(.screened(token, answer), token: token.request.rawValue)
            conversations.filter(nil)
        }
    }

    private mutating func answer(_ lookUp: LookUp, with result: LookUpResult, about conversation: ConversationID) {
        switch result.target {
        case .builtIn(let party): conversations.connect(conversation, to: party)
        case .account(_, let screeningData) where conversations.isReturned(conversation):
            // Do Not Disturb does not count; a block does.
            var known = CallerScreeningData()
            known.isBlocked = screeningData.isBlocked
            known.isBlockedByDirectory = screeningData.isBlockedByDirectory
            if known.forbidsRinging {
                coverage.note(.filtered)
                conversations.setCallerData(known, about: conversation)
            }
            lookedUp = known
        case .account(_, let screeningData):
            var known = screeningData
            // A stranger whose call is transferred rings nowhere but at the transferor's own account.
            if known.refusesTransfers, let transferor = conversations.transferor(of: conversation),
                transferor != lookUp.handle
            {
                known.isBlocked = true
            }
            if known.forbidsRinging { coverage.note(.filtered) }
            conversations.setCallerData(known, about: conversation)
            lookedUp = known
        case .unknown: break
        }
        apply(.lookedUp(LookUpToken(conversation: conversation), result))
        if let lookedUp { noteDoNotDisturb(lookedUp, about: conversation, lookUp) }
        lookedUp = nil
    }

    /// Records that do-not-disturb keeps one device, or all signed-in devices, from ringing.
    private mutating func noteDoNotDisturb(_ known: CallerScreeningData, about id: ConversationID, _ lookUp: LookUp) {
        guard !known.forbidsRinging else { return }
        let account = shape.accounts.firstIndex(of: lookUp.handle.value)
        let there = shape.devices.indices.filter { shape.devices[$0].account == account && hubSessions[$0] != nil }
        guard there.contains(where: { known.forbidsRinging(on: shape.devices[$0].name) }) else { return }
        coverage.note(.quietDevice)
        guard let call = engine.conversationSummaries.first(where: { $0.id == id }), call.state == .ringing else {
            return
        }
        if call.callee.sessions.isEmpty { coverage.note(.allQuiet) }
    }
}
