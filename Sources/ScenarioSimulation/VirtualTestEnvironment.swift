import HubEngine
package import HubServer
import HubSimulator
package import ScenarioKit

/// A test environment in the hub's own process, with a virtual clock that stands still during computation.
///
/// It uses the real hub and its relay, without sockets (`VirtualHub`): the same seed gives the same run.
final class VirtualTestEnvironment: TestEnvironment {
    private let hub: VirtualHub
    private var connectionNumbers: [ConnectionID: Int] = [:]
    private var connections: [Int: ConnectionID] = [:]
    private var events: [ConnectionEvent] = []

    /// Creates a test environment with a running hub.
    ///
    /// - Parameters:
    ///   - overrides: The settings that differ from the hub's defaults.
    ///   - seed: The seed of the hub's random numbers.
    /// - Throws: `MediaError` if libopus fails.
    init(_ overrides: HubOverrides, seed: UInt64) throws {
        hub = try VirtualHub(overrides.settings, seed: seed)
    }

    var now: Duration { hub.now.since(VirtualHub.start) }
    var maximumNotificationSkew: Duration { .zero }
    var maximumAudioDelay: Duration { .zero }
    var settlingTime: Duration { .zero }
    var outlivesRun: Bool { false }

    func connect(_ connection: Int) {
        guard let connectionID = hub.connect() else {
            events.append(ConnectionEvent(connection: connection, at: now, content: .ended("no hub is there")))
            return
        }
        connectionNumbers[connectionID] = connection
        connections[connection] = connectionID
        events.append(ConnectionEvent(connection: connection, at: now, content: .opened))
    }

    func send(_ message: ConnectionMessage, over connection: Int) {
        guard let connectionID = connections[connection] else { return }
        hub.receive(message, from: connectionID)
    }

    func dropConnection(_ connection: Int) {
        guard let connectionID = forget(connection) else { return }
        hub.dropConnection(connectionID)
    }

    func closeConnection(_ connection: Int) {
        guard let connectionID = forget(connection) else { return }
        hub.close(connectionID)
    }

    func setReading(_ reads: Bool, _ connection: Int) {
        guard let connectionID = connections[connection] else { return }
        if reads { hub.thaw(connectionID) } else { hub.freeze(connectionID) }
    }

    func wait(until moment: Duration) -> [ConnectionEvent] {
        takeOutput()
        if events.isEmpty {
            let moment = VirtualHub.start + moment
            hub.advance(to: min(moment, hub.nextDeadline ?? moment))
            takeOutput()
        }
        defer { events = [] }
        return events
    }

    func perform(_ action: HubProcessAction) { hub.perform(action) }

    func advanceClock(by duration: Duration) {
        hub.advance(by: duration)
    }

    var isHubRunning: Bool { hub.isRunning }

    /// No other process can end this hub.
    func unexpectedEnd(timeout: Duration) -> String? { nil }

    func end() {}

    private func forget(_ connection: Int) -> ConnectionID? {
        takeOutput()
        events.removeAll { $0.connection == connection }
        guard let connectionID = connections.removeValue(forKey: connection) else { return nil }
        connectionNumbers[connectionID] = nil
        return connectionID
    }

    private func takeOutput() {
        for message in hub.takeOutput() {
            guard let connection = connectionNumbers[message.connection] else { continue }
            let content = ConnectionEvent.Content(message.content)
            let at = message.at.since(VirtualHub.start)
            events.append(ConnectionEvent(connection: connection, at: at, content: content))
            if content.isEnd { end(message.connection, connection) }
        }
    }

    private func end(_ connectionID: ConnectionID, _ connection: Int) {
        connectionNumbers[connectionID] = nil
        connections[connection] = nil
    }
}

extension HubOverrides {
    /// The hub's settings, with the defaults for those that are nil.
    package var settings: HubSettings {
        var settings = HubSettings()
        settings.log.level = .error
        settings.ringTimeout = ringTimeout ?? settings.ringTimeout
        settings.startDeadline = startDeadline ?? settings.startDeadline
        settings.answerDeadline = answerDeadline ?? settings.answerDeadline
        settings.actionDeadline = actionDeadline ?? settings.actionDeadline
        settings.softPause = softPause ?? settings.softPause
        settings.pushWait = pushWait ?? settings.pushWait
        settings.resumeGrace = resumeGrace ?? settings.resumeGrace
        settings.drainGrace = drainGrace ?? settings.drainGrace
        settings.callsPerDevice = callsPerDevice ?? settings.callsPerDevice
        return settings
    }
}
