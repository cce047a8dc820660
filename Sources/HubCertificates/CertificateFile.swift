import Foundation

/// A file of a certificate or a key, which is written whole or not at all.
struct CertificateFile {
    /// The users that may read a file.
    enum Readers {
        /// Its owner alone.
        case owner
        /// All users.
        case everybody
    }

    /// The treatment of a file that is there already.
    enum Existing {
        /// It is replaced.
        case replaced
        /// It is kept: the write fails.
        case kept
    }

    /// The system calls of a write, which tests replace to have them fail.
    struct Calls: Sendable {
        var write: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { Glibc.write($0, $1, $2) }
        var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
    }

    let path: String
    let readers: Readers
    var calls = Calls()

    /// The limit of a file's size in bytes; a key or a certificate has a few hundred.
    private static let maximumBytes = 65_536

    /// Reads the file.
    ///
    /// - Returns: Its text; nil: there is no file.
    /// - Throws: ``CertificateError`` if it cannot be read, is another user's, or may be read by others.
    func read() throws(CertificateError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw CertificateError("\(path) cannot be read: \(reason(errno)).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CertificateError("\(path) is no plain file; remove it, or restore it from a backup.")
        }
        if readers == .owner { try checkSecrecy(status) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes + 1)
        var count = 0
        while count < bytes.count {
            let added = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            guard added >= 0 else { throw CertificateError("\(path) cannot be read: \(reason(errno)).") }
            guard added > 0 else { break }
            count += added
        }
        guard count <= Self.maximumBytes, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw CertificateError("\(path) is damaged; restore it from a backup.")
        }
        return text
    }

    private func checkSecrecy(_ status: stat) throws(CertificateError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw CertificateError(
                "\(path) belongs to user \(status.st_uid), who may change it; make it user \(geteuid())'s."
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CertificateError(
                "\(path) may be read by others (mode \(String(status.st_mode & 0o777, radix: 8))); make it the hub's "
                    + "alone by chmod 600, or remove the folder's files for a new authority if somebody has read it."
            )
        }
    }

    /// Writes the file: another name first, which then takes the place of the file's own.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - existing: The treatment of a file that is there already.
    /// - Returns: False if there is a file, and it was kept.
    /// - Throws: ``CertificateError`` if the disk is full or the folder cannot be written; then nothing has changed.
    func write(_ text: String, existing: Existing) throws(CertificateError) -> Bool {
        let temporary = path + ".new-" + String(UInt64.random(in: .min ... .max), radix: 16)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(errno) }
        defer { unlink(temporary) }
        let fault = fill(descriptor, Array(text.utf8))
        close(descriptor)
        if let fault { throw unwritable(fault) }
        switch existing {
        case .replaced:
            guard rename(temporary, path) == 0 else { throw unwritable(errno) }
        case .kept:
            // Unlike a rename it never takes the place of a file that another hub has made meanwhile.
            guard link(temporary, path) == 0 else {
                if errno == EEXIST { return false }
                throw unwritable(errno)
            }
        }
        syncFolder()
        return true
    }

    private func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { calls.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return errno }
            rest = rest.dropFirst(max(count, 0))
        }
        guard fchmod(descriptor, readers == .owner ? 0o600 : 0o644) == 0, calls.sync(descriptor) == 0 else {
            return errno
        }
        return nil
    }

    private func syncFolder() {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = calls.sync(folder)
        close(folder)
    }

    private func unwritable(_ code: Int32) -> CertificateError {
        switch code {
        case ENOSPC, EDQUOT: CertificateError("the disk of \(path) is full; nothing was changed, free some space.")
        case EROFS: CertificateError("\(path) is on a disk that is mounted read-only; nothing was changed.")
        default: CertificateError("\(path) cannot be written: \(reason(code)); nothing was changed.")
        }
    }

    private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
