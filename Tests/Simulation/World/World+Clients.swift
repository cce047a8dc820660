import HubEngine

/// The clients' side: their operations, and the messages that reach them.
extension World {
    /// Performs an operation, if it makes sense at the time.
    ///
    /// - Parameters:
    ///   - deed: The operation.
    ///   - device: The index of the device that performs it.
    /// - Returns: True if it was performed.
    mutating func perform(_ deed: Operation.Deed, by device: Int) -> Bool {
        switch deed {
        case .signIn: return signIn(device, isAfterReset: false)
        case .leave:
            guard clients[device].standing == .present else { return false }
            clients[device].up.send(.close, at: now)
        case .drop(let delay):
            guard clients[device].standing != .away, clients[device].standing != .lost else { return false }
            notices.append((now + .milliseconds(delay), device, clients[device].connection))
            clients[device].cut()
            clients[device].standing = .lost
        case .resume(let resends): return resume(device, resends: resends)
        case .network(let up, let down):
            clients[device].up.delay = .milliseconds(up)
            clients[device].down.delay = .milliseconds(down)
        case .wait(let milliseconds): passTime(to: now + .milliseconds(milliseconds))
        case .jump:
            guard let next = nextDue else { return false }
            passTime(to: next)
        case .setQuiet(let isOn): knowledge.setQuiet(shape.devices[device].account, isOn)
        case .setDeviceQuiet(let isOn):
            knowledge.setQuiet(shape.devices[device].name, of: shape.devices[device].account, isOn)
        case .setBlocked(let other, let isOn): knowledge.setBlocked(other, by: shape.devices[device].account, isOn)
        case .setExempt(let other, let isOn): knowledge.setExempt(other, for: shape.devices[device].account, isOn)
        case .lookUps(let milliseconds): knowledge.delay = .milliseconds(milliseconds)
        case .endConversation(let place): return endConversation(place)
        case .drain(let milliseconds):
            isDraining = true
            apply(.drain(until: now + .milliseconds(milliseconds)))
        case .restart: restart()
        default:
            guard clients[device].standing == .present, let request = request(for: deed, of: device) else {
                return false
            }
            ask(request, of: device)
        }
        return true
    }

    /// Ends a call of the hub's, any of them, as an administrator.
    private mutating func endConversation(_ place: Int) -> Bool {
        guard let conversation = engine.conversationSummaries.cyclic(place)?.id else { return false }
        lastToken += 1
        outstanding[lastToken] = Asking(device: 0, connection: 0, kind: .endConversation)
        tally.note(.administrated)
        apply(.endConversation(conversation, token: RequestToken(rawValue: lastToken)), token: lastToken)
        if engine.conversationSummaries.contains(where: { $0.id == conversation }) {
            fail("an administrator ends a call for good", "\(conversation)")
        }
        return true
    }

    private mutating func signIn(_ device: Int, isAfterReset: Bool) -> Bool {
        clients[device].cut()
        clients[device].standing = .asking
        clients[device].unanswered = []
        clients[device].up.send(.open(isAfterReset: isAfterReset), at: now)
        return true
    }

    private mutating func resume(_ device: Int, resends: Bool) -> Bool {
        guard let seat = clients[device].seat, clients[device].standing != .away else { return false }
        clients[device].cut()
        clients[device].standing = .asking
        clients[device].resends = resends
        clients[device].up.send(.resume(seat, after: clients[device].lastNumber), at: now)
        return true
    }

    /// Stops the hub without notice, and starts a new one.
    private mutating func restart() {
        runs += 1
        tally.note(.restarted)
        isDraining = false
        var configuration = shape.configuration
        configuration.seed &+= UInt64(runs)
        engine = Engine(configuration)
        conversations = Conversations()
        owners = [:]
        outstanding = [:]
        questions = []
        notices = []
        wakes = WakeRule()
        lastSeat += 1_000_000
        for device in clients.indices {
            seats[device] = nil
            clients[device].cut()
            if clients[device].standing != .away { clients[device].standing = .lost }
        }
    }

    private mutating func ask(_ request: Request, of device: Int) {
        clients[device].lastRequest += 1
        let number = clients[device].lastRequest
        clients[device].unanswered.append((number, request))
        clients[device].up.send(.request(number, request), at: now)
    }

    /// Delivers a message to a client.
    mutating func take(_ message: Downward, at device: Int) {
        switch message {
        case .opened(let seat, let calls, let isResumed):
            if !isResumed {
                clients[device].view = View()
                clients[device].view.calls = calls
                clients[device].lastNumber = 0
            }
            clients[device].seat = seat
            clients[device].standing = .present
            let again = clients[device].resends ? clients[device].unanswered : []
            clients[device].unanswered = []
            if !again.isEmpty { tally.note(.sentTwice) }
            for (_, request) in again { ask(request, of: device) }
        case .elsewhere(let calls):
            clients[device].view.begin(observing: calls)
        case .turnedAway(let code):
            clients[device].standing = .away
            let isAfterReset = (clients[device].seat ?? lastSeat) / 1_000_000 != lastSeat / 1_000_000
            clients[device].seat = nil
            if code == .sessionGone { _ = signIn(device, isAfterReset: isAfterReset) }
        case .reply(let number, let reply):
            clients[device].unanswered.removeAll { $0.number == number }
            if case .refused(let refusal) = reply, refusal.code == .sessionGone { clients[device].standing = .lost }
        case .told(let number, let notification):
            if number != clients[device].lastNumber + 1 {
                fail("notifications come without a hole", "\(shape.devices[device].name): \(number)")
            }
            clients[device].lastNumber = number
            _ = clients[device].view.apply(notification)
            checkQuietPoint(of: device)
        case .closing:
            clients[device].standing = .away
            clients[device].seat = nil
            clients[device].cut()
        }
    }

    /// Checks that a client has the hub's state when all notifications have reached it.
    private mutating func checkQuietPoint(of device: Int) {
        guard clients[device].down.isEmpty, let seat = seats[device], seat.number == clients[device].seat,
            seat.log.count == clients[device].lastNumber
        else { return }
        let view = clients[device].view
        if view.calls != seat.told.calls || view.audio != seat.told.audio || view.sources != seat.told.sources
            || view.observed != seat.told.observed
        {
            fail("at a quiet point a client knows what the hub knows", shape.devices[device].name)
        }
    }
}
