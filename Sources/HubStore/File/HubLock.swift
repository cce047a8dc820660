import Glibc

/// That this process is the only hub that has a database: until this object is gone, or the process, in whatever way.
final class HubLock {
    private let descriptor: CInt

    /// Takes the lock; the commands need none.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - trust: The users who may own the file.
    /// - Throws: `StoreFailure` that names the hub that has it, or says why the file is not used.
    init(_ path: String, trust: FileTrust = .hub) throws(StoreFailure) {
        let file = path + ".lock"
        // Not `self.descriptor` yet: of an object that is whole `deinit` would close it a second time, which by then may be
        // another thread's.
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
        // Said, not only closed: a child that was just forked has the descriptor too, until its exec, and the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether somebody has it.
    ///
    /// - Parameter path: The database.
    /// - Returns: False also where nobody ever had it.
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
