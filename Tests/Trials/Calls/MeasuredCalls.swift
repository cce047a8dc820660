import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Calls whose every packet is checked: its time, its sequence number, its payload.
///
/// The packets are spread evenly over the interval between two packets of one client, and none waits for another one to
/// arrive. Unlike `AudioRun`, this generator sleeps while nothing is due, since the programs that attack the hub beside
/// it need the core, too.
final class MeasuredCalls {
    /// The lateness, in nanoseconds, above which a packet is not sent at all.
    private static let maximumLatenessNanoseconds: UInt64 = 100_000_000
    /// Packets sent before receiving again.
    private static let sendsAtOnce = 128

    /// The sleep between two readings of the sockets, in nanoseconds.
    ///
    /// Longer: it takes less of the machine; shorter: times are more exact, since half of it is in all of them.
    private static let napNanoseconds = 100_000

    /// The last packet that one listener received.
    private struct Listener {
        var lastNumber: UInt16?
        var lastArrival: UInt64 = 0
    }

    let population: Population
    private var listeners: [Listener]
    private let spacing: UInt64
    private let start = monotonicNanoseconds()
    private var nextNumber: UInt64 = 0
    private var lastReading: UInt64 = 0

    /// The figures since the last `take`.
    private(set) var statistics = CallStatistics()
    /// Called with the index of a connection in `others` and the packet that it received.
    var onOther: ((Int, ReceivedPacket) -> Void)?
    /// The indices of the connections that are left out of the figures.
    var others: Set<Int> = []

    /// The calls of a population whose calls are set up.
    ///
    /// - Parameters:
    ///   - population: The clients, at least one.
    ///   - packetsPerSecond: The packets that each client sends in a second, 1 to 50.
    init(_ population: Population, packetsPerSecond: Int = 50) {
        self.population = population
        listeners = Array(repeating: Listener(), count: population.connections.count)
        for connection in population.connections { connection.audio?.packetsPerSecond = UInt32(packetsPerSecond) }
        spacing = 1_000_000_000 / UInt64(packetsPerSecond * population.connections.count)
    }

    /// Sets up calls on a hub.
    ///
    /// - Parameters:
    ///   - calls: The number of calls, of two clients each.
    ///   - packetsPerSecond: The packets that each client sends in a second, 1 to 50.
    ///   - address: The hub's address.
    ///   - tls: The client's side of TLS; nil: the calls are in clear.
    ///   - receiveBuffer: Returns a connection's SO_RCVBUF in bytes, by its index; nil: the system's.
    ///   - credentials: Returns an account's password or token.
    /// - Returns: The calls, connected.
    /// - Throws: `BenchmarkError` if a connection or a sign-in is refused, or not all calls are connected in time.
    static func connect(
        _ calls: Int,
        packetsPerSecond: Int = 50,
        to address: ListeningAddress,
        tls: TLSClient? = nil,
        receiveBuffer: (Int) -> Int? = { _ in nil },
        credentials: (String) -> Request.Credentials = { _ in .none }
    ) throws(BenchmarkError) -> MeasuredCalls {
        let population = try Population(
            calls: calls,
            to: address,
            subprotocol: "callhub.v1",
            receiveBuffer: receiveBuffer,
            tls: tls
        ) { _ in "/v1" }
        var setup = CallSetup(population)
        try setup.signIn(credentials)
        try setup.connect()
        return MeasuredCalls(population, packetsPerSecond: packetsPerSecond)
    }

    /// Returns the figures and resets them.
    func take() -> CallStatistics {
        defer {
            statistics = CallStatistics()
            lastReading = 0
            for index in listeners.indices { listeners[index].lastArrival = 0 }
        }
        return statistics
    }

    /// Sends and receives for that long.
    ///
    /// - Parameters:
    ///   - nanoseconds: The time in nanoseconds.
    ///   - look: Called in every round with the time, in nanoseconds of the monotonic clock.
    /// - Throws: `BenchmarkError` if a connection is lost; any error of `look`.
    func run(
        nanoseconds: UInt64,
        look: (UInt64) throws(BenchmarkError) -> Void = { (_) throws(BenchmarkError) in }
    ) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while true {
            let now = try sendDue(until: end)
            guard now < end else { return }
            try look(now)
            try receive(nanoseconds: 0)
            if start + nextNumber * spacing <= monotonicNanoseconds() { continue }
            // Not until the next packet arrives: with many calls that would be a wakeup for each.
            var nap = timespec(tv_sec: 0, tv_nsec: Self.napNanoseconds)
            nanosleep(&nap, nil)
        }
    }

    /// Receives packets that are still on their way, for that many nanoseconds, and sends none.
    func drain(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while case let now = monotonicNanoseconds(), now < end { try receive(nanoseconds: end - now) }
    }

    /// Sends the packets that are due, at most `sendsAtOnce`, and returns the time.
    private func sendDue(until end: UInt64) throws(BenchmarkError) -> UInt64 {
        var now = monotonicNanoseconds()
        if lastReading > 0 {
            statistics.longestPauseNanoseconds = max(statistics.longestPauseNanoseconds, now - lastReading)
        }
        lastReading = now
        var sends = 0
        while sends < Self.sendsAtOnce, now < end, case let due = start + nextNumber * spacing, due <= now {
            let connection = population.connections[Int(nextNumber % UInt64(population.connections.count))]
            nextNumber += 1
            sends += 1
            guard now - due <= Self.maximumLatenessNanoseconds else {
                connection.audio?.skip()
                statistics.skipped += 1
                continue
            }
            statistics.lateness.add(nanoseconds: now - due)
            switch try connection.sendAudio(now: now) {
            case .sent: statistics.sent += 1
            case .full: statistics.refused += 1
            }
            now = monotonicNanoseconds()
        }
        return now
    }

    private func receive(nanoseconds: UInt64) throws(BenchmarkError) {
        try population.receive(nanoseconds: nanoseconds) { number, opcode, payload throws(BenchmarkError) in
            switch opcode {
            case .binary: countPacket(payload, at: number)
            case .text: read(ScannedMessage(payload))
            case .ping, .pong, .close, .continuation: break
            }
        }
    }

    /// Counts the end of a connected call; one that never connected is an attempt of others, not a measured call.
    private func read(_ message: ScannedMessage) {
        if message.kind == .ended, message.text.contains(#""hasConnected":true"#) { statistics.ended += 1 }
    }

    /// Counts a packet that a connection received.
    func countPacket(_ payload: UnsafeRawBufferPointer, at number: Int) {
        let packet = ReceivedPacket.read(payload)
        if others.contains(number) {
            onOther?(number, packet)
            return
        }
        guard case .audio(let ssrc, let sentAt) = packet,
            ssrc == population.connections[population.connections[number].peer].ssrc
        else {
            if packet != .report { statistics.misdirected += 1 }
            return
        }
        let now = monotonicNanoseconds()
        statistics.received += 1
        statistics.latency.add(nanoseconds: now > sentAt ? now - sentAt : 0)
        if !AudioFrame.isWhole(payload) { statistics.damaged += 1 }
        follow(UInt16(payload[2]) << 8 | UInt16(payload[3]), at: number, now)
    }

    private func follow(_ sequence: UInt16, at number: Int, _ now: UInt64) {
        if let last = listeners[number].lastNumber {
            let step = sequence &- last
            if step == 0 || step > 0x8000 {
                statistics.disordered += 1
                return
            }
            statistics.lost += Int(step) - 1
        }
        if listeners[number].lastArrival > 0 {
            statistics.longestGapNanoseconds = max(
                statistics.longestGapNanoseconds,
                now - listeners[number].lastArrival
            )
        }
        listeners[number] = Listener(lastNumber: sequence, lastArrival: now)
    }
}
