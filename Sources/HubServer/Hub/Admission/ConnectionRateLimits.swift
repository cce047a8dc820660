import HubEngine

/// The rate limits of a connection, signed in or not, and the address that they belong to.
struct ConnectionRateLimits {
    /// The address of the client.
    let address: IPAddress
    /// The token bucket of text messages.
    var messages: TokenBucket
    /// The token bucket of faults; the connection is closed when it is empty (docs/protocol.md, Close codes).
    ///
    /// A client with occasional faults receives an error each time, one that does nothing else is disconnected.
    var faults: TokenBucket
    /// True while the connection is being closed for too many faults.
    var isViolator = false

    init(_ address: IPAddress, _ settings: HubSettings, at now: Instant) {
        self.address = address
        let perSecond = Double(settings.messagesPerSecond)
        messages = TokenBucket(burst: perSecond * Self.burstSeconds, perSecond: perSecond, at: now.nanoseconds)
        faults = TokenBucket(burst: Self.faultBurst, perSecond: Self.faultsPerSecond, at: now.nanoseconds)
    }

    /// The burst of text messages, in seconds of the sustained rate.
    ///
    /// More: longer lists at once; one client keeps the hub busy for longer.
    private static let burstSeconds = 5.0
    /// The burst of faults.
    ///
    /// More: faulty clients stay connected; more useless work.
    private static let faultBurst = 2_000.0
    /// The sustained rate of faults, per second.
    ///
    /// More: faulty clients stay connected; more useless work.
    private static let faultsPerSecond = 100.0
}
