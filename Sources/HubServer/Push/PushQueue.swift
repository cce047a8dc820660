import HubEngine

/// The queue of messages that are waiting, in flight or to be retried; without sockets and clock.
struct PushQueue {
    /// A message that is queued or in flight.
    struct Entry {
        let id: UInt64
        let message: OutgoingPushMessage
        let then: @Sendable (PushOutcome) -> Void
        /// The number of failed attempts.
        var attempts = 0
        /// The time of the next attempt, or of the timeout while it is in flight.
        var due: Instant
        var isWithdrawn = false
    }

    /// The result of an attempt.
    enum Answer {
        /// The HTTP status of the service, and the seconds of `Retry-After`.
        case status(Int, retryAfter: Int?)
        /// There was no response.
        case none
    }

    private var waiting: [Entry] = []
    private var inFlight: [UInt64: Entry] = [:]

    /// The number of messages, waiting and in flight.
    var count: Int { waiting.count + inFlight.count }

    /// The time of the next attempt or timeout; nil: nothing is due before a response.
    var nextDue: Instant? {
        let hasCapacity = inFlight.count < Self.maximumInFlight
        let next = hasCapacity ? waiting.filter { hasFreeSlot(to: $0.message.host) }.map(\.due).min() : nil
        return [next, inFlight.values.map(\.due).min()].compactMap(\.self).min()
    }

    /// Queues a message.
    ///
    /// - Parameter entry: The message, due at once.
    /// - Returns: False if the queue is full.
    mutating func add(_ entry: Entry) -> Bool {
        guard count < Self.maximumMessages else { return false }
        waiting.append(entry)
        return true
    }

    /// Removes and returns the messages that are due, the oldest first; they are in flight from then on.
    mutating func takeDue(at now: Instant) -> [Entry] {
        var (taken, left): ([Entry], [Entry]) = ([], [])
        for var entry in waiting {
            guard entry.due <= now, inFlight.count < Self.maximumInFlight, hasFreeSlot(to: entry.message.host) else {
                left.append(entry)
                continue
            }
            entry.due = now + Self.attemptTimeout
            inFlight[entry.id] = entry
            taken.append(entry)
        }
        waiting = left
        return taken
    }

    /// Removes waiting messages that have expired, and returns them.
    mutating func removeExpired(at now: Instant) -> [Entry] {
        let late = waiting.filter { $0.message.expiresAt <= now }
        if !late.isEmpty { waiting.removeAll { $0.message.expiresAt <= now } }
        return late
    }

    /// Returns the IDs of messages in flight that have timed out.
    func overdue(at now: Instant) -> [UInt64] {
        inFlight.values.filter { $0.due <= now }.map(\.id)
    }

    /// Notes the result of an attempt.
    ///
    /// - Parameters:
    ///   - id: The ID of a message in flight.
    ///   - answer: The result of the attempt.
    ///   - now: The time.
    /// - Returns: The message and its outcome; nil: it will be retried, or there is no such message.
    mutating func answered(_ id: UInt64, _ answer: Answer, at now: Instant) -> (entry: Entry, outcome: PushOutcome)? {
        guard var entry = inFlight.removeValue(forKey: id) else { return nil }
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
        guard entry.due < entry.message.expiresAt else { return (entry, .failed) }
        waiting.append(entry)
        return nil
    }

    /// Withdraws a message; one that is in flight is not retried.
    ///
    /// - Parameter id: The ID of the message; an unknown one is ignored.
    /// - Returns: The message, if it was waiting.
    mutating func withdraw(_ id: UInt64) -> Entry? {
        if let index = waiting.firstIndex(where: { $0.id == id }) { return waiting.remove(at: index) }
        inFlight[id]?.isWithdrawn = true
        return nil
    }

    /// Indicates that a host has a free slot: one service that does not respond must not delay the others.
    private func hasFreeSlot(to host: String) -> Bool {
        inFlight.values.count { $0.message.host == host } < Self.maximumInFlightPerHost
    }

    private static func pause(after attempts: Int) -> Duration { .seconds(1 << min(attempts, 4)) }

    /// The maximum number of messages, waiting and in flight.
    ///
    /// More: more calls at once are announced; the last of them are sent late.
    private static let maximumMessages = 1_000
    /// The maximum number of messages in flight.
    ///
    /// More: bursts are sent sooner; more sockets and handshakes at a time.
    private static let maximumInFlight = 64
    private static let maximumInFlightPerHost = 16
    /// The timeout of an attempt.
    ///
    /// Longer: slow services may respond; one that hangs keeps its slots longer.
    private static let attemptTimeout = Duration.seconds(10)
}
