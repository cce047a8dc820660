import Glibc

/// Why nothing could be measured, in one sentence.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    /// An error with that sentence.
    init(_ description: String) {
        self.description = description
    }

    /// A system call that failed, with the system's reason.
    static func system(_ call: String) -> BenchmarkError {
        BenchmarkError("\(call): \(String(cString: strerror(errno)))")
    }
}
