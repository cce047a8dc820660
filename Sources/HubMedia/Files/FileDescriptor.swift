import Glibc

/// An open file, pipe or terminal: the one place where this module asks the operating system to read or write.
struct FileDescriptor: ~Copyable {
    /// The name to use in messages.
    let name: String

    private let number: Int32
    private let closesAtEnd: Bool

    /// Opens a file for reading.
    init(reading path: String) throws(MediaError) {
        number = try Self.openForReading(path)
        name = path
        closesAtEnd = true
    }

    /// Makes a file, or empties the one that is there.
    init(creating path: String) throws(MediaError) {
        let opened = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw .system("\(path) cannot be made") }
        number = opened
        name = path
        closesAtEnd = true
    }

    /// Uses a descriptor that somebody else opened and will close, such as standard input.
    init(borrowing descriptor: Int32, name: String) {
        number = descriptor
        self.name = name
        closesAtEnd = false
    }

    deinit {
        if closesAtEnd { close(number) }
    }

    private static func openForReading(_ path: String) throws(MediaError) -> Int32 {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .system("\(path) cannot be opened for reading") }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(opened)
            throw MediaError(.inputOutput, "\(path) is a directory; it must be a sound file")
        }
        return opened
    }

    /// Reads what is there, waiting for at least one byte.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .system("\(name) cannot be read") }
            if errno == EAGAIN { _ = isReady(for: POLLIN, withinMilliseconds: 100) }
        }
    }

    /// Writes all bytes, however long it takes.
    func writeAll(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        var rest = bytes
        while !rest.isEmpty {
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try writeSome(rest)))
        }
    }

    /// Writes at least one byte, waiting until that is possible.
    func writeSome(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        while true {
            let count = Glibc.write(number, bytes.baseAddress, bytes.count)
            if count > 0 || bytes.isEmpty { return max(0, count) }
            guard errno == EINTR || errno == EAGAIN else { throw .system("\(name) cannot be written") }
            if errno == EAGAIN { _ = isReady(for: POLLOUT, withinMilliseconds: 100) }
        }
    }

    /// Overwrites bytes at a place in the file; does nothing where there are no places, as in a pipe.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(MediaError) {
        let count = bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
        guard count == bytes.count || errno == ESPIPE else { throw .system("\(name) cannot be written") }
    }

    /// Tells whether reading or writing would go on at once: `POLLIN` or `POLLOUT`; an end or an error counts as ready.
    func isReady(for event: Int32, withinMilliseconds milliseconds: Int32 = 0) -> Bool {
        var question = pollfd(fd: number, events: Int16(truncatingIfNeeded: event), revents: 0)
        return poll(&question, 1, milliseconds) > 0
    }
}

extension MediaError {
    /// Adds what the operating system says about the call that has just failed.
    fileprivate static func system(_ sentence: String) -> MediaError {
        MediaError(.inputOutput, "\(sentence): \(String(cString: strerror(errno)))")
    }
}
