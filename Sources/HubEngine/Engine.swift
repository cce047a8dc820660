/// The arbitration of calls with CallKit's semantics: a value, events in and effects out, no clock, no I/O.
///
/// Handle one event, carry out **all** its effects in order, then the next; effects never call back in, what they cause
/// is an event again. Same configuration and same events give the same effects, byte for byte.
///
/// ```swift
/// var engine = Engine(EngineConfiguration(seed: 1))
/// var effects: [Effect] = []
/// engine.handle(.sessionOpened(opening, token: token), at: now, into: &effects)
/// ```
///
/// The doors are here; each thought has a file of its own: `Engine+Sessions` (who is signed in), `Engine+Requests` (what they
/// ask), `Engine+Transactions` (what is accepted), `Engine+Performing` (how it is performed), `Engine+Actions` (what an action
/// does), `Engine+Focus`, `+Groups`, `+Pulling` (which calls a device's user is busy with), `Engine+Ringing` (who is reached),
/// `Engine+Waking` (who is not, and is woken or left in peace),
/// `Engine+External` (calls that a client carries itself), `Engine+Ending` (how calls end), `Engine+Recents` (what is
/// remembered), `Engine+Audio`, `+Neighbours` (who may be heard).
public struct Engine: Sendable {
    let configuration: EngineConfiguration
    let spans: Spans
    var now = Instant(nanoseconds: .min)
    var identifiers: IdentifierSource
    var deadlines = Deadlines()

    var sessions = SlotMap<SessionID, Session>()
    var calls = SlotMap<CallID, Call>()
    var conversations = SlotMap<ConversationID, Conversation>()
    var accounts = SlotMap<AccountID, Account>()
    /// Looked up by name, never iterated.
    var accountIDs: [String: AccountID] = [:]
    /// Whether the hub is to stop.
    var isDraining = false

    /// What is to be done for the event at hand; the caller's buffer while one is handled, so that it is reused.
    var effects: [Effect] = []
    /// Devices of which a call has ended or an action may go on: looked at when the event itself is done.
    var unsettled: [SessionID] = []

    /// Makes the compiler hand the engine on by its address.
    ///
    /// Otherwise each call of a method that only reads, from one that changes, copies all its fields to the stack first.
    private let address: any Sendable = ()

    /// An engine without sessions.
    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        spans = Spans(configuration)
        identifiers = IdentifierSource(seed: configuration.seed)
    }

    /// Applies one event at `now`, after everything that was due until then; appends what must be done to `effects`.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: the time; smaller than the last one counts as the last one.
    ///   - effects: appended to, in the order in which they must be carried out.
    public mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        passTime(to: now)
        apply(event)
        settle()
    }

    /// Applies everything that is due until `now`.
    public mutating func advance(to now: Instant, into effects: inout [Effect]) {
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        passTime(to: now)
    }

    /// Applies the first thing that is due until `now`, and nothing else.
    ///
    /// - Parameters:
    ///   - now: the time, as above.
    ///   - effects: appended to.
    /// - Returns: The session on whose behalf it was waited for; nil: the hub's own, or nothing was due.
    public mutating func advanceOnce(to now: Instant, into effects: inout [Effect]) -> SessionID? {
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        guard let due = deadlines.popDue(at: max(self.now, now)) else { return nil }
        self.now = max(self.now, due.instant)
        let owner = owner(of: due.kind)
        expire(due.kind)
        settle()
        return owner
    }

    /// When `advance` must be called next; nil: nothing is waited for.
    public var nextDeadline: Instant? { deadlines.next }

    /// Where a session's packets go now.
    public func audioRoute(of session: SessionID) -> AudioRoute {
        sessions[session]?.route ?? .closed
    }

    /// How much there is of everything: for metrics, and for tests that all is gone when everybody is.
    public var census: Census {
        Census(
            sessions: sessions.count,
            calls: calls.count,
            conversations: conversations.count,
            accounts: accounts.count,
            deadlines: deadlines.count
        )
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .sessionOpened(let opening, let token): open(opening, token: token)
        case .sessionResumed(let session, let token): resume(session, token: token)
        case .sessionLost(let session): lose(session)
        case .sessionClosed(let session): close(session, end: nil)
        case .request(let session, let request, let token): answer(request, from: session, token: token)
        case .lookedUp(let token, let result): invite(result, to: token.conversation)
        case .screened(let report, let knowledge): screened(report, knowledge)
        case .endConversation(let conversation, let token): endConversation(conversation, token: token)
        case .drain(let until): drain(until: until)
        }
    }

    private mutating func passTime(to instant: Instant) {
        let target = max(now, instant)
        while let due = deadlines.popDue(at: target) {
            now = max(now, due.instant)
            expire(due.kind)
            settle()
        }
        now = target
    }

    private mutating func expire(_ kind: Deadlines.Kind) {
        switch kind {
        case .ring(let conversation): stopRinging(conversation)
        case .transaction(let session, let transaction): timeOut(transaction, of: session)
        case .grace(let session): close(session, end: .graceOver)
        case .drain: closeAll()
        }
    }
}

/// How much an engine holds.
public struct Census: Hashable, Sendable {
    /// Signed-in devices, the lost ones within their grace included.
    public var sessions: Int
    /// Living calls, each party's leg counted.
    public var calls: Int
    /// Conversations: what links the legs.
    public var conversations: Int
    /// Accounts with a device.
    public var accounts: Int
    /// Running timers.
    public var deadlines: Int

    /// Whether nothing is left.
    public var isEmpty: Bool {
        self == Census(sessions: 0, calls: 0, conversations: 0, accounts: 0, deadlines: 0)
    }
}
