import HubEngine

/// A session's last notifications, as they went out: what a client that lost its connection is told again (docs/protocol.md,
/// Session, Resume).
struct ReplayLog {
    private struct Entry {
        var bytes: [UInt8]
        var sentAt: Instant
    }

    private var entries: [Entry] = []
    private var first = 0
    private var byteCount = 0
    /// What is told again in one go must fit in what may wait for a connection, with the answer before it.
    private let maximumBytes: Int
    /// A client may have missed what was sent since its connection died, which the hub found out later.
    private let keptFor: Duration
    /// The number of the last notification; 0: there was none.
    private(set) var lastSeq: UInt64 = 0

    /// The number that the next notification has.
    var nextSeq: UInt64 { lastSeq &+ 1 }

    /// An empty log.
    init(_ settings: HubSettings) {
        maximumBytes = settings.transport.maximumQueuedTextBytes * 3 / 4
        keptFor = settings.resumeGrace + settings.transport.silenceTimeout + Self.margin
    }

    /// Keeps a notification, and forgets what no client can have missed any more.
    mutating func append(_ bytes: [UInt8], at now: Instant) {
        lastSeq &+= 1
        entries.append(Entry(bytes: bytes, sentAt: now))
        byteCount += bytes.count
        while count > 1, byteCount > maximumBytes || now.since(entries[first].sentAt) > keptFor {
            byteCount -= entries[first].bytes.count
            entries[first].bytes = []
            first += 1
        }
        guard first > 64, first > entries.count / 2 else { return }
        entries.removeFirst(first)
        first = 0
    }

    /// What came after notification `seq`, in order; nil where that is not known any more, or `seq` was never sent.
    func after(_ seq: UInt64) -> ArraySlice<[UInt8]>? {
        guard seq <= lastSeq, lastSeq - seq <= UInt64(count) else { return nil }
        return entries.suffix(Int(lastSeq - seq)).map(\.bytes)[...]
    }

    private var count: Int { entries.count - first }

    /// Longer: a slower sweep or resume misses nothing; more memory for busy clients.
    private static let margin: Duration = .seconds(30)
}
