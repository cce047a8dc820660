import HubEngine

/// The token buckets of the notifications that the requests of one account, or of one address's guests, cause.
///
/// They limit messages and bytes in total, and bytes for each receiver, so that no receiver is sent more than it can
/// read. Each notification is charged when it is sent, since only then its size is known; while a bucket is overdrawn,
/// further requests are refused.
final class FanOutLimiter {
    private let limits: Limits
    private var messages: TokenBucket
    private var bytes: TokenBucket
    private var receivers: [SessionID: TokenBucket] = [:]
    /// The number of receivers from which on those with full buckets are discarded.
    private var receiverLimit = FanOutLimiter.minimumReceivers
    /// The time in nanoseconds until which a bucket is overdrawn.
    private var blockedUntil = Int64.min
    /// The number of sessions that charge it.
    var sessions = 0

    init(_ limits: Limits, at now: Int64) {
        self.limits = limits
        messages = TokenBucket(burst: limits.messages * Limits.burstSeconds, perSecond: limits.messages, at: now)
        bytes = TokenBucket(burst: limits.bytes * Limits.burstSeconds, perSecond: limits.bytes, at: now)
    }

    /// Charges one notification.
    ///
    /// - Parameters:
    ///   - byteCount: The size of its text.
    ///   - receiver: The session that receives it; nil: one of the same account, which charges the totals alone.
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

    /// Returns the seconds until requests are accepted again, rounded up; nil: they are now.
    func wait(at now: Int64) -> Int? {
        guard blockedUntil > now else { return nil }
        return max(1, Int((Double(blockedUntil &- now) / 1_000_000_000).rounded(.up)))
    }

    /// Indicates that no session uses it and all its buckets are full: a new one would be equal.
    func isUnused(at now: Int64) -> Bool {
        sessions == 0 && messages.isFull(at: now) && bytes.isFull(at: now)
            && receivers.keys.allSatisfy { receivers[$0]?.isFull(at: now) == true }
    }

    private func add(_ receiver: SessionID, at now: Int64) {
        if receivers.count >= receiverLimit {
            for name in Array(receivers.keys) where receivers[name]?.isFull(at: now) == true { receivers[name] = nil }
            receiverLimit = max(Self.minimumReceivers, 2 * receivers.count)
        }
        receivers[receiver] = TokenBucket(
            burst: limits.burstBytesPerReceiver,
            perSecond: limits.bytesPerReceiver,
            at: now
        )
    }

    /// The minimum number of receivers from which on full buckets are discarded.
    ///
    /// More: full buckets are searched for less often; more of them are kept.
    private static let minimumReceivers = 256
    /// The maximum time in seconds for which one notification blocks further requests.
    ///
    /// Longer: a far overdrawn account is blocked for longer at a time; the debt remains in either case.
    private static let longestWait = 60.0

    /// The limits of one account, or of one address's guests.
    struct Limits {
        /// Notifications a second.
        let messages: Double
        /// Bytes a second.
        let bytes: Double
        /// Bytes a second to one receiver.
        let bytesPerReceiver: Double
        /// The burst of bytes to one receiver.
        let burstBytesPerReceiver: Double

        init(_ settings: HubSettings) {
            messages = Double(max(settings.causedMessagesPerSecond, 1))
            bytes = Double(max(settings.causedBytesPerSecond, 1))
            let queue = Double(max(settings.transport.maximumQueuedTextBytes, 1))
            bytesPerReceiver = queue * Self.shareOfQueuePerSecond
            burstBytesPerReceiver = queue * Self.burstShareOfQueue
        }

        /// The burst of messages and bytes, in seconds of the sustained rates.
        ///
        /// More: longer bursts of holding and resuming large groups; more is queued for the others at a time.
        static let burstSeconds = 5.0
        /// The burst to one receiver, as a share of the maximum send queue of a connection.
        ///
        /// More: larger bursts to one party; less of its queue is left for the notifications that others cause.
        private static let burstShareOfQueue = 0.25
        /// The sustained rate to one receiver, as a share of that queue per second.
        ///
        /// More: more is sent to one party for long; parties with slow links fall behind.
        private static let shareOfQueuePerSecond = 1.0 / 16
    }
}
