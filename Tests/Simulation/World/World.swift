public import HubEngine

/// A hub and everybody around it, simulated: accounts, devices, networks, a virtual clock.
///
/// After every event of the engine the rules are checked; the first that is broken stops the world.
public struct World {
    /// Who there is.
    public let shape: WorldShape
    /// The rule that was broken, if one was.
    public internal(set) var violation: Violation?
    /// How many events the engine has had.
    public internal(set) var events = 0
    /// A fingerprint of all effects, in order: equal runs have equal ones.
    public internal(set) var digest = Digest()
    /// What it has been through.
    public internal(set) var tally = Tally()
    /// Tells what happens, where somebody wants to know.
    public internal(set) var narrator: Narrator?

    var engine: Engine
    var now = Instant(nanoseconds: 1_000_000_000)
    var clients: [Client]
    var seats: [Seat?]
    var knowledge: Knowledge
    var conversations = Conversations()
    /// Whose session it is; looked up, never iterated.
    var owners: [SessionID: Int] = [:]
    /// What the engine asked, and when the answer comes.
    var questions: [(due: Instant, question: Question)] = []
    /// Lost connections that the hub has not noticed yet.
    var notices: [(due: Instant, device: Int, connection: Int)] = []
    /// Requests that have no reply yet; looked up, never iterated.
    var outstanding: [UInt64: Asking] = [:]
    var lastToken: UInt64 = 0
    var lastSeat = 0
    var lastUUID: UInt64 = 0
    /// How often the hub was started.
    var runs = 1
    /// Whether the hub is to stop.
    var isDraining = false
    /// The event at hand: its effects, and which devices they concern.
    var effects: [Effect] = []
    var touched: [Bool]
    var appeared: [(device: Int, uuid: CallUUID)] = []
    var recents = RecentsRule()
    var wakes = WakeRule()
    /// What is known of the caller whose look-up is being answered.
    var lookedUp: CallerKnowledge?
    /// Changes the effects before anybody sees them: a planted fault, to see that it is found.
    let tamper: Tamper?
    /// Whether every device is looked at after every event, and not only those that the event concerns.
    let checksAll: Bool

    /// Changes effects.
    public typealias Tamper = @Sendable (inout [Effect]) -> Void

    enum Question {
        case lookUp(LookUpToken, LookUp)
        case screen(ScreeningToken, account: String, caller: Handle)
    }

    struct Asking {
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
    public init(_ shape: WorldShape, checksAll: Bool = false, narrates: Bool = false, tamper: Tamper? = nil) {
        self.shape = shape
        self.tamper = tamper
        self.checksAll = checksAll
        engine = Engine(shape.configuration)
        clients = shape.devices.map { _ in Client() }
        seats = shape.devices.map { _ in nil }
        touched = shape.devices.map { _ in false }
        knowledge = Knowledge(accounts: shape.accounts)
        narrator = narrates ? Narrator(shape) : nil
    }

    /// Has one thing happen, and whatever comes of it at once.
    public mutating func run(_ operation: Operation) {
        guard violation == nil else { return }
        narrator?.begin(operation)
        let device = operation.device % shape.devices.count
        let isDone = perform(operation.deed, by: device)
        passTime(to: now)
        narrator?.end(isDone: isDone)
    }

    /// Everybody leaves and every timer runs out: then nothing may be left.
    public mutating func finish() {
        guard violation == nil else { return }
        narrator?.note("everybody leaves")
        for device in clients.indices {
            clients[device].cut()
            clients[device].standing = .away
            if let seat = seats[device] { apply(.sessionClosed(seat.session)) }
        }
        var turns = 0
        while violation == nil, turns < 1000, let next = nextDue {
            passTime(to: next)
            turns += 1
        }
        if !engine.census.isEmpty { fail("when everybody has left, nothing is left", "\(engine.census)") }
        if !wakes.isSettled { fail("who was woken hears that it is over", "\(wakes)") }
        if !outstanding.isEmpty { fail("every request has a reply", "\(outstanding.count) have none") }
    }

    mutating func fail(_ rule: String, _ detail: String) {
        guard violation == nil else { return }
        violation = Violation(rule: rule, detail: detail, event: events)
    }
}
