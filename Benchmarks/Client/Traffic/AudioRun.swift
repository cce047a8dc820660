package import BenchmarkSupport

/// Sends every client's packets at their times, reads the packets that the others receive, and counts both.
///
/// The packets are spread evenly over the interval between two packets of one client. The generator does not wait for
/// an answer before it sends the next packet, so a slow program is not spared.
///
/// Unless `sleeps` is set it never sleeps while it sends. If it did, the program under test would be charged for waking
/// it with every packet, which no program with distant clients is; and the two would share a core in some slices and
/// not in others, so that one program's CPU time a packet differed by half from slice to slice.
package struct AudioRun {
    /// The numbers of packets and messages of a run.
    package struct Counts {
        package var sent = 0
        package var received = 0
        /// Packets that were not sent because the generator itself was far behind.
        package var skipped = 0
        /// Packets that were not sent because the socket was full: the program under test did not read fast enough.
        package var refused = 0
        /// RTCP packets of the program under test.
        package var reports = 0
        /// Text messages of the program under test.
        package var texts = 0
        /// Binary messages that should not have come: packets of another call, or anything but a packet.
        package var misdirected = 0

        /// All counts are 0.
        package init() {}
    }

    /// Packets sent before reading again.
    ///
    /// Higher: fewer system calls; lower: the generator reads sooner.
    private static let sendsAtOnce = 32

    private let population: Population
    private var timetable: Timetable

    /// All counts so far.
    package private(set) var counts = Counts()
    /// One-way times of the packets received while `isMeasuring`.
    package private(set) var latency: Samples
    /// Delays behind the timetable of the packets sent while `isMeasuring`.
    package private(set) var lateness: Samples
    /// Indicates that times are recorded; false while the traffic begins and ends.
    package var isMeasuring = false
    /// True if the generator sleeps until a packet is due or arrives, which leaves its core to other threads.
    package var sleeps = false

    /// A run over `population`, whose clients have their SSRCs, with room for the times of `seconds`.
    package init(_ population: Population, packetsPerSecond: Int = 50, seconds: Int) {
        self.population = population
        let count = population.connections.count
        latency = Samples(capacity: count * (packetsPerSecond + 1) * seconds)
        lateness = Samples(capacity: count * (packetsPerSecond + 1) * seconds)
        for connection in population.connections { connection.audio?.packetsPerSecond = UInt32(packetsPerSecond) }
        timetable = Timetable(clients: count, packetsPerSecond: packetsPerSecond)
    }

    /// Sends and receives for that many nanoseconds.
    package mutating func run(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while true {
            let now = try sendDue(until: end)
            guard now < end else {
                return
            }
            let due = timetable.due
            try receive(nanoseconds: sleeps && due > now ? min(due, end) - now : 0)
        }
    }

    /// Receives packets that are still on their way, for that many nanoseconds, and sends none.
    package mutating func drain(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while case let now = monotonicNanoseconds(), now < end {
            try receive(nanoseconds: end - now)
        }
    }

    /// Sends the packets that are due, at most `sendsAtOnce`, and returns the time.
    private mutating func sendDue(until end: UInt64) throws(BenchmarkError) -> UInt64 {
        var now = monotonicNanoseconds()
        var sends = 0
        while sends < Self.sendsAtOnce, now < end, let turn = timetable.next(at: now) {
            let connection = population.connections[turn.client]
            if turn.isMissed {
                connection.audio?.skip()
                counts.skipped += 1
                continue
            }
            if isMeasuring {
                lateness.add(nanoseconds: turn.lateness)
            }
            switch try connection.sendAudio(now: now) {
            case .sent: counts.sent += 1
            case .full: counts.refused += 1
            }
            sends += 1
            now = monotonicNanoseconds()
        }
        return now
    }

    private mutating func receive(nanoseconds: UInt64) throws(BenchmarkError) {
        try population.receive(nanoseconds: nanoseconds) { number, opcode, payload throws(BenchmarkError) in
            switch opcode {
            case .binary:
                note(payload, at: number)
            case .text:
                counts.texts += 1
                try checkText(payload)
            case .ping, .pong, .close, .continuation:
                break
            }
        }
    }

    private mutating func note(_ payload: UnsafeRawBufferPointer, at number: Int) {
        switch ReceivedPacket.read(payload) {
        case .audio(let ssrc, let sentAt):
            guard ssrc == population.connections[population.connections[number].peer].ssrc else {
                counts.misdirected += 1
                return
            }
            counts.received += 1
            if isMeasuring {
                let now = monotonicNanoseconds()
                latency.add(nanoseconds: now > sentAt ? now - sentAt : 0)
            }
        case .report:
            counts.reports += 1
        case .unknown:
            counts.misdirected += 1
        }
    }

    /// A call that ends, or a session that is closed, makes the figures worthless.
    private func checkText(_ payload: UnsafeRawBufferPointer) throws(BenchmarkError) {
        let message = try HubMessage.read(payload)
        if let call = message.params?.call, call.hasEnded {
            throw BenchmarkError("a call ended during the measurement: \(call.cause ?? "without a cause")")
        }
        if message.method == "session.closing" {
            throw BenchmarkError("the hub closed a session: \(message.params?.reason ?? "without a reason")")
        }
    }
}
