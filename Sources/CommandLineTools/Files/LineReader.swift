import Foundation

/// Reads a file of any size line by line; UTF-16 is converted to UTF-8.
package struct LineReader {
    /// The file's name for messages.
    package let name: String
    /// The number of lines read so far.
    package private(set) var line = 0

    private let descriptor: Descriptor
    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var isAtStart = true
    private var utf16: UTF16Text?

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is standard input.
    ///   - longest: The maximum length of a line in bytes.
    /// - Throws: `UsageError` if the file cannot be opened.
    package init(_ path: String, longest: Int) throws(UsageError) {
        self.longest = longest
        let number = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            throw UsageError("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        descriptor = Descriptor(number)
        name = path == "-" ? "standard input" : path
    }

    /// Reads the next line without its end, and whether it had one; nil: the end of the file.
    package mutating func next() throws(UsageError) -> (text: [UInt8], isComplete: Bool)? {
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
            guard buffer.count - start <= longest else {
                throw UsageError("\(name):\(line + 1): this line is longer than any in such a file may be.")
            }
            searched = buffer.count - start
            buffer.removeFirst(start)
            start = 0
            try fill()
        }
    }

    private mutating func fill() throws(UsageError) {
        var chunk: [UInt8] = []
        try readMore(into: &chunk)
        if isAtStart {
            isAtStart = false
            // A pipe may deliver a file's beginning byte by byte.
            while !isAtEnd, chunk.count < 4 { try readMore(into: &chunk) }
            utf16 = UTF16Text(&chunk)
        }
        buffer += utf16?.utf8(chunk, isLast: isAtEnd) ?? chunk
    }

    private mutating func readMore(into bytes: inout [UInt8]) throws(UsageError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var count = read(descriptor.number, &chunk, chunk.count)
        while count < 0, errno == EINTR { count = read(descriptor.number, &chunk, chunk.count) }
        guard count >= 0 else {
            throw UsageError("\(name) cannot be read: \(String(cString: strerror(errno))).")
        }
        isAtEnd = count == 0
        bytes += chunk[..<count]
    }

    private final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit { close(number) }
    }
}
