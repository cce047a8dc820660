import BenchmarkClient
import BenchmarkSupport
import Glibc

/// A listener that reads at a set pace, and records the age of each packet that it reads.
final class SlowListener {
    /// The ways of reading.
    enum Pace {
        /// As much as there is.
        case freely
        /// Nothing.
        case nothing
        /// At most that many bytes a second.
        case bytesPerSecond(Int)
    }

    /// The time between two readings at a pace, in nanoseconds.
    private static let step: UInt64 = 20_000_000

    /// The bytes read at a time: fewer than a packet has.
    private static let piece = 64

    private let connection: Connection
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    private var nextReading: UInt64 = 0
    private var debt = 0.0
    /// The total of bytes read after each reading, and its time.
    private var readings: [(time: UInt64, bytes: Int)] = [(0, 0)]
    /// The packets received: the time of sending, of receiving, and the total of bytes read by then.
    private var packets: [(sentAt: UInt64, receivedAt: UInt64, bytes: Int)] = []

    /// The present way of reading.
    var pace = Pace.freely

    /// Its local TCP port.
    let port: UInt16

    init(_ connection: Connection) throws(BenchmarkError) {
        self.connection = connection
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(connection.descriptor, $0, &length) }
        }
        guard result == 0 else { throw .system("getsockname") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { buffer.deallocate() }

    /// Reads the bytes that are due, and passes the packets to `countPacket`.
    func read(
        at now: UInt64,
        countPacket: (UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        guard now >= nextReading else { return }
        let elapsed = nextReading == 0 ? Self.step : now - nextReading + Self.step
        nextReading = now + Self.step
        var allowed = Int.max
        switch pace {
        case .nothing: return
        case .freely: debt = 0
        case .bytesPerSecond(let rate):
            debt = min(debt + Double(elapsed) / 1e9 * Double(rate), Double(rate))
            allowed = Int(debt)
        }
        var available: CInt = 0
        _ = ioctl(connection.descriptor, UInt(FIONREAD), &available)
        var rest = min(allowed, Int(available))
        debt -= Double(rest)
        // Piece by piece, so that the position of each packet's end is known.
        while rest > 0 {
            let count = min(rest, Self.piece)
            rest -= count
            readings.append((now, (readings.last?.bytes ?? 0) + count))
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try connection.receive(into: room) { opcode, payload throws(BenchmarkError) in
                if opcode == .binary { try countPacket(payload) }
            }
        }
    }

    /// Records a packet.
    func note(sentAt: UInt64) {
        packets.append((sentAt, monotonicNanoseconds(), readings.last?.bytes ?? 0))
    }

    /// The figures of the packets since the last `take`.
    struct ReceivedStatistics: Codable {
        var packets = 0
        /// The age of the oldest packet when it was received.
        var oldestMilliseconds = 0.0
        /// The longest time that a packet must have waited outside the sockets.
        var longestInHubMilliseconds = 0.0
    }

    /// The size in bytes of a write that the socket has taken in part, and whose rest must be sent whatever its age.
    ///
    /// It is the data that waited when the socket took some: 120 ms of audio and a report at most.
    private static let halfWritten = 600

    /// Returns the figures since the last call.
    ///
    /// The sockets, and a write that is half in them, hold `held` bytes at most. So a packet that ended at the byte C
    /// of all that was read entered the sockets after the byte C - held had been read; the time until then it waited in
    /// the hub.
    func take(held: Int) -> ReceivedStatistics {
        defer { packets = [] }
        var heard = ReceivedStatistics(packets: packets.count)
        for packet in packets {
            let age = Double(packet.receivedAt - packet.sentAt) / 1e6
            heard.oldestMilliseconds = max(heard.oldestMilliseconds, age)
            let entered = time(ofByte: packet.bytes - held - Self.halfWritten)
            if entered > packet.sentAt {
                let waited = Double(entered - packet.sentAt) / 1e6
                heard.longestInHubMilliseconds = max(heard.longestInHubMilliseconds, waited)
            }
        }
        return heard
    }

    /// Returns the time at which a total of bytes had been read.
    private func time(ofByte byte: Int) -> UInt64 {
        var (low, high) = (0, readings.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if readings[middle].bytes < byte { low = middle + 1 } else { high = middle }
        }
        return readings[low].time
    }
}
