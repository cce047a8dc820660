import Foundation

/// Reads a file line by line, however long it is.
struct LineReader {
    /// The file's name, for what is said about it.
    let name: String
    /// How many lines were read.
    private(set) var line = 0

    private let descriptor: Descriptor
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    init(_ path: String) throws(UsageError) {
        let number = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            throw UsageError("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        descriptor = Descriptor(number)
        name = path == "-" ? "standard input" : path
    }

    /// The next line without its end, and whether it had one; nil: that was all.
    mutating func next() throws(UsageError) -> (text: [UInt8], isComplete: Bool)? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                line += 1
                return (Array(buffer[start..<end]), true)
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                line += 1
                return (Array(buffer[start...]), false)
            }
            guard buffer.count - start <= Self.maximumBytes else {
                throw UsageError("\(name):\(line + 1): this line is longer than any event is.")
            }
            searched = buffer.count - start
            buffer.removeFirst(start)
            start = 0
            try fill()
        }
    }

    private mutating func fill() throws(UsageError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var count = read(descriptor.number, &chunk, chunk.count)
        while count < 0, errno == EINTR { count = read(descriptor.number, &chunk, chunk.count) }
        guard count >= 0 else {
            throw UsageError("\(name) cannot be read: \(String(cString: strerror(errno))).")
        }
        isAtEnd = count == 0
        buffer += chunk[..<count]
    }

    /// The longest line that is read: a few times the longest message that a hub can be set to take.
    private static let maximumBytes = 128 << 20

    private final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit { close(number) }
    }
}
