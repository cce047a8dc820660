import Glibc

/// A folder with the backups that a hub makes by itself, of which the newest are kept.
///
/// The name of a backup is `backup-NODE-20261124T020000Z.db`, in UTC. Files with other names are not touched, nor are
/// those of another node.
public struct BackupFolder: Sendable {
    /// The path of the folder.
    public let path: String
    private let prefix: String

    /// Names a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which `add` creates if it is missing.
    ///   - node: The name of the hub's node.
    public init(_ path: String, node: String) {
        self.path = path
        prefix = "backup-\(node)-"
    }

    /// Returns the time of the newest backup.
    ///
    /// - Parameter limit: The current time; backups of a later one were made by a wrong clock, and do not count.
    /// - Returns: Seconds since 1970; nil: there is none.
    public func newest(notAfter limit: Int64) -> Int64? { backups().first { $0.time <= limit }?.time }

    /// Adds a backup: it appears under its name when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - time: The time of the backup in seconds since 1970.
    ///   - copy: The function that makes the copy in a new file, of which it gets the path.
    /// - Returns: The path of the backup.
    /// - Throws: `StoreError` if the folder cannot be used or the file not be written, and the errors of `copy`; then
    ///   the folder has no new file.
    public func add(at time: Int64, _ copy: (_ target: String) throws(StoreError) -> Void) throws(StoreError) -> String
    {
        try prepare()
        let target = "\(path)/\(prefix)\(Self.stamp(time)).db"
        let partial = target + Self.partialSuffix
        try copy(partial)
        guard Self.synchronize(partial), rename(partial, target) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial)
            throw .cannot("written", target, reason, instead: "name another folder in backup.folder")
        }
        _ = Self.synchronize(path)
        return target
    }

    /// Removes all but the newest backups of this hub.
    ///
    /// - Parameters:
    ///   - keep: The number of backups that are kept.
    ///   - last: The path of the newest one, which is kept even if others have later names.
    /// - Returns: The paths of the removed files, and of those that could not be removed.
    public func rotate(keeping keep: Int, with last: String) -> (removed: [String], stuck: [String]) {
        let others = backups().map { "\(path)/\($0.name)" }.filter { $0 != last }
        let old = others.dropFirst(max(1, keep) - 1)
        let removed = old.filter { unlink($0) == 0 }
        return (removed, old.filter { !removed.contains($0) })
    }

    /// Creates the folder, checks its owner, and removes what a killed hub has left of an incomplete backup.
    private func prepare() throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .cannot("made", path, String(cString: strerror(errno)), instead: "create it, or name another folder")
        }
        if let reason = TrustedOwners.hub.fault(ofFolder: path, called: "it") {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s alone, or name another folder")
        }
        let suffixes = ["", "-journal", "-wal", "-shm"].map { Self.partialSuffix + $0 }
        for name in names() {
            guard let suffix = suffixes.first(where: { name.hasSuffix($0) }),
                time(of: String(name.dropLast(suffix.count))) != nil
            else { continue }
            unlink("\(path)/\(name)")
        }
    }

    // MARK: Names

    /// The backups of this hub, the newest first.
    private func backups() -> [(name: String, time: Int64)] {
        names().compactMap { name in
            var status = stat()
            guard let time = time(of: name), lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return (name, time)
        }
        .sorted { $0.time > $1.time }
    }

    private func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            withUnsafeBytes(of: entry.pointee.d_name) { name in
                names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return names
    }

    /// The time in the name of one of this hub's backups; nil for any other name.
    private func time(of name: String) -> Int64? {
        guard name.hasPrefix(prefix), name.hasSuffix(".db") else { return nil }
        let stamp = name.dropFirst(prefix.count).dropLast(3)
        let digits = stamp.filter { $0.isASCII && $0.isNumber }
        guard stamp.utf8.count == 16, digits.count == 14 else { return nil }
        func number(_ from: Int, _ count: Int) -> Int32 { Int32(digits.dropFirst(from).prefix(count)) ?? 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0, 4) - 1900, number(4, 2) - 1, number(6, 2))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(8, 2), number(10, 2), number(12, 2))
        let time = Int64(timegm(&parts))
        return Self.stamp(time) == stamp ? time : nil
    }

    /// A time as in `20261124T020000Z`.
    private static func stamp(_ time: Int64) -> String {
        var (seconds, parts) = (time_t(time), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Waits until a file or a folder is on the disk.
    private static func synchronize(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static let partialSuffix = ".partial"
}
