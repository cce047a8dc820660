import CallSystem
import HubEngine
import HubServer
import HubSimulator
import ScenarioKit
import ScenarioSimulation

/// A test environment with apps: the simulated hub of `CallSystem`, its apps' devices, and the run's own connections.
///
/// Time passes when all apps have returned from their callbacks.
final class AppTestEnvironment: TestEnvironment {
    private let hub: SimulatedHub
    private let inbox = EventInbox()
    private let apps: [String: SimulatedAppPhone]
    private var connections: [Int: ConnectionID] = [:]

    /// Creates a test environment with a running hub, and apps that are not made yet.
    ///
    /// - Parameters:
    ///   - overrides: The settings that differ from the hub's defaults.
    ///   - apps: The apps by the parties' names.
    ///   - seed: The seed of the hub's random numbers.
    /// - Throws: `MediaError` if libopus fails.
    init(_ overrides: HubOverrides, apps: [String: TestedApp], seed: UInt64) throws {
        let hub = try SimulatedHub(overrides.settings, seed: seed)
        self.hub = hub
        let inbox = inbox
        var phones: [String: SimulatedAppPhone] = [:]
        for (index, (party, app)) in apps.sorted(by: { $0.key < $1.key }).enumerated() {
            phones[party] = SimulatedAppPhone(app, of: party, connection: -1 - index, at: hub, inbox)
        }
        self.apps = phones
    }

    var now: Duration { hub.instant.since(VirtualHub.start) }
    var maximumNotificationSkew: Duration { .zero }
    /// The frames of a device's sound have a clock of their own, 20 ms at most apart from the hub's packets.
    var maximumAudioDelay: Duration { .milliseconds(20) }
    var settlingTime: Duration { .zero }
    var outlivesRun: Bool { false }

    func app(of party: String) -> (any AppPhone)? { apps[party] }

    func connect(_ connection: Int) {
        let inbox = inbox
        let id = hub.connect { inbox.add($0, of: connection) }
        guard let id else { return inbox.add(.ended("no hub is there"), connection, now) }
        connections[connection] = id
        inbox.add(.opened, connection, now)
    }

    func send(_ message: ConnectionMessage, over connection: Int) {
        if let app = apps.values.first(where: { $0.connection == connection }) {
            if case .text(let bytes) = message { app.send(bytes) }
            return
        }
        guard let id = connections[connection] else { return }
        hub.withHub { $0.receive(message, from: id) }
    }

    func dropConnection(_ connection: Int) { end(connection, isClosed: false) }

    func closeConnection(_ connection: Int) { end(connection, isClosed: true) }

    private func end(_ connection: Int, isClosed: Bool) {
        inbox.forget(connection)
        guard let id = connections.removeValue(forKey: connection) else { return }
        hub.end(id, isClosed: isClosed)
    }

    func setReading(_ reads: Bool, _ connection: Int) {
        guard let id = connections[connection] else { return }
        hub.withHub { reads ? $0.thaw(id) : $0.freeze(id) }
    }

    func wait(until moment: Duration) -> [ConnectionEvent] {
        hub.waitUntilSettled()
        if inbox.isEmpty {
            hub.advance(towards: VirtualHub.start + moment)
            hub.waitUntilSettled()
            for app in apps.values {
                let played = app.takePlayed()
                if !played.isEmpty { inbox.add(.played(played), app.connection, now) }
            }
        }
        let events = inbox.take()
        for event in events where event.content.isEnd { connections[event.connection] = nil }
        return events
    }

    func perform(_ action: HubProcessAction) { hub.withHub { $0.perform(action) } }

    func advanceClock(by duration: Duration) {
        hub.withHub { $0.advance(by: duration) }
    }

    var isHubRunning: Bool { hub.withHub(\.isRunning) }

    /// No other process can end this hub.
    func unexpectedEnd(timeout: Duration) -> String? { nil }

    func end() {
        for app in apps.values { app.end() }
        hub.waitUntilSettled()
    }
}
