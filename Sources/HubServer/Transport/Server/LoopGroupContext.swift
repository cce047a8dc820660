import HubEngine
import LoopMailbox
import Synchronization

/// The mailboxes, backlogs and packet rings through which the loops of one hub communicate.
///
/// Made before the loops, freed after them. Loop 0 is the hub's own: the engine runs on it.
final class LoopGroupContext: Sendable {
    /// The mailboxes by loop number.
    let mailboxes: [Mailbox<ServerLoop>]

    /// The backlogs by loop number: what a loop has received and the hub has not processed yet.
    let backlogs: [Backlog]

    private let rings: [PacketRing]
    private let loads: [Load]

    /// Creates a context without traffic.
    ///
    /// - Parameters:
    ///   - loops: The number of loops, at least 1.
    ///   - ringBytes: The size in bytes of each ring; there is one each way between any two loops.
    init(loops: Int, ringBytes: Int = LoopGroupContext.ringBytes) {
        let count = max(loops, 1)
        mailboxes = (0..<count).map { _ in Mailbox<ServerLoop>() }
        backlogs = (0..<count).map { _ in Backlog() }
        loads = (0..<count).map { _ in Load() }
        rings = count == 1 ? [] : (0..<count * count).map { PacketRing(bytes: $0 % (count + 1) == 0 ? 0 : ringBytes) }
    }

    /// The number of loops.
    var count: Int { mailboxes.count }

    /// The sustained utilisation of the busiest loop, 0 to 1.
    var busyShare: Double { loads.reduce(0) { max($0, Double($1.millionths.load(ordering: .relaxed)) / 1e6) } }

    /// Publishes a loop's sustained utilisation.
    ///
    /// - Parameters:
    ///   - busyShare: The utilisation, 0 to 1.
    ///   - loop: The loop's number.
    func publish(busyShare: Double, of loop: Int) {
        loads[loop].millionths.store(Int(busyShare * 1e6), ordering: .relaxed)
    }

    /// Finds the ring between two loops.
    ///
    /// - Parameters:
    ///   - writer: The number of the sending loop.
    ///   - reader: The number of the receiving loop, another one.
    /// - Returns: The view of the ring, whose memory lives as long as this context.
    func ring(from writer: Int, to reader: Int) -> PacketRing.View { rings[writer * count + reader].view }

    /// The size of a ring in bytes: half a second of 20,000 packets a second.
    ///
    /// More: a loop may be blocked longer; memory. Packets older than the setting allows are dropped by the reader.
    private static let ringBytes = 1 << 20
}

/// The sustained utilisation that a loop publishes, in millionths.
private final class Load: Sendable {
    let millionths = Atomic<Int>(0)
}

/// The number of a loop, with the context that it shares with its hub's other loops.
struct LoopIndex: Sendable {
    /// The loop's number, from 0.
    let number: Int

    /// The context that all loops share.
    let context: LoopGroupContext

    /// The loop's mailbox.
    var mailbox: Mailbox<ServerLoop> { context.mailboxes[number] }

    /// The index of a hub's only loop.
    static var onlyLoop: LoopIndex { LoopIndex(number: 0, context: LoopGroupContext(loops: 1)) }
}
