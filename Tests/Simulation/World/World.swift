public import HubEngine

/// A hub with its accounts, devices and networks, simulated with a virtual clock.
///
/// The rules are checked after every event of the engine; the first one broken stops the world.
///
/// Accounts have several devices. Connections delay and break, clients are slow, silent or faulty, the hub drains and
/// restarts. A client has only the messages it received, and the rules are checked against those.
public struct World {
    /// The devices and settings.
    public let shape: WorldShape
    /// The rule that was broken, if one was.
    public internal(set) var violation: Violation?
    /// The number of the engine's events.
    public internal(set) var events = 0
    /// A fingerprint of all effects, in order: equal runs have equal ones.
    public internal(set) var digest = Digest()
    /// The events that it has gone through.
    public internal(set) var coverage = EventCoverage()
    /// Describes the events as sentences; nil unless requested.
    public internal(set) var transcript: RunTranscript?

    var engine: Engine
    var now = Instant(nanoseconds: 1_000_000_000)
    var clients: [Client]
    var hubSessions: [HubSession?]
    var screeningData: SimulatedAccountData
    var conversations = Conversations()
    /// The device of each session; looked up, never iterated.
    var devicesBySession: [SessionID: Int] = [:]
    /// The engine's look-ups and screenings, and the times at which they are answered.
    var pendingQueries: [(due: Instant, query: PendingQuery)] = []
    /// Lost connections that the hub has not noticed yet.
    var notices: [(due: Instant, device: Int, connection: Int)] = []
    /// Requests that have no reply yet; looked up, never iterated.
    var outstanding: [UInt64: PendingReply] = [:]
    var lastToken: UInt64 = 0
    var lastSessionNumber = 0
    var lastUUID: UInt64 = 0
    /// The number of times that the hub was started.
    var runs = 1
    /// Indicates that the hub is draining.
    var isDraining = false
    /// The effects of the event at hand, and the devices that they concern.
    var effects: [Effect] = []
    var touched: [Bool]
    var appeared: [(device: Int, uuid: CallUUID)] = []
    var recents = RecentsRule()
    var pushRule = PushRule()
    var presenceRule = PresenceRule()
    /// The callee's data about the caller whose look-up is being answered.
    var lookedUp: CallerScreeningData?
    /// Changes the effects before they are carried out: a planted fault, to test that it is found.
    let faultInjection: FaultInjection?
    /// True to check every device after every event, and not only those that the event concerns.
    let checksAll: Bool

    /// A function that changes effects.
    public typealias FaultInjection = @Sendable (inout [Effect]) -> Void

    enum PendingQuery {
        case lookUp(LookUpToken, LookUp)
        case screen(ScreeningToken, account: String, caller: Handle)
    }

    struct PendingReply {
        enum Kind {
            case open(isAfterReset: Bool)
            case resume(after: Int)
            case request(UInt64, Request)
            case endConversation
        }
        var device: Int
        var connection: Int
        var kind: Kind
    }

    /// A world in which nothing has happened yet.
    public init(
        _ shape: WorldShape,
        checksAll: Bool = false,
        recordsTranscript: Bool = false,
        faultInjection: FaultInjection? = nil
    ) {
        self.shape = shape
        self.faultInjection = faultInjection
        self.checksAll = checksAll
        engine = Engine(shape.configuration)
        clients = shape.devices.map { _ in Client() }
        hubSessions = shape.devices.map { _ in nil }
        touched = shape.devices.map { _ in false }
        screeningData = SimulatedAccountData(accounts: shape.accounts)
        transcript = recordsTranscript ? RunTranscript(shape) : nil
    }

    /// Performs one operation, and everything that follows from it at once.
    public mutating func run(_ operation: Operation) {
        guard violation == nil else { return }
        transcript?.begin(operation)
        let device = operation.device % shape.devices.count
        let isDone = perform(operation.step, by: device)
        advanceClock(to: now)
        transcript?.end(isDone: isDone)
    }

    /// Signs all devices out and lets all timers expire; no object may remain in the engine.
    public mutating func finish() {
        guard violation == nil else { return }
        checkPresence()
        transcript?.note("everybody leaves")
        for device in clients.indices {
            clients[device].breakConnection()
            clients[device].state = .signedOut
            if let hubSession = hubSessions[device] { apply(.sessionClosed(hubSession.session)) }
        }
        var turns = 0
        while violation == nil, turns < 1000, let next = nextDue {
            advanceClock(to: next)
            turns += 1
        }
        if !engine.objectCounts.isEmpty { fail("after all sign-outs no object is left", "\(engine.objectCounts)") }
        if !pushRule.isEmpty { fail("every push is cancelled at the end", "\(pushRule)") }
        if !outstanding.isEmpty { fail("every request has a reply", "\(outstanding.count) have none") }
    }

    mutating func fail(_ rule: String, _ detail: String) {
        guard violation == nil else { return }
        violation = Violation(rule: rule, detail: detail, event: events)
    }
}
