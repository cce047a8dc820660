import Glibc
public import HubEngine

/// Where a database is to be: its folder, and who may read it.
struct FilePlace {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Whether there is no file at all.
    static func isNowhere(_ path: String) -> Bool { path == ":memory:" }

    /// Makes the folder where it is missing and an empty file, both for this user alone: they say who calls whom.
    ///
    /// - Parameters:
    ///   - isMade: Whether a file is made where there is none.
    ///   - trust: The users who may own the folder, the files and the links to them.
    /// - Throws: `StoreFailure` with a sentence that names the path.
    func prepare(isMade: Bool, trust: FileTrust) throws(StoreFailure) {
        guard !Self.isNowhere(path) else { return }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreFailure(.unusable, "the database has no name; name a file, such as callhub.db")
        }
        try followLink()
        if let reason = trust.faultOfLinks(to: path) {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s, or name another file")
        }
        if let reason = trust.fault(ofFolder: folder, called: "its folder \(folder)") {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s alone, or name another file")
        }
        if isMade { try make() }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT {
                throw StoreFailure(.unusable, "there is no database at \(path); name the one that the hub uses")
            }
            throw .cannot("used", path, reason, instead: "name a file that this user may write")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannot("used", path, "it is no plain file", instead: "name another one")
        }
        guard status.st_nlink == 1 else {
            // SQLite's own files are named after each name: two programs by two names would destroy it.
            let reason =
                "it has \(status.st_nlink) names (hard links), and what is written by one of them is lost by another"
            throw .cannot("used", path, reason, instead: "remove the other names, or make them symbolic links")
        }
        try trust.check(real)
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0 else {
            throw .cannot("kept from others", path, "it is another user's", instead: "name a file of this one's")
        }
        guard access(path, R_OK | W_OK) == 0 else {
            throw .cannot("written", path, reason, instead: "permit that, or name another file")
        }
        // SQLite makes files of its own beside it.
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .cannot("used", path, "its folder may not be written", instead: "permit that, or name another file")
        }
    }

    /// The path without links in it, by which the files beside the database are named whatever way it is reached.
    ///
    /// - Returns: The path as it is where there is nothing yet.
    var real: String {
        guard !Self.isNowhere(path), let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// A link must lead to a file: where it is to be made is nobody's guess.
    private func followLink() throws(StoreFailure) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0 else { return }
        let why = errno
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink(path, &target, target.count))
        let name = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let reason = why == ENOENT ? "it is a link to \(name), which is not there" : String(cString: strerror(why))
        throw .cannot("used", path, reason, instead: "mend or remove the link, or name another file")
    }

    private var folder: String { FileTrust.folder(of: path) }

    private var reason: String { String(cString: strerror(errno)) }

    /// Makes what is missing.
    ///
    /// What is there is not opened: were it closed here, SQLite's locks on it would be gone with that, also those of other
    /// connections of this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    private func make() throws(StoreFailure) {
        guard access(path, F_OK) != 0 else { return }
        try makeFolders()
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw .cannot("made", path, reason, instead: "name a file that this user may write")
        }
    }

    private func makeFolders() throws(StoreFailure) {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            end = slash
            if mkdir(String(path[..<slash]), 0o700) != 0, errno != EEXIST, errno != EISDIR {
                var status = stat()
                // A folder that is there may lie in one that may not be written.
                guard stat(String(path[..<slash]), &status) != 0 else { continue }
                throw .cannot("made", String(path[..<slash]), reason, instead: "name a folder that this user may write")
            }
        }
    }
}

extension StoreFailure {
    /// The same with the path in its sentence, for who opens a file.
    func about(_ path: String) -> StoreFailure {
        guard kind != .unusable else { return self }
        return .cannot("used", path, detail.isEmpty ? message : detail, instead: "mend it, or name another file")
    }
}

/// The wall clock: nanoseconds since 1970.
public func wallClock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
