import BenchmarkClient
import BenchmarkSupport
import Glibc

/// A listener that reads as slowly as it is told to, and knows how old everything is that it reads.
final class SlowListener {
    /// How it reads.
    enum Pace {
        /// As much as there is.
        case freely
        /// Nothing.
        case nothing
        /// So many bytes a second.
        case bytesPerSecond(Int)
    }

    /// Time between two readings at a pace.
    private static let step: UInt64 = 20_000_000

    /// Bytes read at a time: less than a packet.
    private static let piece = 64

    private let connection: Connection
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    private var nextReading: UInt64 = 0
    private var debt = 0.0
    /// When how many bytes had been read in all.
    private var readings: [(time: UInt64, bytes: Int)] = [(0, 0)]
    /// What came, when it was sent, when it came, and how many bytes had been read by then.
    private var packets: [(sentAt: UInt64, heardAt: UInt64, bytes: Int)] = []

    /// How it reads now.
    var pace = Pace.freely

    /// Its port.
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

    /// Reads what is due; what it hears goes to `hear`.
    func read(
        at now: UInt64,
        hear: (UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
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
        // Piece by piece, so that it is known of each packet at which byte it ended.
        while rest > 0 {
            let count = min(rest, Self.piece)
            rest -= count
            readings.append((now, (readings.last?.bytes ?? 0) + count))
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try connection.receive(into: room) { opcode, payload throws(BenchmarkError) in
                if opcode == .binary { try hear(payload) }
            }
        }
    }

    /// Takes note of a packet.
    func note(sentAt: UInt64) {
        packets.append((sentAt, monotonicNanoseconds(), readings.last?.bytes ?? 0))
    }

    /// What it heard since the last taking.
    struct Heard: Codable {
        var packets = 0
        /// The oldest, when it came.
        var oldestMilliseconds = 0.0
        /// The longest that a packet must have waited outside of the sockets.
        var longestInHubMilliseconds = 0.0
    }

    /// Bytes of a write that the socket has taken a part of: the rest is finished whatever its age, or the stream would
    /// break.
    ///
    /// It is what waited when the socket took something: 120 ms of audio and a report at most.
    private static let halfWritten = 600

    /// Takes what was heard.
    ///
    /// The sockets, and a write that is half in them, hold `held` bytes at most; so a packet that ended at the byte C of all that was read came into the sockets
    /// after the byte C - held had been read. What it had waited by then, it had waited in the hub.
    func take(held: Int) -> Heard {
        defer { packets = [] }
        var heard = Heard(packets: packets.count)
        for packet in packets {
            let age = Double(packet.heardAt - packet.sentAt) / 1e6
            heard.oldestMilliseconds = max(heard.oldestMilliseconds, age)
            let entered = time(ofByte: packet.bytes - held - Self.halfWritten)
            if entered > packet.sentAt {
                let waited = Double(entered - packet.sentAt) / 1e6
                heard.longestInHubMilliseconds = max(heard.longestInHubMilliseconds, waited)
            }
        }
        return heard
    }

    /// When so many bytes had been read.
    private func time(ofByte byte: Int) -> UInt64 {
        var (low, high) = (0, readings.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if readings[middle].bytes < byte { low = middle + 1 } else { high = middle }
        }
        return readings[low].time
    }
}
