import HubEngine
import Synchronization

/// What the loops of one hub know of each other: where to leave word, and the rings that packets cross by.
///
/// Made before the loops, freed after them. Loop 0 is the hub's own: the engine lives there.
final class LoopNetwork: Sendable {
    /// By loop.
    let mailboxes: [Mailbox]

    /// By loop: what it has received and the hub has not taken yet.
    let backlogs: [Backlog]

    private let rings: [PacketRing]
    private let loads: [Load]

    /// A network without traffic.
    ///
    /// - Parameters:
    ///   - loops: At least 1.
    ///   - ringBytes: Room between any two of them, each way.
    init(loops: Int, ringBytes: Int = LoopNetwork.ringBytes) {
        let count = max(loops, 1)
        mailboxes = (0..<count).map { _ in Mailbox() }
        backlogs = (0..<count).map { _ in Backlog() }
        loads = (0..<count).map { _ in Load() }
        rings = count == 1 ? [] : (0..<count * count).map { PacketRing(bytes: $0 % (count + 1) == 0 ? 0 : ringBytes) }
    }

    deinit {
        for ring in rings { ring.deallocate() }
    }

    /// How many loops there are.
    var count: Int { mailboxes.count }

    /// How busy the busiest loop has been for some seconds, 0 to 1.
    var busyShare: Double { loads.reduce(0) { max($0, Double($1.millionths.load(ordering: .relaxed)) / 1e6) } }

    /// A loop says how busy it has been.
    ///
    /// - Parameters:
    ///   - busyShare: 0 to 1.
    ///   - loop: Its number.
    func note(busyShare: Double, of loop: Int) {
        loads[loop].millionths.store(Int(busyShare * 1e6), ordering: .relaxed)
    }

    /// The ring between two loops.
    ///
    /// - Parameters:
    ///   - writer: A loop's number.
    ///   - reader: Another one's.
    /// - Returns: What `writer` writes and `reader` reads.
    func ring(from writer: Int, to reader: Int) -> PacketRing { rings[writer * count + reader] }

    /// Half a second of 20,000 packets a second.
    ///
    /// More: a loop may be held up longer; memory. What is older than the setting allows is dropped by its reader.
    private static let ringBytes = 1 << 20
}

/// How busy a loop says that it is.
private final class Load: Sendable {
    let millionths = Atomic<Int>(0)
}

/// A loop's place among those of its hub.
struct LoopPlace: Sendable {
    /// From 0.
    let number: Int

    /// All of them.
    let network: LoopNetwork

    /// Where to leave word for this one.
    var mailbox: Mailbox { network.mailboxes[number] }

    /// The only loop there is.
    static var alone: LoopPlace { LoopPlace(number: 0, network: LoopNetwork(loops: 1)) }
}
