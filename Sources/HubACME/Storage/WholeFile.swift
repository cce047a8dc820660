import Glibc

/// Files that are written whole or not at all, readable by their owner alone.
enum WholeFile {
    /// The longest file that is read, in bytes.
    private static let maximumBytes = 1 << 20

    /// Replaces a file: the new content is on the disk before it has the name.
    ///
    /// - Throws: ``ACMEFailure/storage(_:)``; the old file is then untouched.
    static func write(_ bytes: [UInt8], to path: String) throws(ACMEFailure) {
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var code: CInt = 0
        if !writeAll(bytes, to: descriptor) || fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(new, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(new)
            throw failure(path, code)
        }
        synchronize(folderOf: path)
    }

    /// Reads a file; nil if there is none.
    ///
    /// - Throws: ``ACMEFailure/storage(_:)`` if it cannot be read.
    static func read(_ path: String) throws(ACMEFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path, errno) }
            return nil
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw failure(path, errno) }
            if part == 0 { break }
            count += part
        }
        return Array(bytes.prefix(count))
    }

    /// Creates a folder for its owner alone, with those it is in, if it is missing.
    static func makeFolder(_ path: String) throws(ACMEFailure) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let parent = folder(of: path)
        guard errno == ENOENT, parent != "/", parent != "." else { throw failure(path, errno) }
        try makeFolder(parent)
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw failure(path, errno)
    }

    /// Keeps a file that cannot be used under another name.
    ///
    /// - Returns: The new path.
    static func setAside(_ path: String) -> String {
        let aside = path + ".damaged"
        rename(path, aside)
        return aside
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static func synchronize(folderOf path: String) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ path: String, _ code: CInt) -> ACMEFailure {
        switch code {
        case ENOSPC, EDQUOT: .storage("The disk of \(path) is full; make room, it is tried again.")
        case EACCES, EPERM, EROFS:
            .storage("\(path) may not be written or read by this user (\(words(code))); change its folder's owner.")
        default: .storage("\(path) cannot be written or read: \(words(code)); look at its folder and disk.")
        }
    }

    private static func words(_ code: CInt) -> String { String(cString: strerror(code)) }
}
