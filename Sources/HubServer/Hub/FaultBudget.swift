import HubEngine

/// How many faults a client may make before its connection is closed (docs/protocol.md, Errors: 1008).
///
/// A bucket that fills by the time: who errs now and then is told each time, who does nothing else is sent away.
struct FaultBudget {
    private var left = FaultBudget.burst
    private var lastFault: Instant

    init(at now: Instant) {
        lastFault = now
    }

    /// Notes a fault; false: that was one too many.
    mutating func spend(at now: Instant) -> Bool {
        left = min(Self.burst, left + now.since(lastFault) / .seconds(1) * Self.perSecond)
        lastFault = now
        left -= 1
        return left >= 0
    }

    /// Faults in one go.
    ///
    /// More: clumsier clients live on; more work for nothing.
    private static let burst = 2_000.0
    /// Faults a second for good.
    ///
    /// More: as above.
    private static let perSecond = 100.0
}
