import HubEngine
import HubMedia

/// The mixers of a hub, as the relays know them.
package struct Mixing: Sendable {
    /// The number of the first one, behind those of the loops.
    var first: UInt16
    /// The number of mixers, at least 1.
    var count: Int
    /// The SSRC of all mixes.
    var ssrc: UInt32
    /// The number of parties in a conversation from which it is mixed.
    var mixedFrom: Int
}

/// Sends each loop's relay its part of the engine's routes; for the hub's thread only.
///
/// A session's leg is on the loop of its connection, or of its last one. A packet between two loops passes two gates:
/// at its sender's loop by the route, at its listener's loop by the allowed SSRCs (`allowSource`). Each loop receives
/// changes in the order in which the hub notifies its clients of them. So a client that has been notified that a call
/// is held receives no more audio of it, whatever loop the other end is on.
final class RelayControl {
    private struct Leg {
        var loop: UInt16
        var connection: ConnectionID
        var reportsDrops: Bool
        /// True if the client wants one stream of a group.
        var wantsMix: Bool
        /// The mixer whose mix the session receives; nil: it receives each party's packets.
        var mixer: UInt16?
        /// The listeners that received its packets as part of a mix by the route last sent.
        var mixedFor: [SessionID] = []
        /// The number of sources that the client was notified of last.
        var sourceCount = 0
        /// True while the session may receive a mix.
        var allowsMix = false
        var route = AudioRoute.closed
        /// The listeners on other loops that may receive this session's packets, with its SSRC.
        var allowedSources: [AllowedSource] = []
        /// The sessions whose routes have this one as a listener.
        var sources: [SessionID] = []
        /// The hold audio that plays now; nil: none.
        var hold: HoldPlayback?
        /// The position of the last hold audio, which the next one of the same holder continues.
        var pausedHold: PausedHoldAudio?
    }

    private struct AllowedSource: Equatable {
        var listener: RelaySink
        var ssrc: UInt32
    }

    private var legs: [SessionID: Leg] = [:]
    private let awaitsMusic: Bool
    private let mixing: Mixing?
    /// The sessions whose number of sources has changed.
    private var recounted: [SessionID] = []
    private let send: (_ loop: UInt16, RelayCommand) -> Void

    /// Makes a control without sessions.
    ///
    /// - Parameters:
    ///   - awaitsMusic: True if music on hold begins only with `setHoldMusic`.
    ///   - mixing: The mixers of the hub; nil: it has none.
    ///   - send: Sends a command to the relay of a loop; a loop runs commands in the order of sending.
    init(
        awaitsMusic: Bool = false,
        mixing: Mixing? = nil,
        _ send: @escaping (_ loop: UInt16, RelayCommand) -> Void
    ) {
        self.awaitsMusic = awaitsMusic
        self.mixing = mixing
        self.send = send
    }

    /// Adds a session, on a connection.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - connection: Its connection.
    ///   - reportsDrops: True to notify the client of dropped packets.
    ///   - wantsMix: True to send the client one stream of a group.
    func open(
        _ session: SessionID,
        on connection: ConnectionID,
        reportsDrops: Bool = false,
        wantsMix: Bool = false
    ) {
        legs[session] = Leg(
            loop: connection.loop,
            connection: connection,
            reportsDrops: reportsDrops,
            wantsMix: wantsMix
        )
        send(connection.loop, .open(session, connection, reportsDrops: reportsDrops))
    }

    /// Gives a session another connection, perhaps on another loop.
    func attach(_ session: SessionID, to connection: ConnectionID) {
        guard let former = legs[session]?.loop else { return }
        legs[session]?.connection = connection
        guard former != connection.loop else { return send(former, .attach(session, connection)) }
        move(session, to: connection)
    }

    /// Notes that a session's connection is lost; its route stays.
    func detach(_ session: SessionID) {
        guard let leg = legs[session] else { return }
        send(leg.loop, .detach(session))
    }

    /// Removes a session.
    func close(_ session: SessionID) {
        guard let leg = legs[session] else { return }
        setRoute(.closed, of: session, at: Instant(nanoseconds: 0))
        for source in leg.sources { legs[source]?.allowedSources.removeAll { $0.listener.session == session } }
        send(leg.loop, .close(session))
        legs[session] = nil
    }

    /// Asks a session's relay for the packet statistics of the current activation.
    func requestQuality(of session: SessionID) {
        guard let leg = legs[session] else { return }
        send(leg.loop, .reportQuality(session))
    }

    /// Sets the engine's route of a session.
    ///
    /// - Returns: True if music for it begins, and awaits `setHoldMusic`.
    @discardableResult
    func setRoute(_ route: AudioRoute, of session: SessionID, at now: Instant) -> Bool {
        guard let leg = legs[session] else { return false }
        let changesHold = route.holdSource != leg.route.holdSource
        if changesHold { setHold(route.holdSource, of: session, at: now) }
        for former in leg.route.sinks where !route.sinks.contains(former) {
            legs[former]?.sources.removeAll { $0 == session }
        }
        for sink in route.sinks where !leg.route.sinks.contains(sink) { legs[sink]?.sources.append(session) }
        legs[session]?.route = route
        allowMix(of: session)
        sendRoute(of: session)
        return changesHold && legs[session]?.hold?.isAwaited == true
    }

    /// Begins the awaited music of a session.
    ///
    /// - Parameters:
    ///   - music: The music; nil: the built-in.
    ///   - ssrc: The SSRC of the hold, which may be over.
    ///   - session: The session.
    ///   - now: The time.
    func setHoldMusic(_ music: LoadedHoldMusic?, ssrc: UInt32, of session: SessionID, at now: Instant) {
        guard var hold = legs[session]?.hold, hold.ssrc == ssrc, hold.isAwaited else { return }
        hold.music = music
        hold.isAwaited = false
        hold.firstTick = tick(at: now) &+ 1 &- position(of: session, for: legs[session]?.route.holdSource)
        legs[session]?.hold = hold
        sendRoute(of: session)
    }

    /// Stops the hold audio of a session, and starts another one where it stopped last.
    private func setHold(_ source: HoldSource?, of session: SessionID, at now: Instant) {
        let next = tick(at: now) &+ 1
        if let former = legs[session]?.route.holdSource, let hold = legs[session]?.hold, !hold.isAwaited {
            legs[session]?.pausedHold = PausedHoldAudio(source: former, position: max(0, next &- hold.firstTick))
        }
        let hold = source.map { source in
            HoldPlayback(
                ssrc: source.ssrc,
                audio: source.audio,
                firstTick: next &- position(of: session, for: source),
                isAwaited: awaitsMusic && source.audio == .music
            )
        }
        legs[session]?.hold = hold
    }

    /// Returns the position at which hold audio begins: where the same was stopped last, or at its beginning.
    private func position(of session: SessionID, for source: HoldSource?) -> Int64 {
        guard let paused = legs[session]?.pausedHold, paused.source.audio == source?.audio,
            paused.source.account == source?.account
        else { return 0 }
        return paused.position
    }

    private func tick(at now: Instant) -> Int64 { now.nanoseconds / AudioFormat.nanosecondsPerFrame }

    /// Sets the number of sources that a session is notified of, which decides if they are mixed: by `updateMixes`.
    ///
    /// Hold audio is none: a mixer's last packets do not reach a party that was put on hold.
    func setSourceCount(_ count: Int, of session: SessionID) {
        guard mixing != nil, legs[session]?.wantsMix == true else { return }
        legs[session]?.sourceCount = count
        allowMix(of: session)
        recounted.append(session)
    }

    /// Begins and ends the mixes of sessions whose number of sources has changed, after all routes of the same event.
    ///
    /// In between, a source that is about to go would count as one whose packets are passed on again.
    func updateMixes() {
        guard !recounted.isEmpty else { return }
        let sessions = recounted
        recounted.removeAll()
        for session in sessions { updateMix(of: session) }
    }

    /// Muted parties count, so that a mute changes no stream; built-in parties, which are never mixed, do not.
    private func updateMix(of session: SessionID) {
        guard let mixing, let leg = legs[session] else { return }
        let builtIn = leg.route.playedSources.count + (leg.route.sinks.contains(session) ? 1 : 0)
        let isMixed = leg.sourceCount - builtIn + 1 >= mixing.mixedFrom
        guard isMixed != (leg.mixer != nil) else { return }
        let mixer = isMixed ? mixer(for: leg, of: mixing) : nil
        legs[session]?.mixer = mixer
        for source in leg.sources { sendRoute(of: source) }
    }

    /// Returns the mixer of the group if it has one, so that each source is decoded once; else the least used.
    private func mixer(for leg: Leg, of mixing: Mixing) -> UInt16 {
        if let known = leg.sources.lazy.compactMap({ self.legs[$0]?.mixer }).first { return known }
        var uses = [Int](repeating: 0, count: mixing.count)
        for case let mixer? in legs.values.map(\.mixer) { uses[Int(mixer - mixing.first)] += 1 }
        let least = uses.indices.min { uses[$0] < uses[$1] } ?? 0
        return mixing.first + UInt16(least)
    }

    /// Allows a session packets of the mixers while it has sources: what a mixer still has for a held one is dropped.
    private func allowMix(of session: SessionID) {
        guard let mixing, let leg = legs[session], leg.wantsMix else { return }
        let isAllowed = leg.route.ssrc != nil && leg.sourceCount > 0
        guard isAllowed != leg.allowsMix else { return }
        legs[session]?.allowsMix = isAllowed
        send(leg.loop, isAllowed ? .allowSource(mixing.ssrc, session) : .denySource(mixing.ssrc, session))
    }

    /// Sends the route to the session's loop, and the SSRCs to the listeners' loops: allowed before, denied after it.
    private func sendRoute(of session: SessionID) {
        guard let leg = legs[session] else { return }
        // The echo's packets come back unmixed.
        let mixed = leg.route.sinks.filter { $0 != session }.compactMap { sink in
            legs[sink].flatMap { leg in
                leg.mixer.map { MixedListener(session: sink, loop: leg.loop, mixer: $0) }
            }
        }
        var sinks = leg.route.sinks.filter { sink in !mixed.contains { $0.session == sink } }.compactMap { sink in
            legs[sink].map { RelaySink(session: sink, loop: $0.loop) }
        }
        let allowedSources = sinks.filter { $0.loop != leg.loop }.compactMap { sink in
            leg.route.ssrc.map { AllowedSource(listener: sink, ssrc: $0) }
        }
        for allowedSource in allowedSources where !leg.allowedSources.contains(allowedSource) {
            send(allowedSource.listener.loop, .allowSource(allowedSource.ssrc, allowedSource.listener.session))
        }
        // A packet for a mixer is sent once, whoever receives it.
        for mixer in Set(mixed.map(\.mixer)).sorted() { sinks.append(RelaySink(session: session, loop: mixer)) }
        if !leg.mixedFor.isEmpty || !mixed.isEmpty { send(leg.loop, .setMix(mixed, session)) }
        legs[session]?.mixedFor = mixed.map(\.session)
        send(leg.loop, .setRoute(leg.route, sinks, leg.hold, session))
        for allowedSource in leg.allowedSources where !allowedSources.contains(allowedSource) {
            let listener = allowedSource.listener.session
            let keepsQueue = mixed.contains { $0.session == listener }
            send(allowedSource.listener.loop, .denySource(allowedSource.ssrc, listener, keepsQueue: keepsQueue))
        }
        legs[session]?.allowedSources = allowedSources
        for lost in leg.mixedFor where !leg.route.sinks.contains(lost) { dropQueuedMix(of: lost) }
    }

    /// Drops the mix that waits for a slow listener, as one of its sources may be heard there no longer.
    private func dropQueuedMix(of session: SessionID) {
        guard let mixing, let leg = legs[session], leg.allowsMix else { return }
        send(leg.loop, .denySource(mixing.ssrc, session))
        send(leg.loop, .allowSource(mixing.ssrc, session))
    }

    /// Recreates the leg on the other loop, and updates the routes of the senders that it receives.
    private func move(_ session: SessionID, to connection: ConnectionID) {
        guard let leg = legs[session] else { return }
        send(leg.loop, .close(session))
        legs[session]?.loop = connection.loop
        send(connection.loop, .open(session, connection, reportsDrops: leg.reportsDrops))
        legs[session]?.allowsMix = false
        allowMix(of: session)
        sendRoute(of: session)
        for source in leg.sources { sendRoute(of: source) }
    }
}
