import Glibc
public import HubEngine

/// Putting a backup in the place of the database.
extension StoreFile {
    /// Replaces the database by a backup, which is checked first; the replaced database is kept beside it.
    ///
    /// A backup of an older version is migrated. The backup itself is not changed.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup.
    ///   - path: The path of the database; its folder exists.
    ///   - moment: The time in the name of the replaced database.
    /// - Returns: The path of the replaced database; nil: there was none.
    /// - Throws: `StoreError` of the kind `unusable` if the backup is no intact CallHub database of this version or an
    ///   older one, a hub uses the database or a file cannot be written; `full` without space on the disk. Then the
    ///   database is as before.
    public static func restore(
        _ backup: String,
        to path: String,
        at moment: Instant = wallClock()
    ) throws(StoreError) -> String? {
        let target = DatabasePath(path).resolved
        try checkSource(backup, isNot: target)
        let owner = FolderOwner(of: target)
        let lock = try HubLock(target, trust: .command(on: target))
        defer { withExtendedLifetime(lock) {} }
        owner.take(target + ".lock")
        let new = target + ".restoring"
        do throws(StoreError) {
            for suffix in ownSuffixes { unlink(new + suffix) }
            try copy(backup, to: new)
            try checkCopy(new, of: backup)
            owner.take(new)
            let replaced = try keep(target, at: moment)
            for suffix in ownSuffixes.dropFirst() { unlink(target + suffix) }
            guard rename(new, target) == 0 else { throw failure("written", target) }
            return replaced
        } catch {
            for suffix in ownSuffixes { unlink(new + suffix) }
            throw error
        }
    }

    /// The ends of the names of a database's files; SQLite and the hub add the others to the database's own name.
    private static let ownSuffixes = ["", "-wal", "-shm", "-journal", ".recents"]

    private static func failure(_ what: String, _ path: String) -> StoreError {
        let reason = String(cString: strerror(errno))
        guard errno != ENOSPC else { return StoreError(.full, "the disk is full", detail: path) }
        return .cannot(what, path, reason, instead: "run the command as the hub's user or as root")
    }

    private static func notABackup(_ path: String, _ reason: String) -> StoreError {
        StoreError(.unusable, "\(path) \(reason); name a file that `callhub backup` or a hub's nightly backup has made")
    }

    // MARK: Checks

    private static func checkSource(_ backup: String, isNot target: String) throws(StoreError) {
        var status = stat()
        guard stat(backup, &status) == 0, access(backup, R_OK) == 0 else {
            throw notABackup(backup, "cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw notABackup(backup, "is no plain file") }
        guard DatabasePath(backup).resolved != target else {
            throw notABackup(backup, "is the hub's database itself")
        }
        var log = stat()
        guard !HubLock.isHeld(DatabasePath(backup).resolved), stat(backup + "-wal", &log) != 0 || log.st_size == 0
        else {
            throw notABackup(backup, "is a database in use, of which a part is in \(backup)-wal")
        }
    }

    /// Checks that a copy is an intact database of this version or an older one, and migrates it.
    private static func checkCopy(_ copy: String, of backup: String) throws(StoreError) {
        do throws(DatabaseError) {
            let database = try Database(path: copy)
            let isOwn = try database.integer("PRAGMA application_id") == Schema.migrator.applicationID
            guard isOwn, try database.integer("PRAGMA user_version") > 0 else {
                throw DatabaseError(notOwn, "")
            }
        } catch {
            guard error.code == notOwn || error.isNoDatabase else { throw damaged(backup, error.message) }
            throw notABackup(backup, "is no database of CallHub's")
        }
        do throws(StoreError) {
            try check(copy)
            _ = try StoreFile(copy, creatingIfMissing: false)
        } catch {
            switch error.kind {
            case .full: throw error
            case .unusable:
                let message = error.message.replacing(copy, with: backup)
                throw StoreError(.unusable, message, detail: error.detail)
            default: throw damaged(backup, error.detail)
            }
        }
    }

    private static func damaged(_ backup: String, _ detail: String) -> StoreError {
        StoreError(.unusable, "\(backup) is damaged (\(detail)); the database is unchanged, restore an older backup")
    }

    /// A code that SQLite does not use.
    private static var notOwn: CInt { -1 }

    // MARK: Files

    /// Keeps a database and the files beside it under another name too; the originals are unchanged.
    private static func keep(_ target: String, at moment: Instant) throws(StoreError) -> String? {
        guard access(target, F_OK) == 0 else { return nil }
        let name = freeName(target + ".replaced-" + day(moment))
        // Linked last: until the new database has taken its place, a hub refuses one with two names.
        for suffix in ["-wal", ".recents"] where access(target + suffix, F_OK) == 0 {
            try copy(target + suffix, to: name + suffix)
            FolderOwner(of: target).take(name + suffix)
        }
        guard link(target, name) == 0 else { throw failure("kept", target) }
        return name
    }

    /// The name, or the name with the first number that makes it free.
    private static func freeName(_ name: String) -> String {
        var (free, number) = (name, 2)
        while ownSuffixes.contains(where: { access(free + $0, F_OK) == 0 }) {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    private static func day(_ moment: Instant) -> String {
        var (seconds, parts) = (time_t(moment.nanoseconds / 1_000_000_000), tm())
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 16)
        let count = strftime(&text, text.count, "%Y-%m-%d", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Copies a file to a new one of this user alone, and waits until it is on the disk.
    private static func copy(_ source: String, to target: String) throws(StoreError) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw failure("read", source) }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard to >= 0 else { throw failure("written", target) }
        defer { close(to) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count >= 0 else { throw failure("read", source) }
            guard count > 0 else { break }
            var written = 0
            while written < count {
                let more = buffer[written..<count].withUnsafeBytes { Glibc.write(to, $0.baseAddress, $0.count) }
                guard more > 0 else { throw failure("written", target) }
                written += more
            }
        }
        guard fsync(to) == 0 else { throw failure("written", target) }
    }
}

/// The owner of a database's folder, to whom root gives the files that it creates there.
private struct FolderOwner {
    private let owner: (user: uid_t, group: gid_t)?

    init(of path: String) {
        var status = stat()
        let isRoot = geteuid() == 0 && stat(TrustedOwners.folder(of: path), &status) == 0
        owner = isRoot ? (status.st_uid, status.st_gid) : nil
    }

    func take(_ file: String) {
        if let owner { lchown(file, owner.user, owner.group) }
    }
}
