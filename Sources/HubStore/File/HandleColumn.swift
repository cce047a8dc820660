import HubEngine

/// The columns of a table that have handles of other parties.
struct HandleColumn {
    let table: String
    let type: String
    let value: String
    /// True if the table has the size of the row's text.
    var hasTextSize = false

    /// All tables of account data with handles, in the fifth version of the schema.
    static let all = [
        HandleColumn(table: "block_rules", type: "type", value: "value"),
        HandleColumn(table: "contact_handles", type: "type", value: "value"),
        HandleColumn(table: "recents", type: "handle_type", value: "handle", hasTextSize: true),
    ]

    /// Replaces a handle in all rows, in the spellings that were equal to it when names were compared by case.
    func replace(
        _ former: Handle,
        by present: Handle,
        in database: borrowing Database
    ) throws(DatabaseError) {
        var spellings: [String] = []
        try database.rows(
            "SELECT DISTINCT \(value) FROM \(table) WHERE \(type) = ?",
            [.integer(Int64(former.type.rawValue))]
        ) { row in
            let spelling = row.text(0)
            if spelling == former.value { spellings.append(spelling) }
        }
        for spelling in spellings {
            let growth = present.value.utf8.count - spelling.utf8.count
            let size = hasTextSize ? ", text_bytes = text_bytes + (\(growth))" : ""
            try database.rows(
                "UPDATE \(table) SET \(type) = ?, \(value) = ?\(size) WHERE \(type) = ? AND \(value) = ?",
                [
                    .integer(Int64(present.type.rawValue)), .text(present.value),
                    .integer(Int64(former.type.rawValue)), .text(spelling),
                ]
            )
        }
    }
}

/// The invitations to handles that other accounts have now; their tokens would lead their guests to these accounts.
struct InvitationsToFormerHandles {
    /// The number of invitations that were revoked, by the account whose handle they called.
    private(set) var count: [Int64: Int] = [:]

    /// Revokes the invitations to a handle that is another account's now.
    mutating func revoke(
        _ former: Handle,
        _ present: Handle,
        of account: Int64,
        in database: borrowing Database
    ) throws(DatabaseError) {
        var found: [(id: String, isLive: Bool)] = []
        try database.rows(
            """
            SELECT id, callee, revoked_at IS NULL AND expires_at > \(Self.now) FROM links WHERE callee_type = ?
            """,
            [.integer(Int64(former.type.rawValue))]
        ) { row in
            if row.text(1) == former.value { found.append((row.text(0), row.flag(2))) }
        }
        for (id, isLive) in found {
            try database.rows(
                """
                UPDATE links SET callee_type = ?, callee = ?, revoked_at = coalesce(revoked_at, \(Self.now))
                WHERE id = ?
                """,
                [.integer(Int64(present.type.rawValue)), .text(present.value), .text(id)]
            )
            if isLive { count[account, default: 0] += 1 }
        }
    }

    /// The current time in nanoseconds, as SQL.
    private static let now = "(CAST(strftime('%s', 'now') AS INTEGER) * 1000000000)"
}
