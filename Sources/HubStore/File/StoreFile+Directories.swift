import HubAccountData
import HubEngine

/// Call directories: an image and its description are written in one transaction, so that there is never half of one.
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

    /// Writes a call directory's image; only changed chunks, if the stored ones are cached.
    func put(
        _ image: DirectoryImage,
        _ identifier: String,
        loadedAt: Instant,
        of account: Int64
    ) throws(StoreError) {
        let id = try directory(identifier, of: account)
        try run(
            "UPDATE directories SET loaded_at = ?, blocking = ?, identification = ? WHERE id = ?",
            .integer(loadedAt.nanoseconds),
            .integer(Int64(image.blockingCount)),
            .integer(Int64(image.identificationCount)),
            .integer(id)
        )
        var written: [ChunkKey: DirectoryImage.Chunk] = [:]
        if let known = cache.images[id] {
            for chunk in known.chunks { written[ChunkKey(chunk)] = chunk }
        } else {
            try run("DELETE FROM directory_chunks WHERE directory = ?", .integer(id))
        }
        for chunk in image.chunks where written.removeValue(forKey: ChunkKey(chunk)) != chunk {
            try put(chunk, of: id)
        }
        for name in written.keys { try remove(name, of: id) }
        cache.images[id] = image
    }

    /// The key of a chunk within its directory.
    private struct ChunkKey: Hashable {
        var kind: DirectoryImage.Chunk.Kind
        var firstNumber: Int64

        init(_ chunk: DirectoryImage.Chunk) {
            kind = chunk.kind
            firstNumber = chunk.firstNumber
        }
    }

    private func put(_ chunk: DirectoryImage.Chunk, of directory: Int64) throws(StoreError) {
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

    /// A directory's stored image; nil: it is damaged.
    func image(of directory: Int64, blocking: Int, identification: Int) throws(StoreError) -> DirectoryImage? {
        var chunks: [DirectoryImage.Chunk?] = []
        try rows(
            "SELECT entries FROM directory_chunks WHERE directory = ? ORDER BY kind, first_number",
            [.integer(directory)]
        ) { chunks.append(DirectoryImage.Chunk(bytes: $0.bytes(0))) }
        let whole = chunks.compactMap(\.self)
        guard whole.count == chunks.count else { return nil }
        return DirectoryImage(whole, blocking: blocking, identification: identification)
    }
}
