/// The arbitration of calls with CallKit's semantics: a value with events in, effects out, no clock and no I/O.
///
/// Handle one event, carry out **all** its effects in order, then handle the next; effects never call back, their
/// results are events again. The same configuration and events give the same effects, byte for byte.
///
/// ```swift
/// var engine = Engine(EngineConfiguration(seed: 1))
/// var effects: [Effect] = []
/// engine.handle(.sessionOpened(opening, token: token), at: now, into: &effects)
/// ```
public struct Engine: Sendable {
    // This file has the entry points; the rest is in extensions: Engine+Sessions (sign-in), Engine+Requests (clients'
    // requests), Engine+Transactions (their acceptance), Engine+Performing (their performance), Engine+Actions (the
    // effects of an action), Engine+Focus, +Groups, +Machines and +Pulling (the calls with the user's attention),
    // Engine+Transfers and +BlindTransfers (parties that are connected with one another, or with somebody else),
    // Engine+Operators (sessions that operate another device), Engine+Ringing (call set-up), Engine+Push (calls that
    // ring on no device), Engine+External (calls that a client carries itself), Engine+Ending (the end of calls),
    // Engine+Recents (Recents entries), Engine+Audio and +AudioTopology (audio routes), Engine+Participants (the people
    // in a group's conversation).

    let configuration: EngineConfiguration
    let actionTimeouts: ActionTimeouts
    var now = Instant(nanoseconds: .min)
    var identifiers: IdentifierSource
    var deadlines = Deadlines()

    var sessions = SlotMap<SessionID, Session>()
    var calls = SlotMap<CallID, Call>()
    var conversations = SlotMap<ConversationID, Conversation>()
    var accounts = SlotMap<AccountID, Account>()
    /// Looked up by name, never iterated.
    var accountIDs: [String: AccountID] = [:]
    /// True if the hub is about to stop.
    var isDraining = false

    /// The effects of the current event; the caller's buffer while an event is handled, so that it is reused.
    var effects: [Effect] = []
    /// Sessions in which a call has ended or a transaction may continue: checked after the event itself.
    var sessionsToRecheck: [SessionID] = []

    /// Calls whose participants may have changed: checked after the event itself.
    var callsToRecheck: [CallID] = []

    /// Makes the compiler pass the engine by reference.
    ///
    /// Otherwise each call from a mutating method to one that only reads first copies all fields to the stack.
    private let address: any Sendable = ()

    /// Creates an engine without sessions.
    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        actionTimeouts = ActionTimeouts(configuration)
        identifiers = IdentifierSource(seed: configuration.seed)
    }

    /// Applies one event at `now`, after all timers that are due until then, and appends the effects to `effects`.
    ///
    /// - Parameters:
    ///   - event: The event to apply.
    ///   - now: The time; an earlier time than the last one counts as the last one.
    ///   - effects: The effects are appended, in the order in which they must be carried out.
    public mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        advanceClock(to: now)
        apply(event)
        settle()
    }

    /// Applies all timers that are due until `now`.
    public mutating func advance(to now: Instant, into effects: inout [Effect]) {
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        advanceClock(to: now)
    }

    /// Applies the first timer that is due until `now`, and no other.
    ///
    /// - Parameters:
    ///   - now: The time; an earlier time than the last one counts as the last one.
    ///   - effects: The effects are appended.
    /// - Returns: The session on whose behalf the timer ran; nil: the hub's own, or none was due.
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

    /// The time at which `advance` must be called next; nil: no timer runs.
    public var nextDeadline: Instant? { deadlines.next }

    /// Returns a session's audio route.
    public func audioRoute(of session: SessionID) -> AudioRoute {
        sessions[session]?.route ?? .closed
    }

    /// The sizes of the engine's tables: for metrics, and for tests that all is released when all sessions are over.
    public var objectCounts: ObjectCounts {
        ObjectCounts(
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
        case .sessionLost(let session): markDisconnected(session)
        case .sessionClosed(let session): close(session, end: nil)
        case .request(let session, let request, let token): handle(request, from: session, token: token)
        case .lookedUp(let token, let result): handle(result, of: token)
        case .screened(let report, let screeningData): screened(report, screeningData)
        case .groupNaming(let account, let isNamed): setGroupNaming(of: account, isNamed)
        case .holdAudio(let account, let audio): setHoldAudio(of: account, audio)
        case .endConversation(let conversation, let token): endConversation(conversation, token: token)
        case .drain(let until): drain(until: until)
        }
    }

    /// Continues and notifies what has become possible, or has changed, by an event.
    private mutating func settle() {
        resumeWaitingTransactions()
        if !callsToRecheck.isEmpty { notifyChangedParticipants() }
    }

    private mutating func advanceClock(to instant: Instant) {
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

/// The sizes of the engine's tables.
public struct ObjectCounts: Hashable, Sendable {
    /// Signed-in devices, lost ones within their grace period included.
    public var sessions: Int
    /// Live calls, each party's leg counted.
    public var calls: Int
    /// Conversations, which join the legs.
    public var conversations: Int
    /// Accounts with a signed-in device, or with a call that waits for one.
    public var accounts: Int
    /// Running timers.
    public var deadlines: Int

    /// True if the engine is empty.
    public var isEmpty: Bool {
        self == ObjectCounts(sessions: 0, calls: 0, conversations: 0, accounts: 0, deadlines: 0)
    }
}
