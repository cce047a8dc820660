import HubEngine

/// When the engine's state is held against its rules on a running hub, and which it broke.
///
/// For trials of the hub: a look costs time that grows with the sessions, so there is one in an interval at most, after the
/// events of that interval.
struct InvariantWatch {
    /// The least time between two looks; zero: none is ever taken.
    private let interval: Duration
    /// When to look; nil: nothing has happened since the last look.
    private(set) var due: Instant?
    private var nextLook = Instant(nanoseconds: .min)
    private var known: Set<String> = []

    /// Looks that were taken.
    private(set) var looks = 0
    /// Broken rules that were found, each once a look.
    private(set) var violations = 0

    init(interval: Duration) {
        self.interval = interval
    }

    /// Notes that the engine's state may have changed.
    mutating func noteEvent(at now: Instant) {
        guard interval > .zero, due == nil else { return }
        due = max(now, nextLook)
    }

    /// Whether it is time to look.
    func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

    /// Looks where it is time to.
    ///
    /// - Parameters:
    ///   - now: The hub's clock.
    ///   - findViolations: Every rule that is broken now, as a sentence.
    /// - Returns: Those of them that were not found before: a rule that stays broken is to be told of once.
    mutating func look(at now: Instant, _ findViolations: () -> [String]) -> [String] {
        guard isDue(at: now) else { return [] }
        due = nil
        nextLook = now + interval
        looks += 1
        let found = findViolations()
        violations += found.count
        return found.filter { known.count < Self.mostKnown && known.insert($0).inserted }
    }

    /// Sentences told of.
    ///
    /// More: more of what follows from one fault is in the log; more memory.
    private static let mostKnown = 1_000
}
