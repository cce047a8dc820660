import HubEngine

/// The schedule of invariant checks of the engine on a running hub, and their results.
///
/// For test runs of the hub: a check costs time that grows with the sessions, so there is at most one per interval,
/// after the events of that interval.
struct InvariantChecker {
    /// The minimum time between two checks; zero: no checks.
    private let interval: Duration
    /// The time of the next check; nil: nothing has happened since the last one.
    private(set) var due: Instant?
    private var nextCheck = Instant(nanoseconds: .min)
    private var known: Set<String> = []

    /// The number of checks.
    private(set) var checkCount = 0
    /// The number of violations found; one that persists counts at each check.
    private(set) var violations = 0

    init(interval: Duration) {
        self.interval = interval
    }

    /// Notes that the engine's state may have changed.
    mutating func noteEvent(at now: Instant) {
        guard interval > .zero, due == nil else { return }
        due = max(now, nextCheck)
    }

    /// Indicates that a check is due.
    func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

    /// Runs a check if one is due.
    ///
    /// - Parameters:
    ///   - now: The time by the hub's clock.
    ///   - findViolations: Returns a sentence for each violated invariant.
    /// - Returns: The violations that were not found before, so that each is reported once.
    mutating func check(at now: Instant, _ findViolations: () -> [String]) -> [String] {
        guard isDue(at: now) else { return [] }
        due = nil
        nextCheck = now + interval
        checkCount += 1
        let found = findViolations()
        violations += found.count
        return found.filter { known.count < Self.maximumReported && known.insert($0).inserted }
    }

    /// The maximum number of violations reported.
    ///
    /// More: more consequences of one fault are logged; more memory.
    private static let maximumReported = 1_000
}
