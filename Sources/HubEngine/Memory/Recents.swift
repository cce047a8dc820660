/// An entry of Recents, and whether the user has looked at it.
public struct RecentEntry: Hashable, Sendable {
    /// The call.
    public var call: RecentCall
    /// Whether a client said that the user has seen it.
    public var isSeen: Bool
    /// The number of calls that the entry is for, 1 or more: the last of them is `call`.
    ///
    /// More than 1 only where the calls are of one link's guests.
    public var count: Int

    /// An entry of its parts.
    public init(_ call: RecentCall, isSeen: Bool = false, count: Int = 1) {
        self.call = call
        self.isSeen = isSeen
        self.count = count
    }
}

/// An account's last calls (callkit.md 2.11; row CK-71).
struct Recents: Hashable, Sendable {
    /// How many a page has where the client names no number.
    static let defaultPage = 100

    /// The oldest first, so that a new one is appended.
    private var entries: [RecentEntry] = []
    private var byteCount = 0

    /// All of them, the oldest first.
    var all: [RecentEntry] { entries }

    /// Adds a call that is over, in place of the oldest where it is one too many.
    ///
    /// A call that shares its entry with others of its link's guests takes their place: the newest one, and not seen.
    mutating func add(_ call: RecentCall, limits: MemoryLimits) {
        var entry = RecentEntry(call)
        if let line = call.linkLine, let index = entries.lastIndex(where: { $0.call.linkLine == line }) {
            let former = entries.remove(at: index)
            byteCount -= former.call.byteCount
            entry.count = min(former.count, .max - 1) + 1
        }
        add(entry, limits: limits)
    }

    /// Adds an entry, in place of the oldest where it is one too many.
    mutating func add(_ entry: RecentEntry, limits: MemoryLimits) {
        entries.append(entry)
        byteCount += entry.call.byteCount
        var surplus = 0
        while entries.count - surplus > max(1, limits.maximumRecents)
            || byteCount > limits.maximumListBytes && entries.count - surplus > 1
        {
            byteCount -= entries[surplus].call.byteCount
            surplus += 1
        }
        if surplus > 0 { entries.removeFirst(surplus) }
    }

    /// A page, the newest first, as one of the account's devices sees it.
    ///
    /// - Parameters:
    ///   - device: What was answered on another one it sees as answered elsewhere (decision D9).
    ///   - limit: How many at most.
    ///   - before: The entry before which the page begins; nil: at the newest.
    /// - Returns: The entries.
    /// - Throws: Where there is no entry `before`.
    func page(for device: String, limit: Int, before: RecentUUID?) throws(MemoryRefusal) -> [RecentEntry] {
        var end = entries.count
        if let before {
            guard let index = entries.lastIndex(where: { $0.call.id == before }) else {
                throw .notFound("params.before names no entry of Recents; it may have been removed, so begin anew")
            }
            end = index
        }
        return entries[..<end].suffix(max(0, limit)).reversed().map { $0.seen(by: device) }
    }

    /// Notes that the user has seen some, or all; false where nothing changes.
    mutating func markSeen(_ ids: [RecentUUID]?) -> Bool {
        let wanted = ids.map { Set($0) }
        var isChanged = false
        for index in entries.indices where !entries[index].isSeen && wanted?.contains(entries[index].call.id) ?? true {
            entries[index].isSeen = true
            isChanged = true
        }
        return isChanged
    }

    /// Removes some, or all; false where nothing changes.
    mutating func remove(_ ids: [RecentUUID]?) -> Bool {
        let count = entries.count
        if let wanted = ids.map({ Set($0) }) {
            entries.removeAll { wanted.contains($0.call.id) }
        } else {
            entries = []
        }
        byteCount = entries.reduce(0) { $0 + $1.call.byteCount }
        return entries.count != count
    }
}

extension Recents {
    /// Removes those of calls that ended before a moment; false where there are none.
    mutating func remove(endedBefore moment: Instant) -> Bool {
        remove(entries.filter { $0.call.endedAt < moment }.map(\.call.id))
    }
}

extension RecentEntry {
    /// The entry as one of the account's devices sees it; whose business it was is told to nobody.
    fileprivate func seen(by device: String) -> RecentEntry {
        var entry = self
        if !call.isOutgoing, call.outcome == .answered, !call.devices.contains(device) {
            entry.call.outcome = .answeredElsewhere
        }
        entry.call.devices = []
        return entry
    }
}

extension RecentCall {
    /// How much text it is, for the limit on all of an account's.
    package var byteCount: Int {
        devices.reduce(handle.value.utf8.count + name.utf8.count + (link?.text.utf8.count ?? 0)) { $0 + $1.utf8.count }
    }
}
