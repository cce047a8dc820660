import HubEngine
import HubWire

/// The life of a client's session over the connections that carry it: sign-in, liveness, loss, resume.
///
/// Pure: inputs and the time come in, effects go out; the driver keeps one timer for `deadline`. A session has at most
/// two sockets: the `live` one that carries it, and the `attempt` that is to carry it next. Both exist at once when the
/// live one has gone silent in the middle of a talk: whichever speaks first wins (media.md 3). Without a live one there is
/// a `spare` beside an attempt that takes its time.
struct SessionCore {
    /// The socket that carries the session.
    struct Live {
        let socket: Int
        var lastHeard: Instant
        var isPinged = false
        /// Why the hub said it would close the connection, and before when it does not want to see us again.
        var closing: (reason: ClosingReason, notBefore: Instant?)?
    }

    /// A socket on its way to carry the session.
    struct Attempt {
        let socket: Int
        let deadline: Instant
        /// When the socket was asked to connect, or when the session was asked for.
        var since: Instant
        /// The number of the `session.open` that was sent; nil while the socket connects.
        var openRequest: Int?
        /// The socket is gone already.
        var isOver = false
    }

    /// What proves that the session is ours.
    struct Identity {
        var session: String
        var token: String
    }

    /// A request without an answer.
    struct Pending {
        let number: Int
        let method: ClientMethod
        let token: UInt64
        let deadline: Instant
        /// What is to sign in from now on, once the hub has taken it; nil: the request is about something else.
        var newerToken: String?
    }

    var signIn: SessionOpen
    let address: String
    /// Another hub that this one has named; nil: there is none.
    var other: HubAddress?
    /// Whether the next socket goes there.
    var goesToOther = false
    let timing: ClientTiming
    var retries: RetryDelays

    var now = Instant(nanoseconds: 0)
    var live: Live?
    var attempt: Attempt?
    /// A fresher socket beside an attempt that makes no progress: what was sent into a dead network comes late or never.
    var spare: Attempt?
    var retryAt: Instant?
    /// Until then the hub may still find that we asked on a socket that we have given up, and take it for the newer one.
    var mayReplaceItselfUntil: Instant?
    var lostSince: Instant?
    var identity: Identity?
    /// The device's own name, once the hub has made one, so that a new session replaces the old one.
    var deviceID: String?
    var lastSeq: UInt64 = 0
    var pending: [Pending] = []
    var lastNumber = 0
    var lastSocket = 0
    var leavesBy: Instant?
    /// The session could not be taken up, and a new one has been asked for on the same socket.
    var isReplacing = false
    var isOver = false

    /// The result of the last `session.open`.
    var opened: SessionOpened?
    /// The device's calls as the notifications have told them, oldest first.
    var calls: [CallSnapshot] = []
    /// The audio session that is active.
    var audioSession: AudioSession?

    /// A session that has not begun.
    init(signIn: SessionOpen, address: String, timing: ClientTiming, seed: UInt64) {
        self.signIn = signIn
        self.address = address
        self.timing = timing
        deviceID = signIn.device.id
        retries = RetryDelays(first: timing.firstRetryDelay, longest: timing.longestRetryDelay, seed: seed)
    }

    /// Applies one input; the effects are appended, to be carried out in order.
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
        case .alive(let socket): heard(socket, into: &effects)
        case .socketEnded(let socket, let reason): socketEnded(socket, reason: reason, into: &effects)
        case .request(let request, let token): ask(request, token: token, into: &effects)
        case .leave: leave(into: &effects)
        case .timePassed: timePassed(into: &effects)
        }
    }

    /// When the next `timePassed` is due; nil: only something from outside can change anything.
    var deadline: Instant? {
        guard !isOver else { return nil }
        var earliest = retryAt
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        consider(attempt?.deadline)
        consider(spareIsDue)
        consider(leavesBy)
        consider(pending.first?.deadline)
        if let live {
            consider(live.lastHeard + (live.isPinged ? timing.lostAfterSilence : pingAfter))
            if wantsRescue { consider(live.lastHeard + timing.rescueAfterSilence) }
        }
        return earliest
    }

    /// In a talk the ping comes early enough for its answer to show that all is well, even if the hub says nothing else.
    private var pingAfter: Duration {
        audioSession == nil ? timing.pingAfterIdle : min(timing.pingAfterIdle, timing.rescueAfterSilence / 2)
    }

    /// Whether silence on the live socket would start a second one.
    private var wantsRescue: Bool { audioSession != nil && attempt == nil && retryAt == nil && leavesBy == nil }

    private mutating func timePassed(into effects: inout [SessionEffect]) {
        if let leavesBy, leavesBy <= now { return finish(.closed, into: &effects) }
        if let attempt, attempt.deadline <= now {
            giveUp(attempt, into: &effects)
            socketEnded(attempt.socket, reason: "no answer in time", into: &effects)
        }
        if let spareIsDue, spareIsDue <= now { startSpare(into: &effects) }
        if let live {
            if live.lastHeard + timing.lostAfterSilence <= now {
                effects.append(.dropSocket(live.socket))
                socketEnded(live.socket, reason: "nothing was heard of the hub", into: &effects)
            } else if !live.isPinged, live.lastHeard + pingAfter <= now {
                self.live?.isPinged = true
                effects.append(.ping(live.socket))
            }
        }
        if let live, wantsRescue, live.lastHeard + timing.rescueAfterSilence <= now { startAttempt(into: &effects) }
        if let retryAt, retryAt <= now { startAttempt(into: &effects) }
        while let first = pending.first, first.deadline <= now {
            pending.removeFirst()
            effects.append(.answer(token: first.token, .failure(.noAnswer(method: first.method.rawValue))))
        }
    }

    /// Ends it all: every request is answered, every socket let go.
    mutating func finish(_ error: HubClientError, into effects: inout [SessionEffect]) {
        guard !isOver else { return }
        isOver = true
        failPending(error, into: &effects)
        if let attempt { effects.append(.dropSocket(attempt.socket)) }
        if let spare { effects.append(.dropSocket(spare.socket)) }
        if let live { effects.append(.closeSocket(live.socket)) }
        let hadBegun = identity != nil
        (live, attempt, spare, retryAt, audioSession, calls) = (nil, nil, nil, nil, nil, [])
        effects.append(hadBegun ? .event(.ended(error)) : .failed(error))
    }

    mutating func failPending(_ error: HubClientError, into effects: inout [SessionEffect]) {
        for request in pending { effects.append(.answer(token: request.token, .failure(error))) }
        pending = []
    }
}
