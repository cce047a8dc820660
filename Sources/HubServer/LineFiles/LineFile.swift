import Foundation

/// The reason for which the event log or the call detail records cannot be written, in one sentence.
public struct LineFileError: Error, Hashable, CustomStringConvertible {
    /// The fault and its remedy, in one sentence.
    public let description: String
}

/// A file of lines, readable by this user only and locked against other hubs.
///
/// An event log is new or empty, a file of call detail records is appended to. For one thread at a time.
final class LineFile {
    let path: String
    private let isAppendedTo: Bool
    private var descriptor: Int32

    /// Opens a new or empty file, or makes one in a folder, named by the time.
    init(_ path: String) throws(LineFileError) {
        self.path = Self.isFolder(path) ? Self.timestampedPath(in: path) : path
        isAppendedTo = false
        descriptor = try Self.opened(self.path)
        // From here on `deinit` closes it.
        try check()
    }

    /// Opens a file to append to; it may be renamed or deleted at any time (logrotate), and is then made anew.
    init(appendingTo path: String) throws(LineFileError) {
        self.path = path
        isAppendedTo = true
        descriptor = try Self.opened(path)
        try check()
    }

    private static func opened(_ path: String) throws(LineFileError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw LineFileError(description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        return descriptor
    }

    deinit {
        close()
    }

    /// Closes the file and releases its lock.
    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    private func check() throws(LineFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw LineFileError(description: "\(path) is no plain file; name a new one, or a folder.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw LineFileError(description: "\(path) is another hub's; name another file, or a folder.")
        }
        guard fstat(descriptor, &status) == 0, isAppendedTo || status.st_size == 0 else {
            throw LineFileError(
                description: "\(path) holds something already, which is not overwritten; name a new file, or a folder, "
                    + "which gets a file of its own for each run."
            )
        }
        // It reveals who calls whom; an existing file may have been readable by others.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw LineFileError(description: "\(path) belongs to another user; name a file of this one's.")
        }
    }

    /// Writes all bytes; returns the fault if that fails, else nil.
    ///
    /// If writing to a file that is appended to fails, it is truncated, so that no partial line is left.
    func write(_ bytes: [UInt8]) -> String? {
        guard isAppendedTo else { return append(bytes) }
        if let fault = followRotation() { return fault }
        var status = stat()
        let before = fstat(descriptor, &status) == 0 ? status.st_size : nil
        let fault = append(bytes)
        if fault != nil, let before { _ = ftruncate(descriptor, before) }
        return fault
    }

    /// Opens a new file under the path if the former one was renamed or deleted; returns a fault or nil.
    private func followRotation() -> String? {
        var (named, own) = (stat(), stat())
        let isThere = stat(path, &named) == 0
        guard fstat(descriptor, &own) != 0 || !isThere || named.st_ino != own.st_ino || named.st_dev != own.st_dev
        else { return nil }
        do throws(LineFileError) {
            let next = try Self.opened(path)
            close()
            descriptor = next
            try check()
            return nil
        } catch {
            return error.description
        }
    }

    private func append(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return count < 0 ? String(cString: strerror(errno)) : "nothing can be written"
            }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns a path with the date, so that listings are sorted, and the process, as two hubs may start in one second.
    private static func timestampedPath(in folder: String) -> String {
        let date = Date().formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        return "\(folder)/callhub-events-\(date)-\(getpid()).jsonl"
    }
}
