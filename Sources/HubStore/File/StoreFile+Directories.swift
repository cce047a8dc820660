import HubAccountData
import HubEngine

/// Call directories: contents and their description are written in one transaction, so that there is never half of one.
extension StoreFile {
    /// The row ID of a call directory, which is created if it is missing.
    func directory(_ identifier: String, of account: Int64) throws(StoreError) -> Int64 {
        let key = DatabaseValue.text(identifier.key)
        let known = try first(
            "SELECT id FROM directories WHERE account = ? AND key = ?",
            .integer(account),
            key
        ) { $0.integer(0) }
        if let known { return known }
        try run(
            "INSERT INTO directories (account, key, identifier) VALUES (?, ?, ?)",
            .integer(account),
            key,
            .text(identifier)
        )
        return database.lastInsertedRow
    }

    /// Writes a call directory's contents; only changed chunks, if the stored ones are cached.
    func put(
        _ contents: DirectoryContents,
        _ identifier: String,
        loadedAt: Instant,
        title: String?,
        of account: Int64
    ) throws(StoreError) {
        let id = try directory(identifier, of: account)
        try run(
            "UPDATE directories SET loaded_at = ?, title = ?, blocking = ?, identification = ? WHERE id = ?",
            .integer(loadedAt.nanoseconds),
            title.map { .text($0) } ?? .null,
            .integer(Int64(contents.blockingCount)),
            .integer(Int64(contents.identificationCount)),
            .integer(id)
        )
        var written: [ChunkKey: DirectoryContents.Chunk] = [:]
        if let known = cache.contents[id] {
            for chunk in known.chunks { written[ChunkKey(chunk)] = chunk }
        } else {
            try run("DELETE FROM directory_chunks WHERE directory = ?", .integer(id))
        }
        for chunk in contents.chunks where written.removeValue(forKey: ChunkKey(chunk)) != chunk {
            try put(chunk, of: id)
        }
        for name in written.keys { try remove(name, of: id) }
        cache.contents[id] = contents
    }

    /// The key of a chunk within its directory.
    private struct ChunkKey: Hashable {
        var kind: DirectoryContents.Chunk.Kind
        var firstNumber: Int64

        init(_ chunk: DirectoryContents.Chunk) {
            kind = chunk.kind
            firstNumber = chunk.firstNumber
        }
    }

    private func put(_ chunk: DirectoryContents.Chunk, of directory: Int64) throws(StoreError) {
        try run(
            "INSERT OR REPLACE INTO directory_chunks (directory, kind, first_number, entries) VALUES (?, ?, ?, ?)",
            .integer(directory),
            .integer(Int64(chunk.kind.rawValue)),
            .integer(chunk.firstNumber),
            .blob(chunk.bytes)
        )
    }

    private func remove(_ name: ChunkKey, of directory: Int64) throws(StoreError) {
        try run(
            "DELETE FROM directory_chunks WHERE directory = ? AND kind = ? AND first_number = ?",
            .integer(directory),
            .integer(Int64(name.kind.rawValue)),
            .integer(name.firstNumber)
        )
    }

    /// A directory's stored contents; nil: they are damaged.
    func contents(of directory: Int64, blocking: Int, identification: Int) throws(StoreError) -> DirectoryContents? {
        var chunks: [DirectoryContents.Chunk?] = []
        try rows(
            "SELECT entries FROM directory_chunks WHERE directory = ? ORDER BY kind, first_number",
            [.integer(directory)]
        ) { chunks.append(DirectoryContents.Chunk(bytes: $0.bytes(0))) }
        let whole = chunks.compactMap(\.self)
        guard whole.count == chunks.count else { return nil }
        return DirectoryContents(whole, blocking: blocking, identification: identification)
    }
}
