package import Glibc

/// The monotonic clock in nanoseconds, which all times of the benchmarks refer to.
@inline(__always)
package func monotonicNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_MONOTONIC) ?? 0
}

/// CPU time of the calling thread in nanoseconds, which leaves out the time that other programs took.
package func threadNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) ?? 0
}

/// Returns the time of a clock of the system, in nanoseconds; nil if there is no such clock.
@inline(__always)
package func nanoseconds(of clock: clockid_t) -> UInt64? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else {
        return nil
    }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
