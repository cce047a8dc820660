/// The intervals and timeouts of a client; the defaults suit interactive use, tests set shorter ones.
public struct ClientTiming: Hashable, Sendable {
    /// The time without received data before the client sends a ping.
    ///
    /// Longer: less traffic on idle connections; shorter: a lost one is detected sooner.
    public var pingAfterIdle = Duration.seconds(5)
    /// The time without received data before the connection is considered lost.
    ///
    /// Longer: tolerates slow networks; shorter: a lost connection is resumed sooner.
    public var lostAfterIdle = Duration.seconds(10)
    /// The time without received data during an audio session before a second connection is tried.
    ///
    /// The hub sends a report every 200 ms then. The first connection stays if data arrives on it before the second one
    /// is open. Longer: fewer needless connections; shorter: less audio is lost.
    public var secondConnectionAfterIdle = Duration.seconds(2)
    /// The timeout of an attempt to connect and sign in.
    public var connectTimeout = Duration.seconds(8)
    /// The timeout of a request.
    public var responseTimeout = Duration.seconds(10)
    /// The second delay between attempts to reconnect; the first attempt is immediate, later delays double.
    public var firstRetryDelay = Duration.milliseconds(100)
    /// The maximum delay between attempts to reconnect.
    ///
    /// Longer: a hub that restarts is not overloaded; shorter: it is found sooner. A client should be connected again
    /// within a second of the moment when it can.
    public var maximumRetryDelay = Duration.milliseconds(750)
    /// The time after a loss at which the client gives up reconnecting; nil: it tries until `close()`.
    public var reconnectTimeout: Duration?
    /// The maximum interval between calls of `ClientOptions.tokenProvider`.
    ///
    /// A quarter of the present token's remaining lifetime, if that is less. Longer: fewer needless reads; shorter: a
    /// token that is replaced early, or a clock that is wrong, matters less.
    public var tokenCheckInterval = Duration.seconds(60)
    /// The maximum number of sent packets that no report of the hub covers yet; beyond it sending stops until one does.
    ///
    /// More: a longer round-trip time is not a stall; fewer: less old audio arrives after a stall. 25 packets of
    /// 20 ms are half a second.
    public var maximumUnreportedPackets = 25

    /// Creates the default timing.
    public init() {}
}
