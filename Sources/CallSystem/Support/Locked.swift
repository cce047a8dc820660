import Foundation

/// A value behind a lock, safe on any thread.
///
/// The lock is an NSLock since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock around a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Calls a closure with exclusive access to the value.
    ///
    /// - Parameter body: The closure; it must not use the same lock again.
    /// - Returns: The result of the closure.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
