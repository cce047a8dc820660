import Dispatch
import HubEngine
import LoopMailbox
import Synchronization

/// The mailboxes, backlogs and packet rings through which the loops of one hub communicate, and its mixers.
///
/// Made before the loops, freed after them. Loop 0 is the hub's own: the engine runs on it. A mixer has a number behind
/// those of the loops, under which packets are sent to it as to a loop.
final class LoopGroupContext: Sendable {
    /// The mailboxes by loop number.
    let mailboxes: [Mailbox<ServerLoop>]

    /// The backlogs by loop number: what a loop has received and the hub has not processed yet.
    let backlogs: [Backlog]

    /// The mixers' ends that the loops share with them.
    let mixers: [MixerLink]

    private let rings: [PacketRing]
    private let loads: [Load]

    /// Creates a context without traffic.
    ///
    /// - Parameters:
    ///   - loops: The number of loops, at least 1.
    ///   - mixers: The number of mixers.
    ///   - ringBytes: The size in bytes of each ring; there is one each way between any two loops.
    init(loops: Int, mixers: Int = 0, ringBytes: Int = LoopGroupContext.ringBytes) {
        let count = max(loops, 1)
        mailboxes = (0..<count).map { _ in Mailbox<ServerLoop>() }
        backlogs = (0..<count).map { _ in Backlog() }
        loads = (0..<count).map { _ in Load() }
        self.mixers = (0..<mixers).map { _ in MixerLink() }
        let nodes = count + mixers
        rings =
            nodes == 1
            ? []
            : (0..<nodes * nodes).map { place in
                let (writer, reader) = place.quotientAndRemainder(dividingBy: nodes)
                return PacketRing(bytes: writer == reader || min(writer, reader) >= count ? 0 : ringBytes)
            }
    }

    /// The number of loops and mixers.
    var nodeCount: Int { mailboxes.count + mixers.count }

    /// Wakes a loop, or a mixer that rests.
    func wake(_ node: Int) {
        if node < count { mailboxes[node].wake() } else { mixers[node - count].wake() }
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

    /// Finds the ring between two loops, or a loop and a mixer.
    ///
    /// - Parameters:
    ///   - writer: The number of the sending loop or mixer.
    ///   - reader: The number of the receiving loop or mixer, another one.
    /// - Returns: The view of the ring, whose memory lives as long as this context.
    func ring(from writer: Int, to reader: Int) -> PacketRing.View { rings[writer * nodeCount + reader].view }

    /// The size of a ring in bytes: half a second of 20,000 packets a second.
    ///
    /// More: a loop may be blocked longer; memory. Packets older than the setting allows are dropped by the reader.
    private static let ringBytes = 1 << 20
}

/// The counters of a mixer; they never decrease, but for the effort.
package struct MixerStatistics: Sendable {
    /// The frames of 20 ms that were made.
    var frames = 0
    /// The frames that ended more than half a frame after they were due.
    var late = 0
    /// The packets that were encoded.
    var encoded = 0
    /// The steps by which the mixer does less than all of its work; 0: none.
    var reduction = 0
}

/// The end of a mixer that other threads see: its wake-up, its stop and its counters.
final class MixerLink: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let stopping = Atomic<Bool>(false)
    private let frames = Atomic<Int>(0)
    private let late = Atomic<Int>(0)
    private let encoded = Atomic<Int>(0)
    private let reduction = Atomic<Int>(0)

    /// The counters now.
    var statistics: MixerStatistics {
        MixerStatistics(
            frames: frames.load(ordering: .relaxed),
            late: late.load(ordering: .relaxed),
            encoded: encoded.load(ordering: .relaxed),
            reduction: reduction.load(ordering: .relaxed)
        )
    }

    /// True once the mixer is to end.
    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Wakes a mixer that rests; one that works finds the packets in its next frame.
    func wake() { semaphore.signal() }

    /// Rests until the next wake-up; those of the time in which it worked are over.
    func rest() {
        semaphore.wait()
        while semaphore.wait(timeout: .now()) == .success {}
    }

    /// Ends the mixer's thread.
    func stop() {
        stopping.store(true, ordering: .releasing)
        wake()
    }

    /// Publishes the counters; called on the mixer's thread.
    func publish(_ statistics: MixerStatistics) {
        frames.store(statistics.frames, ordering: .relaxed)
        late.store(statistics.late, ordering: .relaxed)
        encoded.store(statistics.encoded, ordering: .relaxed)
        reduction.store(statistics.reduction, ordering: .relaxed)
    }
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
