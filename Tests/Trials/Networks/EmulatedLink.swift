import BenchmarkSupport
import Foundation
import HubSimulation
import Synchronization

/// A link between two interfaces with a delay, a loss, a rate and outages, as by `tc netem`, on a thread.
///
/// It does not use `tc`, since many kernels (those of cloud machines, say) come without netem, and since outages have
/// to begin and end at exact times. IP packets are delayed and lost one by one; TCP handles that by its own means, as
/// in a real network.
final class EmulatedLink: Sendable {
    /// The counts of packets in both directions.
    struct Counts: Encodable, Sendable {
        var passed = 0
        var lost = 0
        /// Packets for which the queue in front of the rate had no room.
        var overflowed = 0
    }

    /// The longest queue in front of a limited rate, in nanoseconds of its sending time: as in a cheap router.
    private static let queueNanoseconds: UInt64 = 400_000_000

    private struct State {
        var condition = NetworkCondition()
        var isOut = false
        var isOver = false
        var counts = Counts()
    }

    private struct Lane {
        let source: CInt
        let sink: CInt
        var waiting: [(due: UInt64, packet: [UInt8])] = []
        /// The time at which the last packet has been sent whole, in nanoseconds of the monotonic clock.
        var free: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Links two TUN devices.
    init(_ one: CInt, _ other: CInt) {
        let thread = Thread { [self] in run([Lane(source: one, sink: other), Lane(source: other, sink: one)]) }
        thread.name = "link"
        thread.start()
    }

    /// Sets the condition, ends an outage, and resets the counts.
    func set(_ condition: NetworkCondition) {
        state.withLock { ($0.condition, $0.isOut, $0.counts) = (condition, false, Counts()) }
    }

    /// Begins or ends an outage, in which all packets are lost.
    func setOut(_ isOut: Bool) { state.withLock { $0.isOut = isOut } }

    /// The counts since the condition was set.
    var counts: Counts { state.withLock { $0.counts } }

    /// Ends the thread.
    func end() { state.withLock { $0.isOver = true } }

    private func run(_ ends: [Lane]) {
        var lanes = ends
        // The same losses in each run, as far as the packets are the same.
        var random = SeededRandom(seed: 6)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let (condition, isOut, isOver) = state.withLock { ($0.condition, $0.isOut, $0.isOver) }
            if isOver { break }
            wait(lanes)
            var counts = Counts()
            for index in lanes.indices {
                while case let count = read(lanes[index].source, &buffer, buffer.count), count > 0 {
                    if isOut || Int.random(in: 0..<100, using: &random) < condition.lossPercent {
                        counts.lost += 1
                    } else if !take(Array(buffer[..<count]), &lanes[index], condition) {
                        counts.overflowed += 1
                    }
                }
                counts.passed += deliver(&lanes[index], isOut)
            }
            let more = counts
            state.withLock {
                $0.counts.passed += more.passed
                $0.counts.lost += more.lost
                $0.counts.overflowed += more.overflowed
            }
        }
        for lane in lanes { close(lane.source) }
    }

    /// Sleeps until a packet arrives or is due, at most 10 ms, so that changes of the condition are noticed.
    private func wait(_ lanes: [Lane]) {
        let now = monotonicNanoseconds()
        let due = min(lanes.compactMap(\.waiting.first?.due).min() ?? .max, now + 10_000_000)
        var polls = lanes.map { pollfd(fd: $0.source, events: Int16(POLLIN), revents: 0) }
        _ = poll(&polls, nfds_t(polls.count), due > now ? CInt((due - now) / 1_000_000) : 0)
    }

    /// Queues a packet; returns false if the queue is full.
    private func take(_ packet: [UInt8], _ lane: inout Lane, _ condition: NetworkCondition) -> Bool {
        let now = monotonicNanoseconds()
        var leaves = now
        if let rate = condition.kilobitsPerSecond {
            guard lane.free < now + Self.queueNanoseconds else { return false }
            leaves = max(now, lane.free) + UInt64(packet.count * 8) * 1_000_000 / UInt64(rate)
            lane.free = leaves
        }
        lane.waiting.append((leaves + UInt64(condition.delayMilliseconds) * 1_000_000, packet))
        return true
    }

    /// Delivers the packets that are due, and returns their number; packets under way in an outage are lost.
    private func deliver(_ lane: inout Lane, _ isOut: Bool) -> Int {
        if isOut { lane.waiting = [] }
        let now = monotonicNanoseconds()
        let count = lane.waiting.firstIndex { $0.due > now } ?? lane.waiting.count
        for (_, packet) in lane.waiting[..<count] { _ = write(lane.sink, packet, packet.count) }
        lane.waiting.removeFirst(count)
        return count
    }
}
