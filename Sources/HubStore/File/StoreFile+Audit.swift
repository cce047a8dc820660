import HubCrypto
public import HubEngine
public import HubWire

/// The audit log of administrative acts: a chain of entries, each with the SHA-256 of the one before.
extension StoreFile {
    /// Stores an entry, at the end of the chain.
    ///
    /// - Parameters:
    ///   - act: The act; texts are cut at 256 characters.
    ///   - actor: The person or program.
    ///   - result: The outcome.
    ///   - reason: The reason of a refusal; nil: there was none.
    /// - Returns: The entry's number and hash.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func record(
        _ act: AuditAct,
        by actor: AuditActor,
        _ result: AuditResult = .done,
        reason: String? = nil
    ) throws(StoreError) -> AuditHead {
        try atomically { () throws(StoreError) in
            var last = try auditHead()
            if last == nil { last = try auditStart() }
            var entry = AuditEntry(
                // After a number that was removed at the end, so that the gap stays.
                number: max(last?.number ?? 0, try highestAuditNumber()) &+ 1,
                at: Instant(nanoseconds: clock().nanoseconds / 1_000_000 * 1_000_000),
                by: actor.bounded,
                act.bounded,
                result,
                reason: reason?.bounded,
                after: last?.hash ?? Self.noHash
            )
            entry.hash = SHA256.digest(entry.hashedBytes)
            try insert(entry)
            return AuditHead(number: entry.number, hash: entry.hash)
        }
    }

    /// Performs an act and stores its entry in one transaction; the entry of one that is refused says so.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - actor: The person or program.
    ///   - work: The act's changes.
    /// - Returns: The result of the act, or its refusal: `noSuchAccount`, `accountExists`, `handleTaken`,
    ///   `lastAdministrator` or `invalidArgument`.
    /// - Throws: `StoreError` of another kind; then nothing has changed, and nothing is stored of the act.
    public func audited<Value>(
        _ act: AuditAct,
        by actor: AuditActor,
        _ work: () throws(StoreError) -> Value
    ) throws(StoreError) -> Result<Value, StoreError> {
        try atomically { () throws(StoreError) in
            let outcome: Result<Value, StoreError>
            do throws(StoreError) {
                outcome = .success(try atomically(work))
            } catch {
                guard error.isRefusal else { throw error }
                outcome = .failure(error)
            }
            switch outcome {
            case .success: try record(act, by: actor)
            case .failure(let refusal): try record(act, by: actor, .refused, reason: refusal.message)
            }
            return outcome
        }
    }

    /// Reads entries, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number that all have to be below; nil: no limit.
    ///   - since: The time that none is before; nil: no limit.
    ///   - limit: The maximum number of entries.
    /// - Returns: The entries.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func auditEntries(
        before number: Int64? = nil,
        since: Instant? = nil,
        limit: Int = .max
    ) throws(StoreError) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        try rows(
            "SELECT \(Self.auditColumns) FROM audit WHERE number < ? AND at >= ? ORDER BY number DESC LIMIT ?",
            [
                .integer(number ?? .max), .integer(since?.nanoseconds ?? .min),
                .integer(Int64(clamping: limit)),
            ]
        ) { row in
            if let entry = AuditEntry(row) { entries.append(entry) }
        }
        return entries
    }

    /// The last entry; nil: there is none.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func auditHead() throws(StoreError) -> AuditHead? {
        try first("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1") {
            AuditHead(number: $0.integer(0), hash: $0.bytes(1))
        }
    }

    /// Removes entries from before a time, and stores an entry that says so, which `verifyAudit` requires.
    ///
    /// - Parameter moment: The time.
    /// - Returns: The number of entries that were removed.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func pruneAudit(before moment: Instant) throws(StoreError) -> Int {
        try atomically { () throws(StoreError) in
            // Up to the first entry that is kept: a clock that was set back must not leave a gap.
            let last = try first(
                """
                SELECT number, hash FROM audit
                WHERE number < coalesce((SELECT min(number) FROM audit WHERE at >= ?), 9223372036854775807)
                ORDER BY number DESC LIMIT 1
                """,
                .integer(moment.nanoseconds)
            ) { AuditHead(number: $0.integer(0), hash: $0.bytes(1)) }
            guard let last else { return 0 }
            let act = AuditAct(Self.pruning, on: String(last.number), last.hash.hexadecimal)
            try record(act, by: AuditActor(.server))
            var count = 0
            try rows("DELETE FROM audit WHERE number <= ? RETURNING 1", [.integer(last.number)]) { _ in count += 1 }
            try run(
                "INSERT OR REPLACE INTO audit_start (only, number, hash) VALUES (1, ?, ?)",
                .integer(last.number),
                .blob(last.hash)
            )
            return count
        }
    }

    /// Verifies the chain: that no entry was changed, removed or moved since it was stored.
    ///
    /// It does not find that the last entries were removed by someone who knows the format, nor that all from one on
    /// were written anew; for that, the head is to be compared with one that was noted elsewhere.
    ///
    /// - Returns: The number of entries, the head, and the first fault.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func verifyAudit() throws(StoreError) -> AuditVerification {
        let start = try auditStart()
        var chain = AuditChain(after: start)
        try rows("SELECT \(Self.auditColumns) FROM audit ORDER BY number") { row in
            chain.add(AuditEntry(row), number: row.integer(0))
        }
        return chain.verification(highestNumber: try highestAuditNumber())
    }

    // MARK: Parts

    /// The last entry that was removed for its age; nil: none was.
    private func auditStart() throws(StoreError) -> AuditHead? {
        try first("SELECT number, hash FROM audit_start") { AuditHead(number: $0.integer(0), hash: $0.bytes(1)) }
    }

    /// The highest number that any entry has had.
    private func highestAuditNumber() throws(StoreError) -> Int64 {
        try first("SELECT seq FROM sqlite_sequence WHERE name = 'audit'") { $0.integer(0) } ?? 0
    }

    private func insert(_ entry: AuditEntry) throws(StoreError) {
        func text(_ value: String?) -> DatabaseValue { value.map { .text($0) } ?? .null }
        try run(
            "INSERT INTO audit (\(Self.auditColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .integer(entry.number),
            .integer(entry.at.nanoseconds),
            .text(entry.actor.origin.rawValue),
            text(entry.actor.account),
            text(entry.actor.device),
            text(entry.actor.address),
            text(entry.actor.user),
            .text(entry.act.name),
            text(entry.act.target),
            text(entry.act.detail),
            .text(entry.result.rawValue),
            text(entry.reason),
            .blob(entry.previous),
            .blob(entry.hash)
        )
    }

    private static let auditColumns =
        "number, at, origin, account, device, address, user, act, target, detail, result, reason, previous, hash"

    /// The act of removing old entries; its target is the last one's number, its detail that one's hash.
    static let pruning = "audit.prune"

    /// The hash before the first entry.
    static let noHash = [UInt8](repeating: 0, count: 32)
}

extension AuditEntry {
    /// Decodes a row; nil if a column is not valid.
    fileprivate init?(_ row: borrowing Row) {
        guard let origin = AuditActor.Origin(rawValue: row.text(2)), let result = AuditResult(rawValue: row.text(10))
        else { return nil }
        self.init(
            number: row.integer(0),
            at: Instant(nanoseconds: row.integer(1)),
            by: AuditActor(
                origin,
                account: row.optionalText(3),
                device: row.optionalText(4),
                address: row.optionalText(5),
                user: row.optionalText(6)
            ),
            AuditAct(row.text(7), on: row.optionalText(8), row.optionalText(9)),
            result,
            reason: row.optionalText(11),
            after: row.bytes(12)
        )
        hash = row.bytes(13)
    }
}

extension StoreError {
    /// Indicates that the act is refused in the state of the accounts, not for want of a working disk.
    fileprivate var isRefusal: Bool {
        switch kind {
        case .noSuchAccount, .accountExists, .handleTaken, .lastAdministrator, .invalidArgument: true
        default: false
        }
    }
}

extension AuditActor {
    fileprivate var bounded: AuditActor {
        AuditActor(
            origin,
            account: account?.bounded,
            device: device?.bounded,
            address: address?.bounded,
            user: user?.bounded
        )
    }
}

extension AuditAct {
    fileprivate var bounded: AuditAct { AuditAct(name, on: target?.bounded, detail?.bounded) }
}

extension String {
    /// The first 256 characters, without NUL, at which SQLite's own tools end a text.
    fileprivate var bounded: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(256).map { $0.value == 0 ? "\u{FFFD}" : $0 }))
    }
}
