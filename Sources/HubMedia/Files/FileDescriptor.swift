import Glibc

/// An open file, pipe or terminal: the module's only access to the operating system's input and output.
struct FileDescriptor: ~Copyable {
    /// The name for messages.
    let name: String

    private let number: Int32
    private let ownsDescriptor: Bool

    /// Opens a file for reading.
    init(reading path: String) throws(MediaError) {
        number = try Self.openForReading(path)
        name = path
        ownsDescriptor = true
    }

    /// Creates a file, or truncates an existing one.
    init(creating path: String) throws(MediaError) {
        let opened = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw .system("\(path) cannot be made") }
        number = opened
        name = path
        ownsDescriptor = true
    }

    /// Uses a descriptor that another owner has opened and will close, such as standard input.
    init(borrowing descriptor: Int32, name: String) {
        number = descriptor
        self.name = name
        ownsDescriptor = false
    }

    /// Opens a named pipe, or a file, for reading without waiting for a writer.
    ///
    /// A pipe has no end: writers may come and go.
    init(readingPipe path: String) throws(MediaError) {
        number = try Self.openPipeForReading(path)
        name = path
        ownsDescriptor = true
    }

    /// Makes a file without a path, to be read from its beginning.
    init(bytes: UnsafeRawBufferPointer, name: String) throws(MediaError) {
        number = try Self.temporaryFile(with: bytes, name: name)
        self.name = name
        ownsDescriptor = true
    }

    deinit {
        if ownsDescriptor { close(number) }
    }

    private static func openForReading(_ path: String) throws(MediaError) -> Int32 {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .system("\(path) cannot be opened for reading") }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(opened)
            throw MediaError(.inputOutput, "\(path) is a directory; it must be an audio file")
        }
        return opened
    }

    private static func openPipeForReading(_ path: String) throws(MediaError) -> Int32 {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return try openForReading(path) }
        let opened = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw .system("\(path) cannot be opened for reading") }
        return opened
    }

    private static func temporaryFile(with bytes: UnsafeRawBufferPointer, name: String) throws(MediaError) -> Int32 {
        guard let file = tmpfile() else { throw .system("\(name) cannot be read") }
        defer { fclose(file) }
        let isWritten = fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count && fflush(file) == 0
        let opened = isWritten ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1
        guard opened >= 0 else { throw .system("\(name) cannot be read") }
        lseek(opened, 0, SEEK_SET)
        return opened
    }

    /// Reads the available bytes, waiting for at least one.
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

    /// Writes all bytes, waiting as long as necessary.
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

    /// Overwrites bytes at an offset; does nothing if the file has no offsets, like a pipe.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(MediaError) {
        let count = bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
        guard count == bytes.count || errno == ESPIPE else { throw .system("\(name) cannot be written") }
    }

    /// Indicates that reading (`POLLIN`) or writing (`POLLOUT`) would not block; an end or an error counts as ready.
    func isReady(for event: Int32, withinMilliseconds milliseconds: Int32 = 0) -> Bool {
        var question = pollfd(fd: number, events: Int16(truncatingIfNeeded: event), revents: 0)
        return poll(&question, 1, milliseconds) > 0
    }
}

extension MediaError {
    /// Creates an error with the operating system's message for the call that has just failed.
    fileprivate static func system(_ sentence: String) -> MediaError {
        MediaError(.inputOutput, "\(sentence): \(String(cString: strerror(errno)))")
    }
}
