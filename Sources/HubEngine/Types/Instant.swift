/// A point in time: nanoseconds since a zero that the driver chooses (in the hub: 1970, the Unix epoch).
///
/// Arithmetic saturates: no instant from outside can trap.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the driver's zero.
    public let nanoseconds: Int64

    /// Creates an instant from nanoseconds since zero.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Indicates that the left instant is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the instant `duration` later, or the last possible one.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        instant.advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// Returns the instant `count` nanoseconds later, saturating.
    func advanced(byNanoseconds count: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: count < 0 ? .min : .max)
    }

    /// Returns the time from `earlier` to this instant, saturating.
    public func since(_ earlier: Instant) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }

    /// Returns the nanoseconds from `earlier` to this instant, saturating.
    ///
    /// A `Duration` counts in 128 bits: making one and taking it apart costs too much for each packet.
    public func nanoseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return difference }
        return nanoseconds < earlier.nanoseconds ? .min : .max
    }
}

extension Duration {
    /// The duration in nanoseconds, saturating at the range of 64 bits (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || carried else { return sum }
        return seconds < 0 ? .min : .max
    }
}
