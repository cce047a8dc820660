import Glibc

/// An exclusive lock that makes this process the only hub that uses a database.
///
/// It is released with this object, or with the process in whatever way it ends.
final class HubLock {
    private let descriptor: CInt

    /// Acquires the lock; the commands need none.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - trust: The users who may own the lock's file.
    /// - Throws: `StoreError` that names the hub holding the lock, or says why the file is not used.
    init(_ path: String, trust: TrustedOwners = .hub) throws(StoreError) {
        let file = path + ".lock"
        // Not `self.descriptor` yet: `deinit` of a fully initialized object would close it a second time, and by then
        // the number may be another thread's.
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw .cannot("locked", path, reason, instead: "name a file that this user may write")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, let reason = trust.fault(of: status, file) {
            close(descriptor)
            throw trust.refusal(of: path, reason)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw .inUse(path, by: holder)
        }
        ftruncate(descriptor, 0)
        let name = Array("\(getpid())\n".utf8)
        _ = pwrite(descriptor, name, name.count, 0)
        self.descriptor = descriptor
    }

    deinit {
        // Unlocked explicitly: until its exec, a child that was just forked has the descriptor too, and the lock with
        // it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Indicates that a hub holds the lock.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: True while a hub holds the lock; false also if there is no lock file.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    private static func holder(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.isEmpty ? "just starting" : "pid " + String(decoding: digits, as: UTF8.self)
    }
}
