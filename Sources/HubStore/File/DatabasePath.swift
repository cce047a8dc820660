import Glibc
public import HubEngine

/// The path of a database file, with the checks of its folder and permissions.
struct DatabasePath {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Indicates that a path stands for a database in memory.
    static func isInMemory(_ path: String) -> Bool { path == ":memory:" }

    /// Creates a missing folder and an empty file, both for this user alone, since they list all users' calls.
    ///
    /// - Parameters:
    ///   - createsIfMissing: True if a missing file is created.
    ///   - trust: The users who may own the folder, the files and the links to them.
    /// - Throws: `StoreError` with a sentence that names the path, if the file is missing or not safe to use.
    func prepare(createsIfMissing: Bool, trust: TrustedOwners) throws(StoreError) {
        guard !Self.isInMemory(path) else { return }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(.unusable, "the database has no name; name a file, such as callhub.db")
        }
        try followLink()
        if let reason = trust.faultOfLinks(to: path) {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s, or name another file")
        }
        if let reason = trust.fault(ofFolder: folder, called: "its folder \(folder)") {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s alone, or name another file")
        }
        if createsIfMissing { try make() }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT {
                throw StoreError(.unusable, "there is no database at \(path); name the one that the hub uses")
            }
            throw .cannot("used", path, reason, instead: "name a file that this user may write")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannot("used", path, "it is no plain file", instead: "name another one")
        }
        guard status.st_nlink == 1 else {
            // SQLite derives the names of its own files from the path: two programs by two hard links would destroy it.
            let reason =
                "it has \(status.st_nlink) names (hard links), and what is written by one of them is lost by another"
            throw .cannot("used", path, reason, instead: "remove the other names, or make them symbolic links")
        }
        try trust.check(resolved)
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0 else {
            throw .cannot("kept from others", path, "it is another user's", instead: "name a file of this one's")
        }
        guard access(path, R_OK | W_OK) == 0 else {
            throw .cannot("written", path, reason, instead: "permit that, or name another file")
        }
        // SQLite creates files of its own next to the database.
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .cannot("used", path, "its folder may not be written", instead: "permit that, or name another file")
        }
    }

    /// The path with all symbolic links resolved; the files next to the database are named after it.
    ///
    /// - Returns: The path unchanged if there is no file.
    var resolved: String {
        guard !Self.isInMemory(path), let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// Throws for a symbolic link without a target, since it is unclear where the file should be created.
    private func followLink() throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0 else { return }
        let why = errno
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink(path, &target, target.count))
        let name = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let reason = why == ENOENT ? "it is a link to \(name), which is not there" : String(cString: strerror(why))
        throw .cannot("used", path, reason, instead: "repair or remove the link, or name another file")
    }

    private var folder: String { TrustedOwners.folder(of: path) }

    private var reason: String { String(cString: strerror(errno)) }

    /// Creates the missing folders and the file.
    ///
    /// An existing file is not opened: closing it here would release SQLite's locks on it, also those of other
    /// connections of this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    private func make() throws(StoreError) {
        guard access(path, F_OK) != 0 else { return }
        try makeFolders()
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw .cannot("made", path, reason, instead: "name a file that this user may write")
        }
    }

    private func makeFolders() throws(StoreError) {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            end = slash
            if mkdir(String(path[..<slash]), 0o700) != 0, errno != EEXIST, errno != EISDIR {
                var status = stat()
                // An existing folder may be in one that is not writable.
                guard stat(String(path[..<slash]), &status) != 0 else { continue }
                throw .cannot("made", String(path[..<slash]), reason, instead: "name a folder that this user may write")
            }
        }
    }
}

extension StoreError {
    /// The same failure with the path in its sentence, for a function that opens a file.
    func naming(_ path: String) -> StoreError {
        guard kind != .unusable else { return self }
        return .cannot("used", path, detail.isEmpty ? message : detail, instead: "repair it, or name another file")
    }
}

/// The wall clock's time, in nanoseconds since 1970.
public func wallClock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
