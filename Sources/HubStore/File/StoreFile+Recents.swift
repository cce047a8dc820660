import HubAccountData
public import HubEngine

/// The number of calls in an account's Recents, and the size of their text in bytes.
struct RecentsSize {
    var count: Int64
    var bytes: Int64
}

/// Recents: each entry is stored once, in order of arrival.
///
/// Calls of one invitation's guests share an entry, and the oldest entries are removed above the limits, as in
/// `AccountDataTable`.
extension StoreFile {
    /// Stores a completed call, unless it is stored already or its account was erased.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func addRecent(_ call: RecentCall, of account: String) throws(StoreError) {
        try atomically { () throws(StoreError) in
            guard try !isBeingErased(account) else { return }
            let id = try number(of: account)
            guard try !isStored(call.id) else { return }
            let bytes = Int64(call.byteCount)
            let former = try removeSupersededEntry(of: call, of: id)
            try insert(call, count: former + 1, bytes: bytes, of: id)
            guard var amount = try amount(of: id, justAdded: bytes) else { return }
            try trim(id, &amount)
            cache.recents[id] = amount
        }
    }

    private func isStored(_ id: RecentUUID) throws(StoreError) -> Bool {
        try first("SELECT 1 FROM recents WHERE id = ?", .blob(id.bytes)) { _ in true } ?? false
    }

    /// Removes the entry that a call of the same invitation is counted with.
    ///
    /// - Returns: The number of calls in that entry; 0: there is none.
    private func removeSupersededEntry(of call: RecentCall, of account: Int64) throws(StoreError) -> Int64 {
        guard let line = call.invitationEntryKey else { return 0 }
        let former = try first(
            """
            DELETE FROM recents WHERE account = ? AND link = ? AND outcome = ? AND is_outgoing = 0
            RETURNING count, text_bytes
            """,
            .integer(account),
            .text(line.invitation.text),
            .text(line.outcome.rawValue)
        ) { (count: $0.integer(0), bytes: $0.integer(1)) }
        guard let former else { return 0 }
        if var amount = cache.recents[account] {
            amount.count -= 1
            amount.bytes -= former.bytes
            cache.recents[account] = amount
        }
        return min(max(1, former.count), .max - 1)
    }

    private func insert(_ call: RecentCall, count: Int64, bytes: Int64, of account: Int64) throws(StoreError) {
        try run(
            """
            INSERT INTO recents (
                id, account, handle_type, handle, name, is_outgoing, outcome, is_silenced, devices, started_at,
                connected_at, ended_at, text_bytes, link, count, link_name, has_video, provider, is_unknown
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .blob(call.id.bytes),
            .integer(account),
            .integer(Int64(call.handle.type.rawValue)),
            .text(call.handle.value),
            .text(call.name),
            .flag(call.isOutgoing),
            .text(call.outcome.rawValue),
            .flag(call.isSilenced),
            .text(StoredStrings.json(call.devices)),
            .integer(call.startedAt.nanoseconds),
            .optional(call.connectedAt?.nanoseconds),
            .integer(call.endedAt.nanoseconds),
            .integer(bytes),
            call.invitation.map { .text($0.text) } ?? .null,
            .integer(count),
            call.invitationName.map { .text($0) } ?? .null,
            .flag(call.hasVideo),
            call.provider.map { .text($0) } ?? .null,
            .flag(call.isUnknown)
        )
    }

    /// The amount after a call was added; nil: there are no rows.
    private func amount(of account: Int64, justAdded bytes: Int64) throws(StoreError) -> RecentsSize? {
        if let known = cache.recents[account] {
            return RecentsSize(count: known.count + 1, bytes: known.bytes + bytes)
        }
        return try first("SELECT count(*), sum(text_bytes) FROM recents WHERE account = ?", .integer(account)) {
            RecentsSize(count: $0.integer(0), bytes: $0.integer(1))
        }
    }

    private func trim(_ account: Int64, _ amount: inout RecentsSize) throws(StoreError) {
        while amount.count > max(1, limits.maximumRecents)
            || amount.bytes > limits.maximumListBytes && amount.count > 1
        {
            let bytes = try first(
                """
                DELETE FROM recents WHERE arrival = (SELECT min(arrival) FROM recents WHERE account = ?)
                RETURNING text_bytes
                """,
                .integer(account)
            ) { $0.integer(0) }
            guard let bytes else { return }
            amount.count -= 1
            amount.bytes -= bytes
        }
    }

    func markSeen(_ ids: [RecentUUID]?, of account: Int64) throws(StoreError) {
        guard let ids else {
            return try run("UPDATE recents SET is_seen = 1 WHERE account = ? AND is_seen = 0", .integer(account))
        }
        for id in ids {
            try run("UPDATE recents SET is_seen = 1 WHERE id = ? AND account = ?", .blob(id.bytes), .integer(account))
        }
    }

    func removeRecents(_ ids: [RecentUUID]?, of account: Int64) throws(StoreError) {
        cache.recents[account] = nil
        guard let ids else {
            return try run("DELETE FROM recents WHERE account = ?", .integer(account))
        }
        for id in ids {
            try run("DELETE FROM recents WHERE id = ? AND account = ?", .blob(id.bytes), .integer(account))
        }
    }

    /// Removes calls that ended before a time, a limited number of them at once.
    ///
    /// - Parameters:
    ///   - moment: The time before which the removed calls ended.
    ///   - limit: The maximum number of calls to remove, at least 1.
    /// - Returns: The number of removed calls; if it is below the limit, there are no more.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func expireRecents(endedBefore moment: Instant, atMost limit: Int) throws(StoreError) -> Int {
        try atomically { () throws(StoreError) in
            try run(
                "DELETE FROM recents WHERE arrival IN (SELECT arrival FROM recents WHERE ended_at < ? LIMIT ?)",
                .integer(moment.nanoseconds),
                .integer(Int64(max(1, limit)))
            )
            cache.recents = [:]
            return database.changedRows
        }
    }
}

extension Identifier {
    /// The 16 bytes in the order of RFC 9562.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    }

    /// Decodes 16 bytes in the order of RFC 9562; nil: there are more or fewer.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }
}
