import HubEngine
import HubServer

/// A stage in the hub's own process, with a virtual clock that stands still during computation.
///
/// It uses the real hub and its relay, without sockets (`VirtualHub`): the same seed gives the same run.
final class VirtualStage: Stage {
    private let hub: VirtualHub
    private var lines: [ConnectionID: Int] = [:]
    private var connections: [Int: ConnectionID] = [:]
    private var happenings: [Happening] = []

    /// Creates a stage with a running hub.
    ///
    /// - Parameters:
    ///   - wishes: The settings that differ from the hub's defaults.
    ///   - seed: The seed of the hub's random numbers.
    /// - Throws: `MediaError` if libopus fails.
    init(_ wishes: HubWishes, seed: UInt64) throws {
        hub = try VirtualHub(wishes.settings, seed: seed)
    }

    var now: Duration { hub.now.since(VirtualHub.start) }
    var slack: Duration { .zero }
    var lateness: Duration { .zero }
    var settling: Duration { .zero }
    var outlivesRun: Bool { false }

    func connect(_ line: Int) {
        guard let connection = hub.connect() else {
            happenings.append(Happening(line: line, at: now, content: .ended("no hub is there")))
            return
        }
        lines[connection] = line
        connections[line] = connection
        happenings.append(Happening(line: line, at: now, content: .opened))
    }

    func send(_ message: LineMessage, over line: Int) {
        guard let connection = connections[line] else { return }
        switch message {
        case .text(let bytes): hub.receive(text: bytes, from: connection)
        case .audio(let bytes): hub.receive(audio: bytes, from: connection)
        }
    }

    func cut(_ line: Int) {
        guard let connection = forget(line) else { return }
        hub.lose(connection)
    }

    func hangUp(_ line: Int) {
        guard let connection = forget(line) else { return }
        hub.close(connection)
    }

    func setReading(_ reads: Bool, _ line: Int) {
        guard let connection = connections[line] else { return }
        if reads { hub.thaw(connection) } else { hub.freeze(connection) }
    }

    func wait(until moment: Duration) -> [Happening] {
        takeOutput()
        if happenings.isEmpty {
            let moment = VirtualHub.start + moment
            hub.advance(to: min(moment, hub.nextDeadline ?? moment))
            takeOutput()
        }
        defer { happenings = [] }
        return happenings
    }

    func perform(_ deed: HubDeed) {
        switch deed {
        case .isKilled: hub.kill()
        case .starts: hub.restart()
        case .restarts:
            hub.stop()
            hub.restart()
        case .drains: hub.drain()
        }
    }

    func jumpClock(by duration: Duration) {
        hub.advance(by: duration)
    }

    var hasHub: Bool { hub.isRunning }

    /// No other process can end this hub.
    func unaskedEnd(patience: Duration) -> String? { nil }

    func end() {}

    private func forget(_ line: Int) -> ConnectionID? {
        takeOutput()
        happenings.removeAll { $0.line == line }
        guard let connection = connections.removeValue(forKey: line) else { return nil }
        lines[connection] = nil
        return connection
    }

    private func takeOutput() {
        for message in hub.takeOutput() {
            guard let line = lines[message.connection] else { continue }
            let at = message.at.since(VirtualHub.start)
            switch message.content {
            case .text(let bytes): add(.message(.text(bytes)), line, at)
            case .audio(let bytes): add(.message(.audio(bytes)), line, at)
            case .closed(let code, let reason):
                add(.ended("the hub closed the connection (\(code)\(reason.isEmpty ? "" : ": \(reason)"))"), line, at)
                end(message.connection, line)
            case .lost:
                add(.ended("the connection broke (1006)"), line, at)
                end(message.connection, line)
            }
        }
    }

    private func add(_ content: Happening.Content, _ line: Int, _ at: Duration) {
        happenings.append(Happening(line: line, at: at, content: content))
    }

    private func end(_ connection: ConnectionID, _ line: Int) {
        lines[connection] = nil
        connections[line] = nil
    }
}

extension HubWishes {
    /// The hub's settings, with the defaults for those that are nil.
    var settings: HubSettings {
        var settings = HubSettings()
        settings.log.level = .error
        settings.ringTimeout = ringTimeout ?? settings.ringTimeout
        settings.startDeadline = startDeadline ?? settings.startDeadline
        settings.answerDeadline = answerDeadline ?? settings.answerDeadline
        settings.actionDeadline = actionDeadline ?? settings.actionDeadline
        settings.softPause = softPause ?? settings.softPause
        settings.wakeWait = wakeWait ?? settings.wakeWait
        settings.resumeGrace = resumeGrace ?? settings.resumeGrace
        settings.drainGrace = drainGrace ?? settings.drainGrace
        settings.callsPerDevice = callsPerDevice ?? settings.callsPerDevice
        return settings
    }
}
