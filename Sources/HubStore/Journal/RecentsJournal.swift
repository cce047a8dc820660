import Glibc
import HubEngine

/// Calls that are over and not yet in the database, in memory that the system keeps when the hub is killed.
///
/// A file of fixed size, all of it on the disk from the start, is mapped into memory; an entry is written by storing bytes there: no
/// system call, no wait. The store's thread frees what the database has. One thread at a time.
final class RecentsJournal {
    /// Which journal it is, for the database.
    let id: Int64
    /// Where the next entry begins.
    private(set) var end: UInt64 = 0
    /// Before it, the database has everything.
    private var start: UInt64 = 0
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private var scratch: [UInt8] = []

    /// Makes an empty journal in place of whatever was there.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - wanted: The ring's bytes, rounded up to whole pages.
    /// - Throws: `StoreFailure` with a sentence that names the path.
    init(replacing path: String, capacity wanted: Int) throws(StoreFailure) {
        let pages = (max(1, min(wanted, Self.largestCapacity)) + 4_095) / 4_096
        capacity = pages * 4_096
        // No journal ever had the number, nor will one.
        id = Int64.random(in: 1 ... .max)
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(new, errno) }
        defer { close(descriptor) }
        let size = JournalLayout.headerBytes + capacity
        // Every byte: memory of a file that has no room on the disk kills whoever writes there.
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

    private static func failure(_ path: String, _ code: CInt) -> StoreFailure {
        let reason = String(cString: strerror(code))
        return .cannot("made", path, reason, instead: "make room for it, or name another file")
    }

    /// Keeps an entry from now on, whatever becomes of the process; where it ends, or nil: there is no room for it.
    func append(_ entry: JournalEntry) -> UInt64? {
        scratch.removeAll(keepingCapacity: true)
        entry.append(to: &scratch)
        let room = JournalLayout.room(for: scratch.count)
        guard room <= capacity - Int(end - start) else { return nil }
        let frame = JournalLayout.frame(of: scratch[...], id: id, position: end)
        store(frame, at: end)
        store(scratch, at: end + UInt64(JournalLayout.frameBytes))
        end += UInt64(room)
        return end
    }

    /// The database has all entries that end there or before.
    func release(to position: UInt64) {
        start = min(max(start, position), end)
    }

    /// Around the ring's end where there is not room enough before it.
    private func store(_ bytes: [UInt8], at position: UInt64) {
        let offset = Int(position % UInt64(capacity))
        let first = min(bytes.count, capacity - offset)
        memory.copyMemory(from: bytes[..<first], at: JournalLayout.headerBytes + offset)
        memory.copyMemory(from: bytes[first...], at: JournalLayout.headerBytes)
    }

    /// More than anybody needs, and less than what reading it at the start would take long for.
    static let largestCapacity = 256 << 20
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: some Sequence<UInt8>, at offset: Int) {
        _ = bytes.withContiguousStorageIfAvailable { source in
            guard let start = source.baseAddress else { return }
            (self + offset).copyMemory(from: start, byteCount: source.count)
        }
    }
}
