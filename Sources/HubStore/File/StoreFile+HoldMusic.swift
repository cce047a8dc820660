import HubEngine

/// The music for parties on hold: that of each account, and the hub's own.
extension StoreFile {
    /// The maximum number of bytes of an account's music, and of the hub's.
    ///
    /// More: more music, some 80 minutes with it; backups and the hub's memory are the larger.
    public static let maximumHoldMusicBytes = 20_000_000

    /// Lists the music of an account, in the order in which it is played.
    ///
    /// - Parameter account: The name of the account; nil: the hub's own music.
    /// - Returns: The tracks without their packets.
    /// - Throws: `StoreError` of the kind `noSuchAccount`; `busy`, `corrupt`, `inputOutput` or `fault`.
    public func holdMusic(of account: String?) throws(StoreError) -> [StoredTrack] {
        let id = try account.map { name throws(StoreError) in try requiredID(name) }
        var tracks: [StoredTrack] = []
        try rows(
            "SELECT id, name, packets, length(data) FROM hold_music WHERE account IS ? ORDER BY id",
            [.optional(id)]
        ) {
            tracks.append(
                StoredTrack(id: $0.integer(0), name: $0.text(1), packets: Int($0.integer(2)), bytes: Int($0.integer(3)))
            )
        }
        return tracks
    }

    /// Adds a track behind the others of an account.
    ///
    /// - Parameters:
    ///   - data: The packets, as `EncodedTrack.bytes`.
    ///   - packets: Their number.
    ///   - name: The name to show.
    ///   - account: The name of the account; nil: the hub's own music.
    /// - Returns: The track's identifier.
    /// - Throws: `StoreError` of the kind `noSuchAccount`, `invalidArgument` beyond `maximumHoldMusicBytes`; `full`,
    ///   `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing has changed.
    @discardableResult
    public func addHoldMusic(
        _ data: [UInt8],
        packets: Int,
        name: String,
        to account: String?
    ) throws(StoreError) -> Int64 {
        try atomically { () throws(StoreError) in
            let used = try holdMusic(of: account).reduce(0) { $0 + $1.bytes }
            guard used + data.count <= Self.maximumHoldMusicBytes else {
                let megabytes = Self.maximumHoldMusicBytes / 1_000_000
                let sentence = "with \(name) there would be more than \(megabytes) MB of music; remove some first"
                throw StoreError(.invalidArgument, sentence)
            }
            let id = try account.map { name throws(StoreError) in try requiredID(name) }
            return try first(
                "INSERT INTO hold_music (account, name, packets, data) VALUES (?, ?, ?, ?) RETURNING id",
                .optional(id),
                .text(name),
                .integer(Int64(packets)),
                .blob(data)
            ) { $0.integer(0) } ?? 0
        }
    }

    /// Removes a track of an account, or of the hub's own music (nil); false: there is none with the identifier.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount`; `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or
    ///   `fault`; then nothing has changed.
    public func removeHoldMusic(_ track: Int64, of account: String?) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            let id = try account.map { name throws(StoreError) in try requiredID(name) }
            let removed = try first(
                "DELETE FROM hold_music WHERE id = ? AND account IS ? RETURNING 1",
                .integer(track),
                .optional(id)
            ) { _ in true }
            return removed ?? false
        }
    }

    /// Reads the music that an account's held parties receive: its own, or else the hub's.
    ///
    /// - Parameters:
    ///   - account: The name of the account.
    ///   - known: The identifiers of the tracks that the caller has.
    /// - Returns: The identifiers, and the tracks in the same order unless the identifiers are the known ones.
    /// - Throws: `StoreError` of the kind `busy`, `corrupt`, `inputOutput` or `fault`.
    public func playedHoldMusic(of account: String, unless known: [Int64]) throws(StoreError) -> PlayedHoldMusic {
        let owner = try first("SELECT id FROM accounts WHERE key = ?", .text(account.nameKey)) { $0.integer(0) }
        var ids: [Int64] = []
        for owner in owner.map({ [$0, nil] }) ?? [nil] where ids.isEmpty {
            try rows("SELECT id FROM hold_music WHERE account IS ? ORDER BY id", [.optional(owner)]) {
                ids.append($0.integer(0))
            }
        }
        guard ids != known else { return PlayedHoldMusic(ids: ids, tracks: nil) }
        var tracks: [[UInt8]] = []
        for id in ids {
            try rows("SELECT data FROM hold_music WHERE id = ?", [.integer(id)]) { tracks.append($0.bytes(0)) }
        }
        return PlayedHoldMusic(ids: ids, tracks: tracks)
    }

    private func requiredID(_ account: String) throws(StoreError) -> Int64 {
        let id = try first("SELECT id FROM accounts WHERE key = ?", .text(account.nameKey)) { $0.integer(0) }
        guard let id else { throw StoreError(.noSuchAccount, "there is no account \"\(account)\"; name another one") }
        return id
    }
}
