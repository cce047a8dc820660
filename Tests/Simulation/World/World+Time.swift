import HubEngine

/// The virtual clock, which jumps from one due event to the next.
extension World {
    private enum Due {
        case deadline
        case notice(Int)
        case question(Int)
        case up(Int)
        case down(Int)
    }

    /// The time of the next event that is due by itself.
    var nextDue: Instant? { earliest()?.instant }

    /// Advances the clock to `target`, and performs everything that is due until then.
    mutating func passTime(to target: Instant) {
        var idleTurns = 0
        while violation == nil, let (instant, due) = earliest(), instant <= target {
            idleTurns = instant > now ? 0 : idleTurns + 1
            now = max(now, instant)
            happen(due)
            if idleTurns > 100_000 { return fail("time goes on", "at \(now) something is always due") }
        }
        now = max(now, target)
    }

    private func earliest() -> (instant: Instant, due: Due)? {
        var found: (instant: Instant, due: Due)?
        func offer(_ instant: Instant?, _ due: @autoclosure () -> Due) {
            guard let instant, found.map({ instant < $0.instant }) ?? true else { return }
            found = (instant, due())
        }
        offer(engine.nextDeadline, .deadline)
        for (place, notice) in notices.enumerated() { offer(notice.due, .notice(place)) }
        for (place, question) in questions.enumerated() { offer(question.due, .question(place)) }
        for device in clients.indices {
            offer(clients[device].up.next, .up(device))
            offer(clients[device].down.next, .down(device))
        }
        return found
    }

    private mutating func happen(_ due: Due) {
        switch due {
        case .deadline:
            advance()
        case .notice(let place):
            let notice = notices.remove(at: place)
            if notice.connection == seats[notice.device]?.connection { noticeLoss(of: notice.device) }
        case .question(let place):
            answer(questions.remove(at: place).question)
        case .up(let device):
            let message = clients[device].up.receive()
            receive(message, from: device)
        case .down(let device):
            let message = clients[device].down.receive()
            take(message, at: device)
        }
    }

    private mutating func noticeLoss(of device: Int) {
        guard let session = seats[device]?.session else { return }
        let name = shape.devices[device].name
        narrator?.note("the hub notices that \(name)'s connection is lost")
        seats[device]?.connection = nil
        tally.note(.noticedLate)
        apply(.sessionLost(session))
    }

    private mutating func answer(_ question: Question) {
        switch question {
        case .lookUp(let token, let lookUp):
            let result = knowledge.answer(lookUp)
            switch result.target {
            case .builtIn(let party): conversations.connect(token.conversation, to: party)
            case .account(_, let knowledge):
                if knowledge.forbidsRinging { tally.note(.filtered) }
                conversations.know(knowledge, about: token.conversation)
                lookedUp = knowledge
            case .unknown: break
            }
            narrator?.note("\(lookUp.handle.value) is looked up for \(lookUp.caller)")
            apply(.lookedUp(token, result))
            if let lookedUp { notePeace(lookedUp, about: token.conversation, lookUp) }
            lookedUp = nil
        case .screen(let token, let account, let caller):
            narrator?.note("\(account) is asked about \(caller.value)")
            let answer = knowledge.answer(about: caller, for: account)
            let device = owners[token.session].map { shape.devices[$0].name } ?? ""
            if answer.forbidsRinging(on: device) {
                tally.note(.reportFiltered)
                conversations.filter(token.callUUID)
            }
            apply(.screened(token, answer), token: token.request.rawValue)
            conversations.filter(nil)
        }
    }

    /// Records that do-not-disturb keeps one device, or all signed-in devices, from ringing.
    private mutating func notePeace(_ known: CallerKnowledge, about id: ConversationID, _ lookUp: LookUp) {
        guard !known.forbidsRinging else { return }
        let account = shape.accounts.firstIndex(of: lookUp.handle.value)
        let there = shape.devices.indices.filter { shape.devices[$0].account == account && seats[$0] != nil }
        guard there.contains(where: { known.forbidsRinging(on: shape.devices[$0].name) }) else { return }
        tally.note(.quietDevice)
        guard let call = engine.conversationSummaries.first(where: { $0.id == id }), call.state == .ringing else {
            return
        }
        if call.callee.sessions.isEmpty { tally.note(.allQuiet) }
    }
}
