import Foundation

/// Output by file descriptor, since C's streams are shared mutable state that Swift 6 does not allow.
package enum Console {
    /// Writes to standard output, or into the description of the command that is asked for its help.
    @discardableResult
    package static func out(_ text: String) -> Bool {
        guard let recorder = CommandRecorder.current else { return write(text, to: STDOUT_FILENO) }
        recorder.add(help: text)
        return true
    }

    /// Writes to standard error.
    package static func err(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Indicates that a descriptor is a terminal, which shows colours and prompts.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    /// Writes a whole text; an error means that there is no reader any more, and is not reported here.
    ///
    /// - Parameters:
    ///   - text: The text to write, as UTF-8.
    ///   - descriptor: The file descriptor to write to.
    /// - Returns: True if all was written; a program whose output is its result reports false by its exit code.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
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
