/// A point in time: nanoseconds since a zero that the driver chooses (the hub: 1970, so that an instant is also a date).
///
/// Arithmetic saturates: no instant that comes from outside can trap.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the driver's zero.
    public let nanoseconds: Int64

    /// An instant so many nanoseconds after zero.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The earlier instant is the smaller one.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant `duration` later, or the last one there is.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        instant.advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The instant so much later, saturating.
    func advanced(byNanoseconds count: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: count < 0 ? .min : .max)
    }

    /// The time from `earlier` to this instant, saturating.
    public func since(_ earlier: Instant) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }

    /// The same in nanoseconds: a `Duration` counts in 128 bits, and making one and taking it apart costs a packet too much.
    public func nanoseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return difference }
        return nanoseconds < earlier.nanoseconds ? .min : .max
    }
}

extension Duration {
    /// The duration in nanoseconds, saturating at what 64 bits hold (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || carried else { return sum }
        return seconds < 0 ? .min : .max
    }
}
