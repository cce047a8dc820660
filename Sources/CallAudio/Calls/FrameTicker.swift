import Foundation
import HubMedia

/// A clock of frames, each of 20 ms.
package protocol FrameTicker: Sendable {
    /// Calls a closure for each frame until it returns false.
    ///
    /// - Parameter tick: The closure; it gets the time in nanoseconds, on the clock of the packets' arrival.
    func run(_ tick: @escaping @Sendable (_ now: Int64) -> Bool)
}

/// A clock of frames by the machine's time, on a thread of its own.
///
/// Frame n is due at the start + n * 20 ms on the monotonic clock, so that no error accumulates.
package struct ThreadTicker: FrameTicker {
    package init() {}

    package func run(_ tick: @escaping @Sendable (_ now: Int64) -> Bool) {
        let thread = Thread {
            let start = ArrivalClock.nanoseconds
            var frame: Int64 = 0
            repeat {
                sleep(untilNanoseconds: start + frame * AudioFormat.nanosecondsPerFrame)
                frame += 1
            } while tick(ArrivalClock.nanoseconds)
        }
        thread.start()
    }
}

/// The machine's monotonic clock, which the client also uses for arrival times.
package enum ArrivalClock {
    /// The time in nanoseconds.
    package static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

private func sleep(untilNanoseconds due: Int64) {
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    // Sleeps until an absolute time, so that interruptions do not prolong it.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}
