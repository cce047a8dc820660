import CSQLite
import Foundation

/// Kills this process in the middle of a write of SQLite's: half of the bytes are in the file.
///
/// SQLite's file layer for Unix lets a program replace the system calls that it makes
/// (https://www.sqlite.org/c3ref/vfs.html).
enum WriteTrap {
    private typealias Write = @convention(c) (CInt, UnsafeRawPointer?, Int, off_t) -> Int
    private typealias Truncate = @convention(c) (CInt, off_t) -> CInt

    /// The writes that are left until the process dies; one thread alone writes.
    nonisolated(unsafe) private static var left: Int64 = 0

    /// Sets the trap.
    ///
    /// - Parameter number: The write in which the process dies, from 1 on.
    /// - Throws: `CocoaError` if SQLite has no such system calls.
    static func set(at number: Int64) throws {
        left = number
        let write: Write = { descriptor, bytes, count, offset in
            guard WriteTrap.isLast() else { return pwrite(descriptor, bytes, count, offset) }
            _ = pwrite(descriptor, bytes, count / 2, offset)
            kill(getpid(), SIGKILL)
            return -1
        }
        let truncate: Truncate = { descriptor, length in
            if WriteTrap.isLast() { kill(getpid(), SIGKILL) }
            return ftruncate(descriptor, length)
        }
        let files = sqlite3_vfs_find(nil)
        for name in ["pwrite", "pwrite64"] {
            try replace(name, by: unsafeBitCast(write, to: sqlite3_syscall_ptr.self), in: files)
        }
        try replace("ftruncate", by: unsafeBitCast(truncate, to: sqlite3_syscall_ptr.self), in: files)
    }

    private static func replace(
        _ name: String,
        by function: sqlite3_syscall_ptr,
        in files: UnsafeMutablePointer<sqlite3_vfs>?
    ) throws {
        guard files?.pointee.xSetSystemCall?(files, name, function) == SQLITE_OK else {
            throw CocoaError(.featureUnsupported)
        }
    }

    private static func isLast() -> Bool {
        left -= 1
        return left == 0
    }
}
