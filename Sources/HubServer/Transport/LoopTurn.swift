import CUV
import Glibc

/// One turn of a loop: when it began, and how long the next one waits so that more packets share it.
///
/// Under load most of what a packet costs beside its own `recv` and `send` is waking up for it. So where enough
/// packets come, the loop sleeps until `batch` after the beginning of its last turn; what has come meanwhile is found
/// by one `epoll_wait`. With fewer, each is passed on as it comes, and nothing is delayed.
///
/// A trivial view like ``Connections``; loop's thread only.
struct LoopTurn {
    private struct State {
        var packets: UInt64 = 0
        var windowBegan: UInt64 = 0
        var packetsAtWindow: UInt64 = 0
        var isBatching = false
    }

    private let state: UnsafeMutablePointer<State>
    private let meter: UnsafeMutablePointer<LoadMeter>
    private let batch: UInt64

    /// A turn that has not begun.
    ///
    /// - Parameters:
    ///   - batch: Nanoseconds from turn to turn under load; 0: never wait.
    ///   - meter: Says when the turn began; outlives it.
    init(batch: UInt64, meter: UnsafeMutablePointer<LoadMeter>) {
        self.batch = batch
        self.meter = meter
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    /// Frees its memory.
    func deallocate() {
        state.deallocate()
    }

    /// Whether the loop has packets wait for company at all.
    var batches: Bool { batch > 0 }

    /// When this turn began, in nanoseconds of `uv_hrtime`: read once a turn.
    @inline(__always)
    var now: UInt64 { meter.pointee.turnBegan }

    /// Counts a packet of this turn.
    @inline(__always)
    func notePacket() {
        state.pointee.packets &+= 1
    }

    /// Ends the turn, and sleeps where the next one is to be shared.
    ///
    /// - Parameter counters: The loop's.
    func end(_ counters: UnsafeMutablePointer<TransportCounters>) {
        let now = uv_hrtime()
        counters.pointee.turnEnded(after: now &- meter.pointee.turnBegan)
        meter.pointee.sleeps(at: now)
        guard batch > 0 else { return }
        judge(at: now)
        guard state.pointee.isBatching, case let due = meter.pointee.turnBegan &+ batch, due > now else { return }
        usleep(UInt32(min(due - now, batch) / 1000))
    }

    /// Looks at each window of time: whether enough packets came to have them wait for one another.
    private func judge(at now: UInt64) {
        let elapsed = now &- state.pointee.windowBegan
        guard elapsed >= Self.window else { return }
        let packets = state.pointee.packets &- state.pointee.packetsAtWindow
        let (share, overflow) = packets.multipliedReportingOverflow(by: batch)
        state.pointee.isBatching = !overflow && share >= Self.worthwhile &* elapsed
        state.pointee.windowBegan = now
        state.pointee.packetsAtWindow = state.pointee.packets
    }

    /// How long the load is watched before it is believed.
    ///
    /// Longer: calmer; shorter: the first packets of a sudden load cost less.
    private static let window: UInt64 = 10_000_000
    /// Packets that must share a turn to be worth the wait.
    ///
    /// More: fewer calls are delayed; fewer wake-ups are saved.
    private static let worthwhile: UInt64 = 2
}
