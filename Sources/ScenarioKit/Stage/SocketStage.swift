import Foundation
import HubClient
import HubEngine

/// A stage in real time: a listening hub, and WebSocket connections.
final class SocketStage: Stage {
    private let hub: RealHub
    let outlivesRun: Bool
    private let lines: SocketLines
    private let start = ContinuousClock.now
    private var open: Set<Int> = []

    /// Creates a stage at a running hub.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - outlivesRun: True if the hub continues to run after the run.
    init(_ hub: RealHub, outlivesRun: Bool) {
        (self.hub, self.outlivesRun) = (hub, outlivesRun)
        lines = SocketLines(to: hub.address, on: .shared)
    }

    var now: Duration { ContinuousClock.now - start }
    var slack: Duration { .milliseconds(250) }
    var lateness: Duration { .milliseconds(80) }
    var settling: Duration { .milliseconds(10) }

    func connect(_ line: Int) {
        open.insert(line)
        lines.connect(line)
    }

    func send(_ message: LineMessage, over line: Int) { lines.send(message, over: line) }

    func cut(_ line: Int) {
        open.remove(line)
        lines.cut(line)
    }

    func hangUp(_ line: Int) {
        open.remove(line)
        lines.close(line)
    }

    func setReading(_ reads: Bool, _ line: Int) { lines.setReading(reads, line) }

    func wait(until moment: Duration) -> [Happening] {
        let seconds = Double(max(0, (moment - now).wholeNanoseconds)) / 1_000_000_000
        let came = lines.happenings(until: Date(timeIntervalSinceNow: seconds))
        let now = now
        return came.map { Happening(line: $0.line, at: now, content: $0.content) }
    }

    func perform(_ deed: HubDeed) throws(StageFault) {
        let process = try hub.own()
        switch deed {
        case .isKilled: process.kill()
        case .starts: try process.start()
        case .restarts:
            process.stop()
            try process.start()
        case .drains: process.drain()
        }
    }

    func jumpClock(by duration: Duration) throws(StageFault) {
        let process = try hub.own()
        process.pause(true)
        Thread.sleep(forTimeInterval: Double(duration.wholeNanoseconds) / 1_000_000_000)
        process.pause(false)
    }

    var hasHub: Bool { hub.isThere }

    func unaskedEnd(patience: Duration) -> String? { hub.unaskedEnd(patience: patience) }

    func end() {
        for line in open { lines.close(line) }
        open = []
    }
}
