import CUV
import Glibc

/// One iteration of a loop: its start, and the wait before the next one, in which packets are batched.
///
/// Under load most of the cost of a packet beside its own two system calls is the wake-up for it. So where enough
/// packets arrive, the loop sleeps until `batch` after the start of its last iteration; the packets that have arrived
/// by then are found by one wait. With fewer, each is relayed as it arrives, and nothing is delayed.
///
/// A trivial view like ``Connections``; loop's thread only.
struct LoopIteration {
    /// The progress of batching, in memory that must outlive the view.
    struct State {
        fileprivate var packets: UInt64 = 0
        fileprivate var windowBegan: UInt64 = 0
        fileprivate var packetsAtWindow: UInt64 = 0
        fileprivate var isBatching = false
    }

    private let state: UnsafeMutablePointer<State>
    private let meter: UnsafeMutablePointer<LoadMeter>
    private let batch: UInt64

    /// Creates the state before the first iteration.
    ///
    /// - Parameters:
    ///   - batch: The nanoseconds from one iteration to the next under load; 0: no wait.
    ///   - state: The progress of batching; must outlive this.
    ///   - meter: The meter that records the start of iterations; must outlive this.
    init(batch: UInt64, state: UnsafeMutablePointer<State>, meter: UnsafeMutablePointer<LoadMeter>) {
        self.batch = batch
        self.state = state
        self.meter = meter
    }

    /// True if the loop batches packets under load.
    var batches: Bool { batch > 0 }

    /// The start of this iteration in nanoseconds of `uv_hrtime`: read once an iteration.
    @inline(__always)
    var now: UInt64 { meter.pointee.iterationStart }

    /// Counts a packet received in this iteration.
    @inline(__always)
    func notePacket() {
        state.pointee.packets &+= 1
    }

    /// Ends the iteration, and sleeps if packets are being batched.
    ///
    /// - Parameter counters: The loop's counters.
    func end(_ counters: UnsafeMutablePointer<TransportCounters>) {
        let now = uv_hrtime()
        counters.pointee.iterationEnded(after: now &- meter.pointee.iterationStart)
        meter.pointee.endIteration(at: now)
        guard batch > 0 else { return }
        updateBatching(at: now)
        guard state.pointee.isBatching, case let due = meter.pointee.iterationStart &+ batch, due > now else { return }
        usleep(UInt32(min(due - now, batch) / 1000))
    }

    /// Decides after each window of time if enough packets arrived for batching.
    private func updateBatching(at now: UInt64) {
        let elapsed = now &- state.pointee.windowBegan
        guard elapsed >= Self.window else { return }
        let packets = state.pointee.packets &- state.pointee.packetsAtWindow
        let (share, overflow) = packets.multipliedReportingOverflow(by: batch)
        state.pointee.isBatching = !overflow && share >= Self.minimumPacketsPerIteration &* elapsed
        state.pointee.windowBegan = now
        state.pointee.packetsAtWindow = state.pointee.packets
    }

    /// The window of time in nanoseconds after which batching is decided.
    ///
    /// Longer: steadier; shorter: the first packets of a sudden load cost less.
    private static let window: UInt64 = 10_000_000
    /// The number of packets per iteration from which on batching is worth the wait.
    ///
    /// More: fewer calls are delayed; fewer wake-ups are saved.
    private static let minimumPacketsPerIteration: UInt64 = 2
}
