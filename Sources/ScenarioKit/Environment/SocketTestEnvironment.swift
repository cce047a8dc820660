import Foundation
import HubClient
import HubEngine

/// A test environment in real time: a listening hub, and WebSocket connections.
final class SocketTestEnvironment: TestEnvironment {
    private let hub: RealHub
    let outlivesRun: Bool
    private let connections: SocketConnections
    private let start = ContinuousClock.now
    private var open: Set<Int> = []

    /// Creates a test environment at a running hub.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - outlivesRun: True if the hub continues to run after the run.
    init(_ hub: RealHub, outlivesRun: Bool) {
        (self.hub, self.outlivesRun) = (hub, outlivesRun)
        connections = SocketConnections(to: hub.address, on: .shared)
    }

    var now: Duration { ContinuousClock.now - start }
    var maximumNotificationSkew: Duration { .milliseconds(250) }
    var maximumAudioDelay: Duration { .milliseconds(80) }
    var settlingTime: Duration { .milliseconds(10) }

    func connect(_ connection: Int) {
        open.insert(connection)
        connections.connect(connection)
    }

    func send(_ message: ConnectionMessage, over connection: Int) { connections.send(message, over: connection) }

    func dropConnection(_ connection: Int) {
        open.remove(connection)
        connections.dropConnection(connection)
    }

    func closeConnection(_ connection: Int) {
        open.remove(connection)
        connections.close(connection)
    }

    func setReading(_ reads: Bool, _ connection: Int) { connections.setReading(reads, connection) }

    func wait(until moment: Duration) -> [ConnectionEvent] {
        let seconds = Double(max(0, (moment - now).wholeNanoseconds)) / 1_000_000_000
        let received = connections.events(until: Date(timeIntervalSinceNow: seconds))
        let now = now
        return received.map { ConnectionEvent(connection: $0.connection, at: now, content: $0.content) }
    }

    func perform(_ action: HubProcessAction) throws(TestEnvironmentError) {
        let process = try hub.own()
        switch action {
        case .isKilled: process.kill()
        case .starts: try process.start()
        case .restarts:
            process.stop()
            try process.start()
        case .drains: process.drain()
        }
    }

    func advanceClock(by duration: Duration) throws(TestEnvironmentError) {
        let process = try hub.own()
        process.pause(true)
        Thread.sleep(forTimeInterval: Double(duration.wholeNanoseconds) / 1_000_000_000)
        process.pause(false)
    }

    var isHubRunning: Bool { hub.isRunning }

    func unexpectedEnd(timeout: Duration) -> String? { hub.unexpectedEnd(timeout: timeout) }

    func end() {
        for connection in open { connections.close(connection) }
        open = []
    }
}
