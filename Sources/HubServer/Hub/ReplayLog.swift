import HubEngine
import HubWire

/// A session's last notifications with their numbers, for a client that resumes (docs/protocol.md, Session).
struct ReplayLog {
    private struct Entry {
        /// The notification; nil: the number was used by a message that is not sent again.
        var notification: WireNotification?
        var byteCount: Int
        var sentAt: Instant
    }

    private var entries: [Entry] = []
    private var first = 0
    private var byteCount = 0
    /// The maximum size in bytes: a replay must fit in the send queue of a connection, with the answer before it.
    private let maximumBytes: Int
    /// The time for which notifications are kept.
    ///
    /// A client may have missed those that were sent after its connection died and before the hub noticed.
    private let retention: Duration
    /// The hub's memory budget of all queues.
    private let budget: QueueBudget
    /// The number of the former connection's `session.closing`; nil: none was sent.
    private var unloggedSeq: UInt64?
    /// The number of the last notification; 0: there was none.
    private(set) var lastSeq: UInt64 = 0

    /// The number of the next notification.
    var nextSeq: UInt64 { lastSeq &+ 1 }

    /// Makes an empty log.
    init(_ settings: HubSettings, budget: QueueBudget) {
        self.budget = budget
        maximumBytes = settings.transport.maximumQueuedTextBytes * 3 / 4
        retention = settings.resumeGrace + settings.transport.silenceTimeout + Self.margin
    }

    /// Appends a notification, and discards those that no client can have missed; `byteCount` is its encoded size.
    mutating func append(_ notification: WireNotification, byteCount: Int, at now: Instant) {
        lastSeq &+= 1
        entries.append(Entry(notification: notification, byteCount: byteCount, sentAt: now))
        self.byteCount += byteCount
        // While the hub's memory budget is used up, the log does not grow: the oldest notifications make room for the
        // new one.
        let most = budget.view.add(byteCount) ? maximumBytes : min(maximumBytes, self.byteCount - byteCount)
        while count > 1, self.byteCount > most || now.since(entries[first].sentAt) > retention {
            self.byteCount -= entries[first].byteCount
            budget.view.release(entries[first].byteCount)
            entries[first].notification = nil
            first += 1
        }
        guard first > 64, first > entries.count / 2 else { return }
        entries.removeFirst(first)
        first = 0
    }

    /// Returns its memory to the budget, at the end of the session.
    mutating func end() {
        budget.view.release(byteCount)
        (entries, first, byteCount) = ([], 0, 0)
    }

    /// Notes that a number was used by a message about the connection alone, which is not kept.
    ///
    /// It is the next number, or that of a notification which was never sent.
    mutating func noteUnlogged(_ seq: UInt64) {
        unloggedSeq = seq
    }

    /// Indicates that the log has all notifications after `seq`, the last one that a client has received.
    func canReplay(after seq: UInt64) -> Bool {
        if seq == unloggedSeq { return nextSeq &- seq <= UInt64(count) }
        return seq <= lastSeq && lastSeq - seq <= UInt64(count)
    }

    /// Returns the notifications after `seq` with their numbers, in order.
    ///
    /// A client that has received the former connection's `session.closing` counts it: later numbers increase by one.
    mutating func replay(after seq: UInt64) -> [(seq: UInt64, notification: WireNotification)] {
        guard canReplay(after: seq) else { return [] }
        if seq == unloggedSeq {
            let later = Int(nextSeq - seq)
            entries.insert(Entry(byteCount: 0, sentAt: Instant(nanoseconds: .min)), at: entries.count - later)
            lastSeq &+= 1
        }
        unloggedSeq = nil
        let missed = entries.suffix(Int(lastSeq - seq))
        return missed.enumerated().compactMap { index, entry in
            entry.notification.map { (seq &+ 1 &+ UInt64(index), $0) }
        }
    }

    private var count: Int { entries.count - first }

    /// The time allowed for detecting that a connection is dead, and for resuming.
    ///
    /// Longer: a slower detection or resume misses nothing; more memory for busy clients.
    private static let margin: Duration = .seconds(30)
}
