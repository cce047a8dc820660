import BenchmarkSupport
import HubEngine
import HubServer
import HubWire

/// A hub whose accounts watch one another, and of whom some go away and come back.
struct PresenceWorkload {
    private let clock = VirtualClock(start: Instant(nanoseconds: 1_767_225_600_000_000_000))
    private let transport = CountingTransport()
    private let hub: Hub
    private let options: Options
    private let connections: [ConnectionID]
    /// The number of changes so far.
    private var changes = 0
    private var isAway: [Bool]

    /// Signs all accounts in and lets each watch the next ones.
    init(_ options: Options) throws(BenchmarkError) {
        self.options = options
        var settings = HubSettings()
        settings.log.level = .error
        hub = Hub(settings, clock: HubClock(clock), random: RandomSource(seed: 1))
        guard let address = IPAddress("127.0.0.1") else { throw BenchmarkError("there is no address") }
        connections = (0..<options.accounts).map { ConnectionID(slot: UInt32($0), generation: 1) }
        isAway = Array(repeating: false, count: options.accounts)
        hub.begin(on: transport)
        for (number, connection) in connections.enumerated() {
            hub.opened(connection, info: ConnectionInfo(address: address))
            send(.open(SessionOpenRequest(account: Self.name(number))), from: connection)
        }
        for (number, connection) in connections.enumerated() {
            let others = (1...options.watched).map { Handle.generic(Self.name((number + $0) % options.accounts)) }
            send(.people(.subscribe(others)), from: connection)
        }
        guard transport.closed == 0 else { throw BenchmarkError("the hub has closed \(transport.closed) connections") }
    }

    private static func name(_ number: Int) -> String { "person\(number)" }

    private func send(_ request: ClientRequest, from connection: ConnectionID) {
        var bytes: [UInt8] = []
        request.encode(id: RequestID(1), into: &bytes)
        bytes.withUnsafeBytes { hub.received(text: $0, from: connection) }
    }

    /// Lets changes happen for some simulated seconds, and measures them.
    mutating func slice() throws(BenchmarkError) -> PresenceSlice {
        let (texts, bytes, start) = (transport.texts, transport.textBytes, threadNanoseconds())
        let pause = Duration.nanoseconds(1_000_000_000 / Int64(options.changes))
        let count = options.changes * options.seconds
        for _ in 0..<count {
            advance(to: clock.now + pause)
            // Far apart, so that no change is next to the one before.
            let number = Int(UInt64(changes) &* 7_919 % UInt64(options.accounts))
            changes += 1
            isAway[number].toggle()
            send(.people(.setAway(isAway[number])), from: connections[number])
        }
        let spent = threadNanoseconds() - start
        // Each change has one answer, the other texts are notifications.
        let slice = PresenceSlice(
            changes: count,
            notifications: transport.texts - texts - count,
            bytes: transport.textBytes - bytes,
            cpuShare: Double(spent) / (Double(options.seconds) * 1e9)
        )
        guard slice.notifications > 0 else { throw BenchmarkError("nobody was notified") }
        return slice
    }

    private func advance(to instant: Instant) {
        while let due = transport.deadline, due <= instant {
            clock.advance(to: due)
            hub.deadlineReached()
        }
        clock.advance(to: instant)
    }
}

/// The figures of one slice.
struct PresenceSlice: Codable {
    /// The number of changes of presence.
    var changes: Int
    /// The number of notifications to watchers.
    var notifications: Int
    /// The bytes of all texts.
    var bytes: Int
    /// The CPU time as a share of one core.
    var cpuShare: Double
}
