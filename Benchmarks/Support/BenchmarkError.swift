import Glibc

/// The reason why nothing could be measured, in one sentence.
package struct BenchmarkError: Error, CustomStringConvertible {
    package var description: String

    /// An error with that sentence.
    package init(_ description: String) {
        self.description = description
    }

    /// A system call that failed, with the system's reason.
    package static func system(_ call: String) -> BenchmarkError {
        BenchmarkError("\(call): \(String(cString: strerror(errno)))")
    }
}
