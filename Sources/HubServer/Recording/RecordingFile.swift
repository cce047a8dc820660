import Foundation

/// Why events cannot be recorded, in one sentence.
public struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String
}

/// The file of a recording: new or empty, this user's alone, and no other hub's.
///
/// One thread at a time.
final class RecordingFile {
    let path: String
    private var descriptor: Int32

    /// Opens a file, or makes one in a folder, named by the time.
    init(_ path: String) throws(RecordingError) {
        let path = Self.isFolder(path) ? Self.fileOfNow(in: path) : path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw RecordingError(description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        self.path = path
        self.descriptor = descriptor
        // From here on `deinit` closes it.
        try check()
    }

    deinit {
        close()
    }

    /// Gives the file up; the next hub may have it.
    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    private func check() throws(RecordingError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw RecordingError(description: "\(path) is no plain file; name a new one, or a folder.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw RecordingError(description: "\(path) is another hub's; name another file, or a folder.")
        }
        guard fstat(descriptor, &status) == 0, status.st_size == 0 else {
            throw RecordingError(
                description: "\(path) holds something already, which is not overwritten; name a new file, or a folder, "
                    + "which gets a file of its own for each run."
            )
        }
        // It says who calls whom; a file that was there may have been open to others.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw RecordingError(description: "\(path) belongs to another user; name a file of this one's.")
        }
    }

    /// Writes all bytes, or says why not.
    func write(_ bytes: [UInt8]) -> String? {
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

    /// By date, so that a list of the folder is in order; by process, since two hubs may start in one second.
    private static func fileOfNow(in folder: String) -> String {
        let date = Date().formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        return "\(folder)/callhub-events-\(date)-\(getpid()).jsonl"
    }
}
