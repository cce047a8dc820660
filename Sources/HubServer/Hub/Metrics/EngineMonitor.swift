import HubEngine
import HubWire

/// The log of the engine's events, and the checks of its invariants.
struct EngineMonitor {
    private let eventLogWriter: EventLogWriter?
    private let log: HubLog
    private(set) var invariantChecker: InvariantChecker

    /// Begins to observe a new engine.
    ///
    /// - Parameters:
    ///   - eventLogWriter: The writer of the event log; nil: none.
    ///   - header: The header of the event log.
    ///   - settings: The settings of the hub.
    ///   - log: The log of violations.
    init(_ eventLogWriter: EventLogWriter?, _ header: EventLogHeader, _ settings: HubSettings, log: HubLog) {
        self.eventLogWriter = eventLogWriter
        self.log = log
        invariantChecker = InvariantChecker(interval: settings.invariantCheckInterval)
        eventLogWriter?.start(header)
    }

    /// Records an event that the engine is about to handle.
    func record(_ event: Event, at now: Instant) { eventLogWriter?.record(event, at: now) }

    /// Records that the engine's timers are about to run, if one is due.
    func recordTime(_ now: Instant, due: Instant?) { eventLogWriter?.recordTime(now, due: due) }

    /// Notes that the engine's state may have changed.
    mutating func noteEvent(at now: Instant) { invariantChecker.noteEvent(at: now) }

    /// The time of the next check; nil: nothing has happened since the last one.
    var nextDeadline: Instant? { invariantChecker.due }

    /// Indicates that a check is due.
    func isCheckDue(at now: Instant) -> Bool { invariantChecker.isDue(at: now) }

    /// Checks the invariants, and logs those that are found violated for the first time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - findViolations: Returns a sentence for each violated invariant.
    mutating func check(at now: Instant, _ findViolations: () -> [String]) {
        for violation in invariantChecker.check(at: now, findViolations) {
            log(.error, "engine invariant violated", ["rule": violation])
        }
    }
}
