import HubEngine

/// An account's recent calls (callkit-semantics.md 2.11; row CK-71).
struct Recents: Hashable, Sendable {
    /// The number of entries of a page, if the client requests none.
    static let defaultPage = 100

    /// Oldest first, so that a new entry is appended.
    private var entries: [RecentEntry] = []
    private var byteCount = 0

    /// All entries, oldest first.
    var all: [RecentEntry] { entries }

    /// Adds a finished call, and removes the oldest entries above the limits.
    ///
    /// A call that shares its entry with others of its invitation's guests replaces it: the entry is the newest, and
    /// unseen.
    mutating func add(_ call: RecentCall, limits: AccountDataLimits) {
        var entry = RecentEntry(call)
        if let line = call.invitationEntryKey,
            let index = entries.lastIndex(where: { $0.call.invitationEntryKey == line })
        {
            let former = entries.remove(at: index)
            byteCount -= former.call.byteCount
            entry.count = min(former.count, .max - 1) + 1
        }
        add(entry, limits: limits)
    }

    /// Adds an entry, and removes the oldest entries above the limits.
    mutating func add(_ entry: RecentEntry, limits: AccountDataLimits) {
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

    /// Returns a page, newest first, as one of the account's devices sees it.
    ///
    /// - Parameters:
    ///   - device: The device identifier; calls answered on others appear as answered elsewhere (decision D9).
    ///   - limit: The maximum number of entries.
    ///   - before: The entry after which the page begins, towards older ones; nil: at the newest.
    /// - Returns: The entries, newest first.
    /// - Throws: `notFound` if there is no entry `before`.
    func page(for device: String, limit: Int, before: RecentUUID?) throws(AccountDataError) -> [RecentEntry] {
        var end = entries.count
        if let before {
            guard let index = entries.lastIndex(where: { $0.call.id == before }) else {
                throw .notFound(
                    "params.before names no entry of Recents; it may have been removed, so start without it"
                )
            }
            end = index
        }
        return entries[..<end].suffix(max(0, limit)).reversed().map { $0.seen(by: device) }
    }

    /// Marks some entries, or all, as seen; false if nothing changes.
    mutating func markSeen(_ ids: [RecentUUID]?) -> Bool {
        let wanted = ids.map { Set($0) }
        var isChanged = false
        for index in entries.indices where !entries[index].isSeen && wanted?.contains(entries[index].call.id) ?? true {
            entries[index].isSeen = true
            isChanged = true
        }
        return isChanged
    }

    /// Removes some entries, or all; false if nothing changes.
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
    /// Removes the entries of calls that ended before a moment; false if there are none.
    mutating func remove(endedBefore moment: Instant) -> Bool {
        remove(entries.filter { $0.call.endedAt < moment }.map(\.call.id))
    }
}

extension RecentEntry {
    /// Returns the entry as one of the account's devices sees it; the other devices' identifiers are removed.
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
    /// The size of the entry's text in bytes, for the limit of all entries of an account.
    package var byteCount: Int {
        let names = name.utf8.count + (invitation?.text.utf8.count ?? 0) + (invitationName?.utf8.count ?? 0)
        let others = handle.value.utf8.count + (provider?.utf8.count ?? 0)
        return devices.reduce(others + names) { $0 + $1.utf8.count }
    }
}
