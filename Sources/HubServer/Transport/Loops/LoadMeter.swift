/// The utilisation of a loop: the share of the time in which it works rather than waits.
///
/// Trivial, in flat memory of the loop's (``ServerLoop/meter``). Each iteration of the loop begins with
/// `beginIteration` and calls `endIteration` before it waits: two clock reads an iteration, however many packets are
/// in it. The work of the kernel and the library between the end of the wait and the first callback, some microseconds
/// an iteration, counts as waiting. Times are nanoseconds of `uv_hrtime`, which is monotonic.
struct LoadMeter {
    /// The utilisation over a window of time.
    struct Load: Equatable {
        /// The share of the time in which the loop worked, 0 to 1.
        var busyShare: Double = 0
        /// The duration of the longest iteration, in which no other event was handled.
        var longestIteration: Duration = .zero
    }

    /// The start of the current or the last iteration, which is the arrival time of the packets relayed in it.
    private(set) var iterationStart: UInt64
    /// The nanoseconds of work in all, up to the last call of `endIteration` or `load`.
    private(set) var busyNanoseconds: UInt64 = 0
    /// The number of iterations in all.
    private(set) var iterations: UInt64 = 0

    /// True from `endIteration` to `beginIteration`.
    private(set) var isAsleep = false
    /// The time up to which work is counted; meaningful while awake.
    private var countedUntil: UInt64
    private var windowBegan: UInt64
    private var busyInWindow: UInt64 = 0
    private var longestInWindow: UInt64 = 0
    private var lastWindow = Load()

    /// Creates a meter of a loop that works.
    ///
    /// - Parameter now: The time in nanoseconds of `uv_hrtime`.
    init(at now: UInt64) {
        iterationStart = now
        countedUntil = now
        windowBegan = now
    }

    /// Begins an iteration; without effect while the loop is awake.
    ///
    /// - Parameter now: The time in nanoseconds of `uv_hrtime`; read only if the loop was asleep.
    @inline(__always)
    mutating func beginIteration(at now: @autoclosure () -> UInt64) {
        guard isAsleep else { return }
        startIteration(at: now())
    }

    private mutating func startIteration(at now: UInt64) {
        isAsleep = false
        iterationStart = now
        countedUntil = now
        iterations &+= 1
    }

    /// Ends an iteration, before the loop waits for the next one.
    ///
    /// - Parameter now: The time in nanoseconds of `uv_hrtime`.
    mutating func endIteration(at now: UInt64) {
        guard !isAsleep else { return }
        count(until: now)
        isAsleep = true
        if now &- windowBegan >= Self.window { closeWindow(at: now) }
    }

    /// Computes the load in the last complete window, of a second or a little more.
    ///
    /// - Parameter now: The time in nanoseconds of `uv_hrtime`.
    /// - Returns: The busy share and the longest iteration.
    mutating func load(at now: UInt64) -> Load {
        if !isAsleep { count(until: now) }
        if now &- windowBegan >= Self.window { closeWindow(at: now) }
        return lastWindow
    }

    private mutating func count(until now: UInt64) {
        let worked = now &- countedUntil
        countedUntil = now
        busyNanoseconds &+= worked
        busyInWindow &+= worked
        longestInWindow = max(longestInWindow, now &- iterationStart)
    }

    private mutating func closeWindow(at now: UInt64) {
        let length = now &- windowBegan
        lastWindow = Load(
            busyShare: min(1, Double(busyInWindow) / Double(max(length, 1))),
            longestIteration: .nanoseconds(Int64(clamping: longestInWindow))
        )
        windowBegan = now
        busyInWindow = 0
        longestInWindow = 0
    }

    /// The minimum length of a window in nanoseconds.
    ///
    /// Longer: a steadier figure; overload is detected later.
    private static let window: UInt64 = 1_000_000_000
}
