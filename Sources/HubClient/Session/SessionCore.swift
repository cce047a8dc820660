import HubEngine
import HubWire

/// The state machine of a client's session and its connections: sign-in, liveness, loss, resume.
///
/// It performs no I/O: the driver passes it inputs and the time, carries out its effects, and runs one timer for
/// `deadline`. A session has at most two sockets: `live`, which carries the session, and `attempt`, which connects.
/// Both exist if the live socket is silent during an audio session; the first one that receives data is used. Without
/// a live socket, a slow attempt may have a `spareAttempt` beside it.
struct SessionCore {
    /// The socket that carries the session.
    struct Live {
        let socket: Int
        var lastReceived: Instant
        var isPinged = false
        /// The reason of the hub's closing notification, and the earliest time for a reconnection, if it set one.
        var closing: (reason: ClosingReason, notBefore: Instant?)?
    }

    /// A socket that connects or signs in, to carry the session next.
    struct Attempt {
        let socket: Int
        let deadline: Instant
        /// The time at which the socket began to connect, or `session.open` was sent.
        var since: Instant
        /// The number of the `session.open` that was sent; nil while the socket connects.
        var openRequest: Int?
        /// Indicates that the socket has been closed.
        var isOver = false
    }

    /// The credentials for resuming the session.
    struct ResumeCredentials {
        var session: String
        var token: String
    }

    /// A request that awaits its response.
    struct Pending {
        let number: Int
        let method: ClientMethod
        let token: UInt64
        let deadline: Instant
        /// The token for later sign-ins, once the hub has accepted it; nil: the request is not a refresh.
        var newerToken: String?
    }

    var signIn: SessionOpenRequest
    let address: String
    /// The address of another hub to which this one has redirected the client; nil: none.
    var redirectAddress: HubAddress?
    /// Indicates that the next socket connects to the other hub.
    var usesRedirect = false
    let timing: ClientTiming
    var retries: RetryDelays

    var now = Instant(nanoseconds: 0)
    var live: Live?
    var attempt: Attempt?
    /// A second socket beside an attempt that makes no progress, which may be lost in a failed network.
    var spareAttempt: Attempt?
    var retryAt: Instant?
    /// The end of the time in which the hub may still receive a sign-in from an abandoned socket.
    ///
    /// The hub may then treat that one as the newer connection, and close the live one with the reason `replaced`.
    var abandonedSignInDeadline: Instant?
    var lostSince: Instant?
    var resumeCredentials: ResumeCredentials?
    /// The device's ID, once the hub has generated one, so that a new session replaces the old one.
    var deviceID: String?
    var lastSeq: UInt64 = 0
    var pending: [Pending] = []
    var lastRequestNumber = 0
    var lastSocket = 0
    var closeDeadline: Instant?
    /// Indicates that the session could not be resumed, and a new one has been requested on the same socket.
    var isOpeningNewSession = false
    var isOver = false

    /// The result of the last `session.open`.
    var opened: SessionOpenResult?
    /// The device's calls as of the last notification, oldest first.
    var calls: [CallSnapshot] = []
    /// The active audio session.
    var audioSession: AudioSession?

    /// Creates a session that has not begun.
    init(signIn: SessionOpenRequest, address: String, timing: ClientTiming, seed: UInt64) {
        self.signIn = signIn
        self.address = address
        self.timing = timing
        deviceID = signIn.device.id
        retries = RetryDelays(first: timing.firstRetryDelay, longest: timing.maximumRetryDelay, seed: seed)
    }

    /// Applies one input and appends its effects, which are to be carried out in order.
    mutating func handle(_ input: SessionInput, at instant: Instant, into effects: inout [SessionEffect]) {
        now = max(now, instant)
        guard !isOver else {
            if case .request(_, let token) = input { effects.append(.answer(token: token, .failure(.closed))) }
            return
        }
        switch input {
        case .begin: startAttempt(into: &effects)
        case .socketOpened(let socket): socketOpened(socket, into: &effects)
        case .text(let socket, let text): received(text, on: socket, into: &effects)
        case .alive(let socket): receivedData(socket, into: &effects)
        case .socketEnded(let socket, let reason): socketEnded(socket, reason: reason, into: &effects)
        case .request(let request, let token): sendRequest(request, token: token, into: &effects)
        case .close: close(into: &effects)
        case .timePassed: timePassed(into: &effects)
        }
    }

    /// The time at which the next `timePassed` is due; nil: there is no deadline.
    var deadline: Instant? {
        guard !isOver else { return nil }
        var earliest = retryAt
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        consider(attempt?.deadline)
        consider(spareAttemptTime)
        consider(closeDeadline)
        consider(pending.first?.deadline)
        if let live {
            consider(live.lastReceived + (live.isPinged ? timing.lostAfterIdle : pingAfter))
            if wantsSecondConnection { consider(live.lastReceived + timing.secondConnectionAfterIdle) }
        }
        return earliest
    }

    /// The time without received data before a ping.
    ///
    /// In an audio session it is short enough for the pong to arrive before a second socket is started.
    private var pingAfter: Duration {
        audioSession == nil ? timing.pingAfterIdle : min(timing.pingAfterIdle, timing.secondConnectionAfterIdle / 2)
    }

    /// Indicates that a live socket without received data would cause a second connection.
    private var wantsSecondConnection: Bool {
        audioSession != nil && attempt == nil && retryAt == nil && closeDeadline == nil
    }

    private mutating func timePassed(into effects: inout [SessionEffect]) {
        if let closeDeadline, closeDeadline <= now { return finish(.closed, into: &effects) }
        if let attempt, attempt.deadline <= now {
            abandon(attempt, into: &effects)
            socketEnded(attempt.socket, reason: "no answer in time", into: &effects)
        }
        if let spareAttemptTime, spareAttemptTime <= now { startSpareAttempt(into: &effects) }
        if let live {
            if live.lastReceived + timing.lostAfterIdle <= now {
                effects.append(.dropSocket(live.socket))
                socketEnded(live.socket, reason: "no data was received from the hub", into: &effects)
            } else if !live.isPinged, live.lastReceived + pingAfter <= now {
                self.live?.isPinged = true
                effects.append(.ping(live.socket))
            }
        }
        if let live, wantsSecondConnection, live.lastReceived + timing.secondConnectionAfterIdle <= now {
            startAttempt(into: &effects)
        }
        if let retryAt, retryAt <= now { startAttempt(into: &effects) }
        while let first = pending.first, first.deadline <= now {
            pending.removeFirst()
            effects.append(.answer(token: first.token, .failure(.noResponse(method: first.method.rawValue))))
        }
    }

    /// Ends the session: completes every request with the error, and closes every socket.
    mutating func finish(_ error: HubClientError, into effects: inout [SessionEffect]) {
        guard !isOver else { return }
        isOver = true
        failPending(error, into: &effects)
        if let attempt { effects.append(.dropSocket(attempt.socket)) }
        if let spareAttempt { effects.append(.dropSocket(spareAttempt.socket)) }
        if let live { effects.append(.closeSocket(live.socket)) }
        let hadBegun = resumeCredentials != nil
        (live, attempt, spareAttempt, retryAt, audioSession, calls) = (nil, nil, nil, nil, nil, [])
        effects.append(hadBegun ? .event(.ended(error)) : .failed(error))
    }

    mutating func failPending(_ error: HubClientError, into effects: inout [SessionEffect]) {
        for request in pending { effects.append(.answer(token: request.token, .failure(error))) }
        pending = []
    }
}
