import BenchmarkClient
import BenchmarkSupport

/// The voice packets of all pairs, sent at their times and received, as by `AudioRun` for the hub.
struct MumbleRun {
    private static let sendsAtOnce = 32

    private let pairs: MumblePairs
    private var timetable: Timetable
    /// All counts so far.
    private(set) var counts = AudioRun.Counts()
    /// One-way times of the packets received while `isMeasuring`.
    private(set) var latency = Samples()
    /// Delays behind the timetable of the packets sent while `isMeasuring`.
    private(set) var lateness = Samples()
    /// Indicates that times are recorded.
    var isMeasuring = false

    /// A run whose first packet is due now.
    init(_ pairs: MumblePairs) {
        self.pairs = pairs
        timetable = Timetable(clients: pairs.clients.count, packetsPerSecond: 50)
    }

    /// Sends and receives for that many nanoseconds.
    mutating func run(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while case let now = try sendDue(until: end), now < end { try receive(nanoseconds: 0) }
    }

    /// Receives packets that are still on their way, for that many nanoseconds, and sends none.
    mutating func drain(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while case let now = monotonicNanoseconds(), now < end { try receive(nanoseconds: end - now) }
    }

    private mutating func sendDue(until end: UInt64) throws(BenchmarkError) -> UInt64 {
        var now = monotonicNanoseconds()
        var sends = 0
        while sends < Self.sendsAtOnce, now < end, let turn = timetable.next(at: now) {
            guard !turn.isMissed else {
                pairs.clients[turn.client].skip()
                counts.skipped += 1
                continue
            }
            if isMeasuring { lateness.add(nanoseconds: turn.lateness) }
            if try pairs.clients[turn.client].say(at: now) { counts.sent += 1 } else { counts.refused += 1 }
            sends += 1
            now = monotonicNanoseconds()
        }
        return now
    }

    private mutating func receive(nanoseconds: UInt64) throws(BenchmarkError) {
        try pairs.receive(nanoseconds: nanoseconds) { number, body throws(BenchmarkError) in
            guard let packet = VoicePacket.read(body), packet.session == pairs.clients[number ^ 1].session else {
                counts.misdirected += 1
                return
            }
            counts.received += 1
            if isMeasuring {
                let now = monotonicNanoseconds()
                latency.add(nanoseconds: now > packet.sentAt ? now - packet.sentAt : 0)
            }
        }
    }
}
