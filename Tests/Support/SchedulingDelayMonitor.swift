import Foundation
import Glibc
public import Testing

/// The machine's scheduling delays, and the CPU time that other machines on the host take.
///
/// Their effect on sound in real time is not the hub's fault or the phones'. Several threads measure, as another
/// machine on the same host may take one CPU alone.
public final class SchedulingDelayMonitor: @unchecked Sendable {
    private static let interval = Duration.milliseconds(5)
    private let lock = NSLock()
    private var worst = Duration.zero
    private var isOver = false
    private let stolenBefore = stolen()

    /// Starts the threads that measure.
    public init() {
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
            Thread { [self] in watch() }.start()
        }
    }

    /// Ends the measurement.
    ///
    /// - Returns: The longest delay with which a thread woke up, or the CPU time that others took, if that is more.
    public func end() -> Duration {
        lock.withLock {
            isOver = true
            return max(worst, Self.stolen() - stolenBefore)
        }
    }

    /// Returns the CPU time that other machines on the host have taken since this one booted, in steps of 10 ms.
    ///
    /// It is the field "steal" of proc(5), stat.
    private static func stolen() -> Duration {
        let stat = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let fields = stat.prefix { $0 != "\n" }.split(separator: " ")
        return .milliseconds(10 * (fields.count > 8 ? Int(fields[8]) ?? 0 : 0))
    }

    private func watch() {
        let clock = ContinuousClock()
        while !lock.withLock({ isOver }) {
            let start = clock.now
            usleep(useconds_t(Self.interval / .microseconds(1)))
            let late = clock.now - start - Self.interval
            lock.withLock { worst = max(worst, late) }
        }
    }
}

/// Repeats a check in real time until it finds nothing wrong.
///
/// A phone plays in real time: if the machine leaves it waiting for longer than its buffers hold, it stretches the
/// sound, as it must. So faults count only if in one of the attempts the machine was late by less than a packet, 20 ms.
/// If it was late in each, the faults are recorded as a warning, since the result is not meaningful then.
///
/// - Parameters:
///   - tries: The most attempts, 1 or more.
///   - sourceLocation: The source location of the issue that is recorded.
///   - attempt: Returns a sentence for each fault, none if all is well.
public func expectWithRetries(
    tries: Int = 5,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ attempt: () async throws -> [String]
) async rethrows {
    var wasCalm = false
    var outcomes: [String] = []
    for _ in 0..<tries {
        let watch = SchedulingDelayMonitor()
        defer { _ = watch.end() }
        let faults = try await attempt()
        if faults.isEmpty { return }
        let late = watch.end()
        wasCalm = wasCalm || late < .milliseconds(20)
        outcomes.append("\(faults) while the machine was up to \(late / .milliseconds(1)) ms late")
    }
    let severity = wasCalm ? Issue.Severity.error : .warning
    Issue.record("every attempt found faults: \(outcomes)", severity: severity, sourceLocation: sourceLocation)
}
