import Glibc
package import HubEngine

/// The clocks of an ACME client.
package protocol ACMEClock: Sendable {
    /// The date by the wall clock.
    var date: Instant { get }
    /// A monotonic clock that counts while the machine is suspended.
    var uptime: Instant { get }
    /// Keeps a function to call when the clocks have jumped; the machine's do so unnoticed.
    func onJump(_ notify: @escaping @Sendable () -> Void)
}

/// The clocks of the machine.
package struct SystemACMEClock: ACMEClock {
    package init() {}

    package var date: Instant { Self.read(CLOCK_REALTIME) }
    package var uptime: Instant { Self.read(CLOCK_BOOTTIME) }
    package func onJump(_ notify: @escaping @Sendable () -> Void) {}

    private static func read(_ clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
