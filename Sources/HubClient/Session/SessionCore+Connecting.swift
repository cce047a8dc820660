import HubEngine
import HubWire

// Connects, signs in and reconnects: a session continues on another socket after a loss.
extension SessionCore {
    mutating func startAttempt(into effects: inout [SessionEffect]) {
        retryAt = nil
        lastSocket += 1
        attempt = Attempt(socket: lastSocket, deadline: now + timing.connectTimeout, since: now)
        effects.append(.openSocket(lastSocket))
    }

    /// The time at which the next spare socket is due; nil: there is no attempt, or no session to resume.
    var spareAttemptTime: Instant? {
        guard live == nil, resumeCredentials != nil, closeDeadline == nil, let attempt else { return nil }
        return max(attempt.since, spareAttempt?.since ?? attempt.since) + timing.maximumRetryDelay
    }

    /// Replaces the spare socket by a new one; the attempt continues, for networks with a high latency.
    mutating func startSpareAttempt(into effects: inout [SessionEffect]) {
        dropSpareAttempt(into: &effects)
        lastSocket += 1
        spareAttempt = Attempt(socket: lastSocket, deadline: now + timing.connectTimeout, since: now)
        effects.append(.openSocket(lastSocket))
    }

    private mutating func dropSpareAttempt(into effects: inout [SessionEffect]) {
        if let spareAttempt { effects.append(.dropSocket(spareAttempt.socket)) }
        spareAttempt = nil
    }

    /// Abandons an attempt; its sign-in may still reach the hub.
    mutating func abandon(_ attempt: Attempt, into effects: inout [SessionEffect]) {
        effects.append(.dropSocket(attempt.socket))
        if attempt.openRequest != nil { abandonedSignInDeadline = now + timing.connectTimeout }
    }

    mutating func socketOpened(_ socket: Int, into effects: inout [SessionEffect]) {
        if socket == attempt?.socket {
            dropSpareAttempt(into: &effects)
        } else if socket == spareAttempt?.socket, let slow = attempt {
            abandon(slow, into: &effects)
            (attempt, spareAttempt, isOpeningNewSession) = (spareAttempt, nil, false)
        } else {
            return
        }
        sendOpen(on: socket, into: &effects)
    }

    /// Signs in: resumes the session if there is one, else opens a new one.
    private mutating func sendOpen(on socket: Int, into effects: inout [SessionEffect]) {
        var open = signIn
        open.device.id = deviceID
        open.resume = resumeCredentials.map {
            SessionOpenRequest.Resume(session: $0.session, token: $0.token, seq: lastSeq)
        }
        lastRequestNumber += 1
        attempt?.openRequest = lastRequestNumber
        attempt?.since = now
        effects.append(.send(socket, encode(.open(open), number: lastRequestNumber)))
    }

    /// Handles the response to `session.open`.
    mutating func handleOpenResponse(_ result: Result<ReplyPayload, WireError>, into effects: inout [SessionEffect]) {
        guard let attempt else { return }
        switch result {
        case .success(.opened(let opened)):
            adopt(opened, into: &effects)
        case .success:
            finish(.malformedResponse(method: ClientMethod.sessionOpen.rawValue), into: &effects)
        case .failure(let error) where error.code == .sessionGone && resumeCredentials != nil && !isOpeningNewSession:
            // The grace period is over, or the hub was restarted: a new session on the same socket.
            isOpeningNewSession = true
            let old = resumeCredentials
            resumeCredentials = nil
            sendOpen(on: attempt.socket, into: &effects)
            resumeCredentials = old
        case .failure(let error):
            refused(error, attempt: attempt, into: &effects)
        }
    }

    private mutating func adopt(_ opened: SessionOpenResult, into effects: inout [SessionEffect]) {
        guard let attempt else { return }
        let isFirst = resumeCredentials == nil
        if let live {
            // The silent socket is replaced; its requests may or may not have been carried out.
            effects.append(.dropSocket(live.socket))
            failPending(.connectionLost(reason: "the hub stopped responding"), into: &effects)
        }
        live = Live(socket: attempt.socket, lastReceived: now)
        self.attempt = nil
        dropSpareAttempt(into: &effects)
        (lostSince, isOpeningNewSession) = (nil, false)
        retries.reset()
        resumeCredentials = ResumeCredentials(session: opened.session, token: opened.resumeToken)
        deviceID = opened.device.id ?? deviceID
        calls = opened.calls
        self.opened = opened
        if !opened.resumed {
            lastSeq = 0
            audioSession = nil
        }
        if isFirst {
            effects.append(.opened(opened))
        } else {
            effects.append(.event(opened.resumed ? .resumed : .reset(calls: opened.calls)))
        }
    }

    private mutating func refused(_ error: WireError, attempt: Attempt, into effects: inout [SessionEffect]) {
        isOpeningNewSession = false
        let isTransient = [.draining, .overloaded, .tooMany, .internalError].contains(error.code)
        // A rejected second connection does not end the session on the first one.
        guard resumeCredentials != nil, isTransient || live != nil else {
            // All errors of 401, and 403.
            let isSignIn = error.code.number == ErrorCode.notSignedIn.number || error.code == .notAllowed
            return finish(isSignIn ? .signInRefused(error) : .refused(error), into: &effects)
        }
        effects.append(.dropSocket(attempt.socket))
        let wait = error.retryAfterSeconds.map { Duration.seconds($0) }
        socketEnded(attempt.socket, reason: error.message, retryAfter: wait, into: &effects)
    }

    mutating func socketEnded(
        _ socket: Int,
        reason: String,
        retryAfter wait: Duration? = nil,
        into effects: inout [SessionEffect]
    ) {
        if socket == spareAttempt?.socket {
            // The entry remains until the next spare is due, so that no other one is started at once.
            spareAttempt?.isOver = true
            return
        }
        if socket == attempt?.socket {
            attempt = nil
            isOpeningNewSession = false
            defer { spareAttempt = nil }
            if let spareAttempt, !spareAttempt.isOver {
                attempt = spareAttempt
                return
            }
            guard resumeCredentials != nil else {
                return finish(.unreachable(address: address, reason: reason), into: &effects)
            }
            if redirectAddress != nil { usesRedirect.toggle() }
            retryOrGiveUp(reason: reason, after: wait, into: &effects)
        } else if let live, socket == live.socket {
            lost(live, reason: reason, into: &effects)
        }
    }

    private mutating func lost(_ live: Live, reason: String, into effects: inout [SessionEffect]) {
        self.live = nil
        lostSince = now
        if closeDeadline != nil { return finish(.closed, into: &effects) }
        if let closing = live.closing?.reason,
            closing == .replaced && !mayBeReplacedByAbandonedSignIn || closing == .policy || closing == .signedOut
        {
            return finish(.endedByHub(reason: closing.rawValue), into: &effects)
        }
        failPending(.connectionLost(reason: reason), into: &effects)
        let words = live.closing.map { "the hub closed the session: \($0.reason.rawValue)" } ?? reason
        effects.append(.event(.connectionLost(reason: words)))
        if attempt == nil, retryAt == nil || live.closing?.notBefore != nil {
            retryOrGiveUp(reason: reason, after: live.closing?.notBefore?.since(now), into: &effects)
        }
    }

    /// Handles a redirection to another hub; never from a secure connection to an insecure one.
    mutating func storeRedirect(_ url: String) {
        guard url.lowercased().hasPrefix("ws://") || url.lowercased().hasPrefix("wss://"),
            let redirectAddress = HubAddress(url), let own = usesRedirect ? self.redirectAddress : HubAddress(address),
            redirectAddress.isSecure || !own.isSecure
        else { return }
        self.redirectAddress = redirectAddress
        usesRedirect = true
    }

    private var mayBeReplacedByAbandonedSignIn: Bool { abandonedSignInDeadline.map { now < $0 } ?? false }

    /// Schedules the next attempt: at once, then after delays that double.
    private mutating func retryOrGiveUp(reason: String, after least: Duration?, into effects: inout [SessionEffect]) {
        if let limit = timing.reconnectTimeout, let lostSince, now.since(lostSince) >= limit {
            return finish(.connectionLost(reason: reason), into: &effects)
        }
        let wait = max(retries.next(), least ?? .zero)
        guard wait > .zero else { return startAttempt(into: &effects) }
        retryAt = now + wait
    }

    /// Records that data was received on a socket.
    mutating func receivedData(_ socket: Int, into effects: inout [SessionEffect]) {
        guard live?.socket == socket else { return }
        live?.lastReceived = now
        live?.isPinged = false
        // Data arrived again before the second socket was of use.
        if let attempt, attempt.openRequest == nil {
            effects.append(.dropSocket(attempt.socket))
            self.attempt = nil
        }
        retryAt = nil
    }
}
