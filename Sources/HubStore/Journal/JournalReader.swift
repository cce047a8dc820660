import Glibc

/// Reads the journal that an earlier hub has left.
struct JournalReader {
    /// The result of reading a journal.
    enum JournalContents {
        /// There is no file, or one without entries.
        case nothing
        /// The entries that the database may lack, and the position after the last of them.
        case entries([JournalEntry], end: UInt64)
        /// The file cannot be trusted; the reason.
        case unusable(String)
    }

    let path: String

    /// Reads the entries from a position on, if the file is the journal with the number that the database has.
    func read(id: Int64?, from position: UInt64) -> JournalContents {
        guard let file = bytes() else { return .nothing }
        guard let found = JournalLayout.id(of: file) else { return .unusable("it is damaged, or no journal") }
        let ring = file[JournalLayout.headerBytes...]
        guard found == id else {
            // A hub that was killed at its start leaves a new journal whose number is not in the database yet.
            let isNew = ring.prefix(JournalLayout.frameBytes).allSatisfy { $0 == 0 }
            return isNew ? .nothing : .unusable("it belongs to another database")
        }
        return Self.entries(in: ring, id: found, from: position)
    }

    private static func entries(in ring: ArraySlice<UInt8>, id: Int64, from start: UInt64) -> JournalContents {
        var entries: [JournalEntry] = []
        var position = start
        // At most as many bytes as the ring has, whatever they contain.
        while position - start < UInt64(ring.count) {
            let frame = bytes(in: ring, at: position, JournalLayout.frameBytes)
            let length = frame.word(at: 0)
            guard length > 0, length <= UInt64(ring.count - JournalLayout.frameBytes) else { break }
            let payload = bytes(in: ring, at: position &+ UInt64(JournalLayout.frameBytes), Int(length))
            let checksum = JournalLayout.checksum(of: payload[...], id: id, position: position)
            guard frame.word(at: 8) == checksum else { break }
            guard let entry = JournalEntry(payload[...]) else {
                return .unusable("an entry is not what this hub writes")
            }
            entries.append(entry)
            let (next, overflow) = position.addingReportingOverflow(UInt64(JournalLayout.paddedSize(for: Int(length))))
            guard !overflow else { break }
            position = next
        }
        return entries.isEmpty ? .nothing : .entries(entries, end: position)
    }

    /// Reads bytes of the ring, wrapping around at its end.
    private static func bytes(in ring: ArraySlice<UInt8>, at position: UInt64, _ count: Int) -> [UInt8] {
        let offset = Int(position % UInt64(ring.count))
        let first = ring[(ring.startIndex + offset)...].prefix(count)
        return Array(first) + ring.prefix(count - first.count)
    }

    /// The content of the file, empty if it is unusable; nil: there is no file.
    private func bytes() -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT ? nil : [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= RecentsJournal.maximumCapacity + JournalLayout.headerBytes
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 else { break }
            filled += count
        }
        return filled == bytes.count ? bytes : []
    }
}
