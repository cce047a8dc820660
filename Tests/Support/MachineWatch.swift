import Foundation
import Glibc
import Synchronization
public import Testing

/// How late the machine wakes those who sleep, and how much of its time others take: what that does to sound in real time is
/// not the hub's fault or the phones'.
///
/// Several threads watch, as another machine on the same host may take one CPU alone.
public final class MachineWatch: Sendable {
    private struct State {
        var worst = Duration.zero
        var isOver = false
    }

    private static let interval = Duration.milliseconds(5)
    private let state = Mutex(State())
    private let stolenBefore = stolen()

    /// Begins to watch.
    public init() {
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
            Thread { [self] in watch() }.start()
        }
    }

    /// Ends the watch.
    ///
    /// - Returns: By how much one of the threads woke up too late, at worst, or all that others on the host took, if that is more.
    public func end() -> Duration {
        state.withLock {
            $0.isOver = true
            return max($0.worst, Self.stolen() - stolenBefore)
        }
    }

    /// What other machines on the host have taken of this one's CPUs since it was started, in steps of 10 ms; proc(5), "steal".
    private static func stolen() -> Duration {
        let stat = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let fields = stat.prefix { $0 != "\n" }.split(separator: " ")
        return .milliseconds(10 * (fields.count > 8 ? Int(fields[8]) ?? 0 : 0))
    }

    private func watch() {
        let clock = ContinuousClock()
        while !state.withLock({ $0.isOver }) {
            let start = clock.now
            usleep(useconds_t(Self.interval / .microseconds(1)))
            let late = clock.now - start - Self.interval
            state.withLock { $0.worst = max($0.worst, late) }
        }
    }
}

/// Tries what has to keep to real time until nothing is wrong with it.
///
/// A phone plays in real time: where the machine leaves it waiting for longer than its buffers hold, it stretches the sound, as
/// it must. So what is wrong counts only when the machine was never late by more than a packet meanwhile, nor so much was taken of
/// its time. Where that was so each time, it is told as a warning: nothing can be judged there.
///
/// - Parameters:
///   - tries: How often, at most.
///   - sourceLocation: Where it is expected.
///   - attempt: Gives what is wrong, nothing where all is well.
public func expectCalmly(
    tries: Int = 5,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ attempt: () async throws -> [String]
) async rethrows {
    var wasCalm = false
    var told: [String] = []
    for _ in 0..<tries {
        let watch = MachineWatch()
        defer { _ = watch.end() }
        let faults = try await attempt()
        if faults.isEmpty { return }
        let late = watch.end()
        wasCalm = wasCalm || late < .milliseconds(20)
        told.append("\(faults) while the machine was up to \(late / .milliseconds(1)) ms late")
    }
    let severity = wasCalm ? Issue.Severity.error : .warning
    Issue.record("each time something was wrong: \(told)", severity: severity, sourceLocation: sourceLocation)
}
