import Glibc
import HubEngine

/// The calls that are over but not in the database yet, in mapped memory that outlives a killed hub.
///
/// It is a file of the hub's own, and neither SQLite's rollback journal nor its write-ahead log.
///
/// A preallocated file of fixed size is mapped into memory. An entry is written by storing bytes there, without a
/// system call and without waiting. The store's thread frees the entries that are in the database. For one thread at a
/// time.
final class RecentsJournal {
    /// The number by which the database identifies the journal.
    let id: Int64
    /// The position of the next entry.
    private(set) var end: UInt64 = 0
    /// The position before which the database has all entries.
    private var start: UInt64 = 0
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private var scratch: [UInt8] = []

    /// Creates an empty journal in place of an existing file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - wanted: The size of the ring in bytes, rounded up to whole pages.
    /// - Throws: `StoreError` with a sentence that names the path.
    init(replacing path: String, capacity wanted: Int) throws(StoreError) {
        let pages = (max(1, min(wanted, Self.maximumCapacity)) + 4_095) / 4_096
        capacity = pages * 4_096
        // A random number that no other journal has.
        id = Int64.random(in: 1 ... .max)
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(new, errno) }
        defer { close(descriptor) }
        let size = JournalLayout.headerBytes + capacity
        // All blocks are allocated: a store to mapped memory that has no disk space behind it kills the process.
        let fault = posix_fallocate(descriptor, 0, off_t(size))
        guard fault == 0 else {
            unlink(new)
            throw Self.failure(path, fault)
        }
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { throw Self.failure(path, errno) }
        memory = mapped
        mapped.copyMemory(from: JournalLayout.header(id: id, capacity: capacity), at: 0)
        guard rename(new, path) == 0 else { throw Self.failure(path, errno) }
    }

    deinit {
        munmap(memory, JournalLayout.headerBytes + capacity)
    }

    private static func failure(_ path: String, _ code: CInt) -> StoreError {
        let reason = String(cString: strerror(code))
        return .cannot("made", path, reason, instead: "make room for it, or name another file")
    }

    /// Appends an entry, which then outlives the process; returns its end, or nil if the ring is full.
    func append(_ entry: JournalEntry) -> UInt64? {
        scratch.removeAll(keepingCapacity: true)
        entry.append(to: &scratch)
        let paddedSize = JournalLayout.paddedSize(for: scratch.count)
        guard paddedSize <= capacity - Int(end - start) else { return nil }
        let frame = JournalLayout.frame(of: scratch[...], id: id, position: end)
        store(frame, at: end)
        store(scratch, at: end + UInt64(JournalLayout.frameBytes))
        end += UInt64(paddedSize)
        return end
    }

    /// Frees the entries that end at a position or before.
    func release(to position: UInt64) {
        start = min(max(start, position), end)
    }

    /// Stores bytes in the ring, wrapping around at its end.
    private func store(_ bytes: [UInt8], at position: UInt64) {
        let offset = Int(position % UInt64(capacity))
        let first = min(bytes.count, capacity - offset)
        memory.copyMemory(from: bytes[..<first], at: JournalLayout.headerBytes + offset)
        memory.copyMemory(from: bytes[first...], at: JournalLayout.headerBytes)
    }

    /// The maximum size of the ring in bytes: more than any hub needs, and quick to read at the start.
    static let maximumCapacity = 256 << 20
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: some Sequence<UInt8>, at offset: Int) {
        _ = bytes.withContiguousStorageIfAvailable { source in
            guard let start = source.baseAddress else { return }
            (self + offset).copyMemory(from: start, byteCount: source.count)
        }
    }
}
