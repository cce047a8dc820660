import Glibc

/// One line of progress on standard error, shown if that is a terminal.
package enum Progress {
    /// Replaces the line.
    package static func show(_ text: String) {
        if isatty(STDERR_FILENO) == 1 {
            put("\r\u{1b}[K\(text) ...")
        }
    }

    /// Clears the line.
    package static func clear() {
        if isatty(STDERR_FILENO) == 1 {
            put("\r\u{1b}[K")
        }
    }
}

/// Writes a line to standard error.
package func say(_ text: String) {
    Progress.clear()
    put(text + "\n")
}

private func put(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
