import HubEngine

/// Which posts wait, which are on their way, and which are tried once more: no socket, no clock.
struct PushQueue {
    /// A post that is seen to.
    struct Entry {
        let id: UInt64
        let post: PushPost
        let then: @Sendable (PushOutcome) -> Void
        /// How often it was sent in vain.
        var attempts = 0
        /// When it is tried next, or given up where it is on its way.
        var due: Instant
        var isWithdrawn = false
    }

    /// What came of an attempt.
    enum Answer {
        /// The service's, with the seconds it wants to be left alone for.
        case status(Int, retryAfter: Int?)
        /// None came.
        case none
    }

    private var waiting: [Entry] = []
    private var flights: [UInt64: Entry] = [:]

    /// How many there are.
    var count: Int { waiting.count + flights.count }

    /// When there is something to do; nil: not before an answer.
    var nextDue: Instant? {
        let mayFly = flights.count < Self.mostFlights
        let next = mayFly ? waiting.filter { canFly(to: $0.post.host) }.map(\.due).min() : nil
        return [next, flights.values.map(\.due).min()].compactMap(\.self).min()
    }

    /// Takes a post.
    ///
    /// - Parameter entry: Due at once.
    /// - Returns: False where too many wait.
    mutating func add(_ entry: Entry) -> Bool {
        guard count < Self.mostWaiting else { return false }
        waiting.append(entry)
        return true
    }

    /// What is to be sent now, the oldest first; it is on its way from here on.
    mutating func take(at now: Instant) -> [Entry] {
        var (taken, left): ([Entry], [Entry]) = ([], [])
        for var entry in waiting {
            guard entry.due <= now, flights.count < Self.mostFlights, canFly(to: entry.post.host) else {
                left.append(entry)
                continue
            }
            entry.due = now + Self.patience
            flights[entry.id] = entry
            taken.append(entry)
        }
        waiting = left
        return taken
    }

    /// What waits and has lost its purpose; it is forgotten.
    mutating func removeLate(at now: Instant) -> [Entry] {
        let late = waiting.filter { $0.post.expiresAt <= now }
        if !late.isEmpty { waiting.removeAll { $0.post.expiresAt <= now } }
        return late
    }

    /// What is on its way and has had no answer for too long.
    func overdue(at now: Instant) -> [UInt64] {
        flights.values.filter { $0.due <= now }.map(\.id)
    }

    /// An attempt is over.
    ///
    /// - Parameters:
    ///   - id: Of a post that is on its way.
    ///   - answer: What came of it.
    ///   - now: The time.
    /// - Returns: The post and what became of it; nil: it is tried once more, or there is none.
    mutating func answered(_ id: UInt64, _ answer: Answer, at now: Instant) -> (entry: Entry, outcome: PushOutcome)? {
        guard var entry = flights.removeValue(forKey: id) else { return nil }
        var wanted: Duration?
        switch answer {
        case .status(200..<300, _): return (entry, .accepted)
        case .status(404, _), .status(410, _): return (entry, .gone)
        case .status(429, let seconds), .status(500..<600, let seconds): wanted = seconds.map { .seconds($0) }
        case .status: return (entry, .refused)
        case .none: break
        }
        if entry.isWithdrawn { return (entry, .withdrawn) }
        entry.due = now + max(wanted ?? .zero, Self.pause(after: entry.attempts))
        entry.attempts += 1
        guard entry.due < entry.post.expiresAt else { return (entry, .failed) }
        waiting.append(entry)
        return nil
    }

    /// Takes a post back: one that is on its way is not tried once more.
    ///
    /// - Parameter id: Any.
    /// - Returns: The post, if it waited.
    mutating func withdraw(_ id: UInt64) -> Entry? {
        if let index = waiting.firstIndex(where: { $0.id == id }) { return waiting.remove(at: index) }
        flights[id]?.isWithdrawn = true
        return nil
    }

    /// One service that does not answer must not keep others waiting.
    private func canFly(to host: String) -> Bool {
        flights.values.count { $0.post.host == host } < Self.mostFlightsToOne
    }

    private static func pause(after attempts: Int) -> Duration { .seconds(1 << min(attempts, 4)) }

    /// More: more calls at once wake somebody; the last of them are sent late.
    private static let mostWaiting = 1_000
    /// More: bursts go out sooner; more sockets and handshakes at a time.
    private static let mostFlights = 64
    private static let mostFlightsToOne = 16
    /// Longer: slow services are heard out; one that hangs keeps its places longer.
    private static let patience = Duration.seconds(10)
}
