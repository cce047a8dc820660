import HubEngine
import HubWire

/// A session's last notifications with their numbers: what a client that lost its connection is told again
/// (docs/protocol.md, Session, Resume).
struct ReplayLog {
    private struct Entry {
        /// Nil: a number that was used up by a message that is not told again.
        var notification: WireNotification?
        var byteCount: Int
        var sentAt: Instant
    }

    private var entries: [Entry] = []
    private var first = 0
    private var byteCount = 0
    /// What is told again in one go must fit in what may wait for a connection, with the answer before it.
    private let maximumBytes: Int
    /// A client may have missed what was sent since its connection died, which the hub found out later.
    private let keptFor: Duration
    /// That of the hub for all that waits.
    private let memory: QueueMemory
    /// The number under which the old connection's `session.closing` went out, if one did.
    private var unkeptSeq: UInt64?
    /// The number of the last notification; 0: there was none.
    private(set) var lastSeq: UInt64 = 0

    /// The number that the next notification has.
    var nextSeq: UInt64 { lastSeq &+ 1 }

    /// An empty log.
    init(_ settings: HubSettings, memory: QueueMemory) {
        self.memory = memory
        maximumBytes = settings.transport.maximumQueuedTextBytes * 3 / 4
        keptFor = settings.resumeGrace + settings.transport.silenceTimeout + Self.margin
    }

    /// Keeps a notification that is `byteCount` bytes long on the wire, and forgets what no client can have missed any more.
    mutating func append(_ notification: WireNotification, byteCount: Int, at now: Instant) {
        lastSeq &+= 1
        entries.append(Entry(notification: notification, byteCount: byteCount, sentAt: now))
        self.byteCount += byteCount
        // Where the hub's memory is in use, the log does not grow: for what comes, as much of the oldest goes.
        let most = memory.view.add(byteCount) ? maximumBytes : min(maximumBytes, self.byteCount - byteCount)
        while count > 1, self.byteCount > most || now.since(entries[first].sentAt) > keptFor {
            self.byteCount -= entries[first].byteCount
            memory.view.giveBack(entries[first].byteCount)
            entries[first].notification = nil
            first += 1
        }
        guard first > 64, first > entries.count / 2 else { return }
        entries.removeFirst(first)
        first = 0
    }

    /// Gives back its memory, at the end of the session.
    mutating func end() {
        memory.view.giveBack(byteCount)
        (entries, first, byteCount) = ([], 0, 0)
    }

    /// A number, the next one or that of a notification which never went out, was used by a message about the connection alone, which
    /// is not kept.
    mutating func noteUnkept(_ seq: UInt64) {
        unkeptSeq = seq
    }

    /// Whether a client that has seen everything up to `seq` can be told all that came after it.
    func canTakeUp(after seq: UInt64) -> Bool {
        if seq == unkeptSeq { return nextSeq &- seq <= UInt64(count) }
        return seq <= lastSeq && lastSeq - seq <= UInt64(count)
    }

    /// What came after notification `seq`, with its numbers, in order.
    ///
    /// A client that has seen the old connection's `session.closing` counts it: what came meanwhile moves up by one.
    mutating func takeUp(after seq: UInt64) -> [(seq: UInt64, notification: WireNotification)] {
        guard canTakeUp(after: seq) else { return [] }
        if seq == unkeptSeq {
            let later = Int(nextSeq - seq)
            entries.insert(Entry(byteCount: 0, sentAt: Instant(nanoseconds: .min)), at: entries.count - later)
            lastSeq &+= 1
        }
        unkeptSeq = nil
        let missed = entries.suffix(Int(lastSeq - seq))
        return missed.enumerated().compactMap { index, entry in
            entry.notification.map { (seq &+ 1 &+ UInt64(index), $0) }
        }
    }

    private var count: Int { entries.count - first }

    /// Longer: a slower sweep or resume misses nothing; more memory for busy clients.
    private static let margin: Duration = .seconds(30)
}
