/// The playout times of frames, computed from the times at which they are requested.
///
/// A player requests a frame every 20 ms, but its thread is often scheduled late and then requests several at once. The
/// frames are played one after the other, so each request counts as 20 ms after the one before, unless it was earlier.
struct PlayoutClock {
    private var last: Int64?

    /// Returns the playout time of a frame that is requested at `now`, in nanoseconds.
    mutating func tick(_ now: Int64) -> Int64 {
        let expected = (last ?? now) + AudioFormat.nanosecondsPerFrame + Self.driftCorrection
        let restarts = last == nil || now - expected > Self.pauseNanoseconds
        let time = restarts ? now : min(now, expected)
        last = time
        return time
    }

    /// The speed at which the clock follows a slower player: 1 %.
    private static let driftCorrection: Int64 = 200_000
    /// A player without requests for so long has not played in between.
    private static let pauseNanoseconds: Int64 = 300_000_000
}
