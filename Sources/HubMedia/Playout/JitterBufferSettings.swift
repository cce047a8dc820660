/// The compromise between delay and concealment that a jitter buffer makes.
public struct JitterBufferSettings: Sendable, Equatable {
    /// The minimum delay behind the fastest packet, in nanoseconds; lower: the first late frame interrupts playout.
    let minimumDelay: Int64
    /// The percentile of the delays that is in time; higher: less concealment, more delay.
    let percentile: Int
    /// Added to the percentile, in nanoseconds; it covers the player's own steps of 20 ms.
    let margin: Int64
    /// The excess over the target up to which nothing is cut, in samples.
    let upperTolerance: Int
    /// The samples beyond the present frame that are never cut.
    let reserve: Int
    /// True if frames are pulled at the times that they are played at; a player's thread is late and pulls several.
    let hasExactTimes: Bool
    /// The samples over which a stream that begins is faded in; 0: it is not.
    ///
    /// A stream may begin in the middle of a sound. Its decoder does not know the packets before, and makes noise of
    /// the first.
    let fadeIn: Int

    /// The settings of a client, by measurement: 40 ms on a clean network.
    public static let listening = JitterBufferSettings(
        minimumDelay: 40_000_000,
        percentile: 97,
        margin: 20_000_000,
        // Up to 20 ms above the target nothing is done; less: mere scheduling jitter would cause scaling.
        upperTolerance: 960,
        reserve: 960,
        hasExactTimes: false,
        fadeIn: 0
    )

    /// The settings of a mixer whose listeners have a jitter buffer of their own: 22 ms on a clean network.
    ///
    /// The steps of its playout are exact, so that 2 ms over the step of 20 ms suffice.
    public static let mixing = JitterBufferSettings(
        minimumDelay: 22_000_000,
        percentile: 98,
        margin: 22_000_000,
        upperTolerance: 240,
        reserve: 0,
        hasExactTimes: true,
        fadeIn: 960
    )
}
