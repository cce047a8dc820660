package import HubEngine

/// A listening session, and the loop that its connection is on.
package struct RelaySink: Equatable, Sendable {
    /// The listening session.
    var session: SessionID
    /// The number of the loop that its connection is on.
    var loop: UInt16
}

/// A command of the control plane to a loop's relay; each loop receives its commands in the order of sending.
package enum RelayCommand: Sendable {
    /// Adds a session, on a connection of this loop; `reportsDrops`: its client is notified of dropped packets.
    case open(SessionID, ConnectionID, reportsDrops: Bool)
    /// Gives a session another connection of this loop.
    case attach(SessionID, ConnectionID)
    /// Notes that a session's connection is lost; its route stays.
    case detach(SessionID)
    /// Removes a session, which has ended or continues on another loop.
    case close(SessionID)
    /// Sets the listeners that receive a session as part of a mix, for the route that follows.
    case setMix([MixedListener], SessionID)
    /// Sets a session's route, the listeners of its packets, and its hold audio.
    case setRoute(AudioRoute, [RelaySink], HoldPlayback?, SessionID)
    /// Allows a session to receive packets with this SSRC from another loop.
    case allowSource(UInt32, SessionID)
    /// Denies a session packets with this SSRC from another loop again; `keepsQueue`: those that wait are sent.
    case denySource(UInt32, SessionID, keepsQueue: Bool = false)
    /// Asks for the packet statistics of a session so far.
    case reportQuality(SessionID)
}
