import HubEngine

/// The clients' side: their operations, and the messages that reach them.
extension World {
    /// Performs an operation, if it makes sense at the time.
    ///
    /// - Parameters:
    ///   - step: The operation.
    ///   - device: The index of the device that performs it.
    /// - Returns: True if it was performed.
    mutating func perform(_ step: Operation.Step, by device: Int) -> Bool {
        switch step {
        case .signIn: return signIn(device, isAfterReset: false)
        case .leave:
            guard clients[device].state == .signedIn else { return false }
            clients[device].uplink.send(.close, at: now)
        case .drop(let delay):
            guard clients[device].state != .signedOut, clients[device].state != .lost else { return false }
            notices.append((now + .milliseconds(delay), device, clients[device].connection))
            clients[device].breakConnection()
            clients[device].state = .lost
        case .resume(let resends): return resume(device, resends: resends)
        case .network(let uplink, let downlink):
            clients[device].uplink.delay = .milliseconds(uplink)
            clients[device].downlink.delay = .milliseconds(downlink)
        case .wait(let milliseconds): advanceClock(to: now + .milliseconds(milliseconds))
        case .skipToNextTimer:
            guard let next = nextDue else { return false }
            advanceClock(to: next)
        case .setQuiet(let isOn):
            screeningData.setQuiet(shape.devices[device].account, isOn)
            markPresence(ofAccount: shape.devices[device].account)
        case .setDeviceQuiet(let isOn):
            screeningData.setQuiet(shape.devices[device].name, of: shape.devices[device].account, isOn)
            markPresence(ofAccount: shape.devices[device].account)
        case .setBlocked(let other, let isOn):
            screeningData.setBlocked(other, by: shape.devices[device].account, isOn)
            markPresence(ofAccount: shape.devices[device].account, changesPermission: true)
        case .setExempt(let other, let isOn): screeningData.setExempt(other, for: shape.devices[device].account, isOn)
        case .setHidden(let isOn): setHidden(shape.devices[device].account, isOn)
        case .setRefusingStrangers(let isOn):
            screeningData.setRefusingStrangers(shape.devices[device].account, isOn)
        case .setHoldAudio(let audio):
            screeningData.setHoldAudio(shape.devices[device].account, audio)
            apply(.holdAudio(account: shape.accounts[shape.devices[device].account], audio))
        case .lookUps(let milliseconds): screeningData.delay = .milliseconds(milliseconds)
        case .endConversation(let place): return endConversation(place)
        case .drain(let milliseconds):
            isDraining = true
            apply(.drain(until: now + .milliseconds(milliseconds)))
        case .restart: restart()
        default:
            guard clients[device].state == .signedIn, let request = request(for: step, of: device) else {
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
        outstanding[lastToken] = PendingReply(device: 0, connection: 0, kind: .endConversation)
        coverage.note(.endedByAdministrator)
        apply(.endConversation(conversation, token: RequestToken(rawValue: lastToken)), token: lastToken)
        if engine.conversationSummaries.contains(where: { $0.id == conversation }) {
            fail("an administrator ends a call for good", "\(conversation)")
        }
        return true
    }

    private mutating func setHidden(_ account: Int, _ isOn: Bool) {
        screeningData.setHidden(account, isOn)
        apply(.groupNaming(account: shape.accounts[account], isNamed: !isOn))
    }

    private mutating func signIn(_ device: Int, isAfterReset: Bool) -> Bool {
        clients[device].breakConnection()
        clients[device].state = .awaitingReply
        clients[device].unanswered = []
        clients[device].uplink.send(.open(isAfterReset: isAfterReset), at: now)
        return true
    }

    private mutating func resume(_ device: Int, resends: Bool) -> Bool {
        guard let hubSession = clients[device].hubSession, clients[device].state != .signedOut else { return false }
        clients[device].breakConnection()
        clients[device].state = .awaitingReply
        clients[device].resends = resends
        clients[device].uplink.send(.resume(hubSession, after: clients[device].lastNumber), at: now)
        return true
    }

    /// Stops the hub without notice, and starts a new one.
    private mutating func restart() {
        runs += 1
        coverage.note(.restarted)
        presenceRule = PresenceRule()
        isDraining = false
        var configuration = shape.configuration
        configuration.seed &+= UInt64(runs)
        engine = Engine(configuration)
        conversations = Conversations()
        devicesBySession = [:]
        outstanding = [:]
        pendingQueries = []
        notices = []
        pushRule = PushRule()
        lastSessionNumber += 1_000_000
        for device in clients.indices {
            hubSessions[device] = nil
            clients[device].breakConnection()
            if clients[device].state != .signedOut { clients[device].state = .lost }
        }
    }

    private mutating func ask(_ request: Request, of device: Int) {
        clients[device].lastRequest += 1
        let number = clients[device].lastRequest
        clients[device].unanswered.append((number, request))
        clients[device].uplink.send(.request(number, request), at: now)
    }

    /// Delivers a message to a client.
    mutating func take(_ message: DownlinkMessage, at device: Int) {
        switch message {
        case .opened(let hubSession, let calls, let isResumed):
            if !isResumed {
                clients[device].notifiedState = NotifiedState()
                clients[device].notifiedState.calls = calls
                clients[device].lastNumber = 0
            }
            clients[device].hubSession = hubSession
            clients[device].state = .signedIn
            let again = clients[device].resends ? clients[device].unanswered : []
            clients[device].unanswered = []
            if !again.isEmpty { coverage.note(.sentTwice) }
            for (_, request) in again { ask(request, of: device) }
        case .elsewhere(let calls):
            clients[device].notifiedState.begin(observing: calls)
        case .openRefused(let code):
            clients[device].state = .signedOut
            let isAfterReset =
                (clients[device].hubSession ?? lastSessionNumber) / 1_000_000 != lastSessionNumber / 1_000_000
            clients[device].hubSession = nil
            if code == .sessionGone { _ = signIn(device, isAfterReset: isAfterReset) }
        case .reply(let number, let reply):
            clients[device].unanswered.removeAll { $0.number == number }
            if case .refused(let refusal) = reply, refusal.code == .sessionGone { clients[device].state = .lost }
        case .notified(let number, let notification):
            if number != clients[device].lastNumber + 1 {
                fail("notifications arrive without a gap", "\(shape.devices[device].name): \(number)")
            }
            clients[device].lastNumber = number
            _ = clients[device].notifiedState.apply(notification)
            checkClientInSync(of: device)
        case .closing:
            clients[device].state = .signedOut
            clients[device].hubSession = nil
            clients[device].breakConnection()
        }
    }

    /// Checks that a client has the hub's state when all notifications have reached it.
    private mutating func checkClientInSync(of device: Int) {
        guard clients[device].downlink.isEmpty, let hubSession = hubSessions[device],
            hubSession.number == clients[device].hubSession,
            hubSession.log.count == clients[device].lastNumber
        else { return }
        let notifiedState = clients[device].notifiedState
        if notifiedState.calls != hubSession.notified.calls || notifiedState.audio != hubSession.notified.audio
            || notifiedState.sources != hubSession.notified.sources
            || notifiedState.observed != hubSession.notified.observed
        {
            fail("when all messages have arrived, a client has the hub's state", shape.devices[device].name)
        }
    }
}
