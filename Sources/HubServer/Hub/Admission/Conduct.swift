import HubEngine

/// The rate limits of a connection, signed in or not, and the address that they belong to.
struct Conduct {
    /// The address of the client.
    let address: IPAddress
    /// The token bucket of text messages.
    var messages: Budget
    /// The token bucket of faults; the connection is closed when it is empty (docs/protocol.md, Errors: 1008).
    ///
    /// A client with occasional faults receives an error each time, one that does nothing else is disconnected.
    var faults: Budget

    init(_ address: IPAddress, _ settings: HubSettings, at now: Instant) {
        self.address = address
        let perSecond = Double(settings.messagesPerSecond)
        messages = Budget(burst: perSecond * Self.secondsInOneGo, perSecond: perSecond, at: now.nanoseconds)
        faults = Budget(burst: Self.faultsInOneGo, perSecond: Self.faultsPerSecond, at: now.nanoseconds)
    }

    /// The burst of text messages, in seconds of the sustained rate.
    ///
    /// More: longer lists at once; one client keeps the hub busy for longer.
    private static let secondsInOneGo = 5.0
    /// The burst of faults.
    ///
    /// More: faulty clients stay connected; more useless work.
    private static let faultsInOneGo = 2_000.0
    /// The sustained rate of faults, per second.
    ///
    /// More: faulty clients stay connected; more useless work.
    private static let faultsPerSecond = 100.0
}
