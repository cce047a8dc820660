/// How busy a loop is: the share of the time in which it works and does not wait.
///
/// Trivial, in flat memory of the loop's (``ServerLoop/meter``). The first thing that a turn of the loop does says `wakes`, the
/// last one before it waits says `sleeps`: a clock read twice a turn, however many packets are in it. What the kernel and the
/// library do between the end of the wait and the first call-back, some microseconds a turn, counts as waiting. Times are
/// nanoseconds of `uv_hrtime`, which must not go back.
struct LoadMeter {
    /// The loop's load over a while.
    struct Load: Equatable {
        /// The share of the time in which the loop worked, 0 to 1.
        var busyShare: Double = 0
        /// The longest turn: for so long nothing else was looked at.
        var longestTurn: Duration = .zero
    }

    /// When the turn at hand began, or the last one; a packet that is relayed in it was found then.
    private(set) var turnBegan: UInt64
    /// Nanoseconds of work in all, up to the beginning of the last stretch that was counted.
    private(set) var busyNanoseconds: UInt64 = 0
    /// Turns in all.
    private(set) var turns: UInt64 = 0

    /// Whether the loop waits, or has not said yet that it does no more.
    private(set) var isAsleep = false
    /// Up to where work is counted; meaningful while awake.
    private var countedUntil: UInt64
    private var windowBegan: UInt64
    private var busyInWindow: UInt64 = 0
    private var longestInWindow: UInt64 = 0
    private var lastWindow = Load()

    /// A meter of a loop that works.
    ///
    /// - Parameter now: See the type.
    init(at now: UInt64) {
        turnBegan = now
        countedUntil = now
        windowBegan = now
    }

    /// The wait is over; says it again and nothing happens.
    ///
    /// - Parameter now: Read only where the loop was asleep.
    @inline(__always)
    mutating func wakes(at now: @autoclosure () -> UInt64) {
        guard isAsleep else { return }
        wake(at: now())
    }

    private mutating func wake(at now: UInt64) {
        isAsleep = false
        turnBegan = now
        countedUntil = now
        turns &+= 1
    }

    /// The turn is over, the loop waits for the next one.
    ///
    /// - Parameter now: See the type.
    mutating func sleeps(at now: UInt64) {
        guard !isAsleep else { return }
        count(until: now)
        isAsleep = true
        if now &- windowBegan >= Self.window { closeWindow(at: now) }
    }

    /// The load in the last second or so: of the window that has passed last, or of a longer one that is passing.
    ///
    /// - Parameter now: See the type.
    /// - Returns: Its share and its longest turn.
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
        longestInWindow = max(longestInWindow, now &- turnBegan)
    }

    private mutating func closeWindow(at now: UInt64) {
        let length = now &- windowBegan
        lastWindow = Load(
            busyShare: min(1, Double(busyInWindow) / Double(max(length, 1))),
            longestTurn: .nanoseconds(Int64(clamping: longestInWindow))
        )
        windowBegan = now
        busyInWindow = 0
        longestInWindow = 0
    }

    /// Nanoseconds.
    ///
    /// Longer: a steadier figure; overload is seen later.
    private static let window: UInt64 = 1_000_000_000
}
