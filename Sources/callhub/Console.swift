import Foundation

/// Writing for people and scripts, by file descriptor: C's streams are shared state that Swift 6 does not let us touch.
enum Console {
    /// Writes to standard output.
    @discardableResult
    static func out(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

    /// Writes to standard error.
    static func err(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether a descriptor is a terminal, where colours and prompts are welcome.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    /// Writes all of it; what cannot be written has no reader left, so that there is nobody to tell.
    ///
    /// - Parameters:
    ///   - text: What is written.
    ///   - descriptor: Where to.
    /// - Returns: Whether all was written: a program whose output is its result must say so by its exit code.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return false }
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&wait, 1, 1_000) > 0 else { return false }
                continue
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
