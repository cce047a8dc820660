import HubEngine
import HubWire

/// The replay of an event log in a fresh engine, whose invariants are checked after every event.
struct Replay {
    private(set) var engine: Engine
    private var deviceNames: [SessionID: String] = [:]
    /// Every device that signed in, in order of the first sign-in.
    private(set) var devices: [String] = []
    /// The number of violations so far.
    private(set) var violationCount = 0
    /// The violations that were reported before and persist.
    private var violations: Set<String> = []
    private let rules: (Engine) -> [String]

    /// Creates a replay; `rules` returns the violated invariants of an engine.
    init(_ header: EventLogHeader, rules: @escaping (Engine) -> [String] = { $0.violations() }) {
        engine = Engine(header.engine)
        self.rules = rules
    }

    /// Replays a line; timers that are due before it come first, as an event of their own.
    mutating func take(_ entry: EventLogEntry, line: Int) -> [ReplayedEvent] {
        guard case .event(let event) = entry.content else { return [pass(entry, line)] }
        var events: [ReplayedEvent] = []
        if let due = engine.nextDeadline, due <= entry.time {
            events.append(pass(EventLogEntry(time: entry.time, .timePassed), line))
        }
        var effects: [Effect] = []
        engine.handle(event, at: entry.time, into: &effects)
        let device = device(of: event)
        noteDevice(event, effects)
        events.append(replayed(entry, line, device, effects))
        return events
    }

    private mutating func pass(_ entry: EventLogEntry, _ line: Int) -> ReplayedEvent {
        var effects: [Effect] = []
        engine.advance(to: entry.time, into: &effects)
        return replayed(entry, line, nil, effects)
    }

    private mutating func replayed(
        _ entry: EventLogEntry,
        _ line: Int,
        _ device: String?,
        _ effects: [Effect]
    ) -> ReplayedEvent {
        let broken = rules(engine)
        let new = broken.filter { !violations.contains($0) }
        violations = Set(broken)
        violationCount += new.count
        return ReplayedEvent(
            line: line,
            entry: entry,
            device: device,
            effects: effects.map { named($0, requester: device) },
            violations: new
        )
    }

    // MARK: Names

    private mutating func noteDevice(_ event: Event, _ effects: [Effect]) {
        guard case .sessionOpened(let opening, _) = event else { return }
        for case .reply(_, .opened(let session, _, _)) in effects {
            deviceNames[session] = opening.deviceText
            if !devices.contains(opening.deviceText) { devices.append(opening.deviceText) }
        }
    }

    private func name(_ session: SessionID) -> String {
        deviceNames[session] ?? "session \(session.logText)"
    }

    private func device(of event: Event) -> String? {
        switch event {
        case .sessionOpened(let opening, _): opening.deviceText
        case .sessionResumed(let session, _), .sessionLost(let session), .sessionClosed(let session),
            .request(let session, _, _):
            name(session)
        case .lookedUp, .groupNaming, .holdAudio, .endConversation, .drain: nil
        case .screened(let token, _): name(token.session)
        }
    }

    private func named(_ effect: Effect, requester: String?) -> ReplayedEffect {
        switch effect {
        // The engine replies to one request at a time, before it does anything else.
        case .reply: ReplayedEffect(device: requester, effect)
        case .notify(let session, _), .sessionEnded(let session, _), .sessionClosing(let session, _):
            ReplayedEffect(device: name(session), effect)
        case .audioRouteChanged(let session):
            ReplayedEffect(device: name(session), effect, route: route(of: session))
        case .lookUp, .screen, .sendPush, .cancelPush, .addRecent: ReplayedEffect(device: nil, effect)
        }
    }

    private func route(of session: SessionID) -> ReplayedEffect.Route {
        let route = engine.audioRoute(of: session)
        return ReplayedEffect.Route(
            gateReason: route.gateReason,
            listeners: route.sinks.map(name),
            playedSources: route.playedSources.map(\.party),
            holdAudio: route.holdSource?.audio
        )
    }
}

extension SessionOpening {
    /// The device as `account/device`.
    fileprivate var deviceText: String { "\(account)/\(deviceID)" }
}
