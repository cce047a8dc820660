/// Tells when a frame is played from when it was asked for.
///
/// A player asks every 20 ms, but its thread is often woken late and then asks several times at once. Frames are played
/// one after the other all the same, so that each asking counts as 20 ms after the one before, unless it came earlier.
struct PlayoutClock {
    private var last: Int64?

    /// Gives the time for a frame that is asked for now.
    mutating func tick(_ now: Int64) -> Int64 {
        let expected = (last ?? now) + AudioFormat.nanosecondsPerFrame + Self.slack
        let isLost = last == nil || now - expected > Self.pauseNanoseconds
        let time = isLost ? now : min(now, expected)
        last = time
        return time
    }

    /// How fast the clock follows a player that is slower than ours: 1 %.
    private static let slack: Int64 = 200_000
    /// A player that did not ask for so long has not played in between.
    private static let pauseNanoseconds: Int64 = 300_000_000
}
