import HubEngine

/// A listener, and the loop its connection is on.
struct RelaySink: Equatable, Sendable {
    /// Who hears.
    var session: SessionID
    /// Where.
    var loop: UInt16
}

/// What the control plane tells a loop's relay; each loop gets its own in the order they were said.
enum RelayCommand: Sendable {
    /// A session begins, on a connection of this loop.
    case open(SessionID, ConnectionID)
    /// A session has another connection of this loop from now on.
    case attach(SessionID, ConnectionID)
    /// A session's connection is lost; its route stays.
    case detach(SessionID)
    /// A session is over, or on another loop from now on.
    case close(SessionID)
    /// A session is heard by these.
    case setRoute(AudioRoute, [RelaySink], SessionID)
    /// A session hears who speaks with that SSRC on another loop.
    case hear(UInt32, SessionID)
    /// It does no more.
    case unhear(UInt32, SessionID)
    /// What became of a session's packets so far is to be told.
    case tellQuality(SessionID)
}
