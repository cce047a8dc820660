import HubEngine

/// What the hub keeps of a connection, signed in or not: whom it is for, and how it behaves.
struct Conduct {
    /// Whom it is for.
    let address: IPAddress
    /// Text messages that it may send.
    var messages: Budget
    /// Faults that it may make before it is closed (docs/protocol.md, Errors: 1008).
    ///
    /// Who errs now and then is told each time, who does nothing else is sent away.
    var faults: Budget

    init(_ address: IPAddress, _ settings: HubSettings, at now: Instant) {
        self.address = address
        let perSecond = Double(settings.messagesPerSecond)
        messages = Budget(burst: perSecond * Self.secondsInOneGo, perSecond: perSecond, at: now.nanoseconds)
        faults = Budget(burst: Self.faultsInOneGo, perSecond: Self.faultsPerSecond, at: now.nanoseconds)
    }

    /// More: longer lists in one go; one client keeps the hub busy for longer.
    private static let secondsInOneGo = 5.0
    /// Faults in one go.
    ///
    /// More: clumsier clients live on; more work for nothing.
    private static let faultsInOneGo = 2_000.0
    /// Faults a second for good.
    ///
    /// More: as above.
    private static let faultsPerSecond = 100.0
}
