import HubEngine

/// Tells each loop's relay its part of the engine's routes; the hub's thread.
///
/// A session's leg is on the loop that its connection is on, or was on last. A packet between two loops passes two gates: its
/// sender's, by the route, and its listener's, by what that one `hear`s. Each loop hears of changes in the order in which the hub
/// tells its clients of them, so whoever has been told that a call is held hears nothing more of it, on whatever loop
/// the other end is.
final class RelayControl {
    private struct Leg {
        var loop: UInt16
        var connection: ConnectionID
        var route = AudioRoute.closed
        /// On other loops, who may hear this session, with which SSRC.
        var grants: [Grant] = []
        /// Whom it hears: those whose route names it.
        var sources: [SessionID] = []
    }

    private struct Grant: Equatable {
        var listener: RelaySink
        var ssrc: UInt32
    }

    private var legs: [SessionID: Leg] = [:]
    private let tell: (_ loop: UInt16, RelayCommand) -> Void

    /// Over no session.
    ///
    /// - Parameter tell: Has a loop's relay carry out a command, after those before it.
    init(_ tell: @escaping (_ loop: UInt16, RelayCommand) -> Void) {
        self.tell = tell
    }

    /// A session begins, on a connection.
    func open(_ session: SessionID, on connection: ConnectionID) {
        legs[session] = Leg(loop: connection.loop, connection: connection)
        tell(connection.loop, .open(session, connection))
    }

    /// A session has another connection from now on, perhaps on another loop.
    func attach(_ session: SessionID, to connection: ConnectionID) {
        guard let former = legs[session]?.loop else { return }
        legs[session]?.connection = connection
        guard former != connection.loop else { return tell(former, .attach(session, connection)) }
        move(session, to: connection)
    }

    /// A session's connection is lost; its route stays.
    func detach(_ session: SessionID) {
        guard let leg = legs[session] else { return }
        tell(leg.loop, .detach(session))
    }

    /// A session is over.
    func close(_ session: SessionID) {
        guard let leg = legs[session] else { return }
        setRoute(.closed, of: session)
        for source in leg.sources { legs[source]?.grants.removeAll { $0.listener.session == session } }
        tell(leg.loop, .close(session))
        legs[session] = nil
    }

    /// Asks for what became of a session's packets in the activation that goes on.
    func askQuality(of session: SessionID) {
        guard let leg = legs[session] else { return }
        tell(leg.loop, .tellQuality(session))
    }

    /// Takes over the engine's route.
    func setRoute(_ route: AudioRoute, of session: SessionID) {
        guard let leg = legs[session] else { return }
        for former in leg.route.sinks where !route.sinks.contains(former) {
            legs[former]?.sources.removeAll { $0 == session }
        }
        for sink in route.sinks where !leg.route.sinks.contains(sink) { legs[sink]?.sources.append(session) }
        legs[session]?.route = route
        tellRoute(of: session)
    }

    /// Tells the route to the session's loop, and to the listeners' loops whom they hear: opened first, shut last.
    private func tellRoute(of session: SessionID) {
        guard let leg = legs[session] else { return }
        let sinks = leg.route.sinks.compactMap { sink in legs[sink].map { RelaySink(session: sink, loop: $0.loop) } }
        let grants = sinks.filter { $0.loop != leg.loop }.compactMap { sink in
            leg.route.ssrc.map { Grant(listener: sink, ssrc: $0) }
        }
        for grant in grants where !leg.grants.contains(grant) {
            tell(grant.listener.loop, .hear(grant.ssrc, grant.listener.session))
        }
        tell(leg.loop, .setRoute(leg.route, sinks, session))
        for grant in leg.grants where !grants.contains(grant) {
            tell(grant.listener.loop, .unhear(grant.ssrc, grant.listener.session))
        }
        legs[session]?.grants = grants
    }

    /// Makes the leg anew on the other loop, and tells those who are heard there where it is now.
    private func move(_ session: SessionID, to connection: ConnectionID) {
        guard let leg = legs[session] else { return }
        tell(leg.loop, .close(session))
        legs[session]?.loop = connection.loop
        tell(connection.loop, .open(session, connection))
        tellRoute(of: session)
        for source in leg.sources { tellRoute(of: source) }
    }
}
