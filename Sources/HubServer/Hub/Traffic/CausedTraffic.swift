import HubEngine

/// The notifications that one payer's requests cause other sessions to be sent: token buckets of messages and of bytes in all, and
/// of bytes for each receiver, so that no receiver is sent more than it can read.
///
/// Each notification is charged when it is sent, since only then its size is known; a payer that owes something has to wait.
final class CausedTraffic {
    private let limits: Limits
    private var messages: Budget
    private var bytes: Budget
    private var receivers: [SessionID: Budget] = [:]
    /// The number of receivers from which on those with full buckets are discarded.
    private var receiverLimit = CausedTraffic.leastReceivers
    /// Nanoseconds; until then the payer owes something.
    private var blockedUntil = Int64.min
    /// The number of sessions that charge it.
    var sessions = 0

    init(_ limits: Limits, at now: Int64) {
        self.limits = limits
        messages = Budget(burst: limits.messages * Limits.secondsInOneGo, perSecond: limits.messages, at: now)
        bytes = Budget(burst: limits.bytes * Limits.secondsInOneGo, perSecond: limits.bytes, at: now)
    }

    /// Charges one notification.
    ///
    /// - Parameters:
    ///   - byteCount: The size of its text.
    ///   - receiver: The session that it is sent to; nil: one of the payer's own, for which it charges the sums alone.
    ///   - now: Nanoseconds of a clock that never goes back, here and below.
    func charge(_ byteCount: Int, for receiver: SessionID?, at now: Int64) {
        messages.overdraw(upTo: .infinity, at: now)
        bytes.overdraw(Double(byteCount), upTo: .infinity, at: now)
        var delay = max(messages.delay(at: now), bytes.delay(at: now))
        if let receiver {
            if receivers[receiver] == nil { add(receiver, at: now) }
            receivers[receiver]?.overdraw(Double(byteCount), upTo: .infinity, at: now)
            delay = max(delay, receivers[receiver]?.delay(at: now) ?? 0)
        }
        guard delay > 0 else { return }
        blockedUntil = max(blockedUntil, now &+ Int64(min(delay, Self.longestWait) * 1_000_000_000))
    }

    /// The seconds until requests are accepted again, rounded up; nil: they are now.
    func wait(at now: Int64) -> Int? {
        guard blockedUntil > now else { return nil }
        return max(1, Int((Double(blockedUntil &- now) / 1_000_000_000).rounded(.up)))
    }

    /// Whether nobody uses it and all its buckets are full: a new one would be the same.
    func isUnused(at now: Int64) -> Bool {
        sessions == 0 && messages.isFull(at: now) && bytes.isFull(at: now)
            && receivers.keys.allSatisfy { receivers[$0]?.isFull(at: now) == true }
    }

    private func add(_ receiver: SessionID, at now: Int64) {
        if receivers.count >= receiverLimit {
            for name in Array(receivers.keys) where receivers[name]?.isFull(at: now) == true { receivers[name] = nil }
            receiverLimit = max(Self.leastReceivers, 2 * receivers.count)
        }
        receivers[receiver] = Budget(burst: limits.bytesToOneInOneGo, perSecond: limits.bytesToOne, at: now)
    }

    /// More: full buckets are looked for more seldom; some more of them are kept.
    private static let leastReceivers = 256
    /// Seconds.
    ///
    /// Longer: one who owes a lot may send nothing for longer in one piece; what is left is owed all the same.
    private static let longestWait = 60.0

    /// The amounts that one payer may cause.
    struct Limits {
        /// Notifications a second.
        let messages: Double
        /// Bytes a second.
        let bytes: Double
        /// Bytes a second to one receiver.
        let bytesToOne: Double
        /// Bytes to one receiver in one go.
        let bytesToOneInOneGo: Double

        init(_ settings: HubSettings) {
            messages = Double(max(settings.causedMessagesPerSecond, 1))
            bytes = Double(max(settings.causedBytesPerSecond, 1))
            let queue = Double(max(settings.transport.maximumQueuedTextBytes, 1))
            bytesToOne = queue * Self.shareOfQueuePerSecond
            bytesToOneInOneGo = queue * Self.shareOfQueueInOneGo
        }

        /// More: longer bursts of holding and resuming large groups; more waits for the others in one go.
        static let secondsInOneGo = 5.0
        /// Of what may wait for one connection before it is closed as a slow consumer.
        ///
        /// More: more is told to one party in one go; less is left of its queue for what others cause.
        private static let shareOfQueueInOneGo = 0.25
        /// More: more is told to one party for good; parties with slow links fall behind.
        private static let shareOfQueuePerSecond = 1.0 / 16
    }
}
