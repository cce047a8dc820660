import Foundation

/// A value behind a lock: not `Mutex`, which ThreadSanitizer takes for a race (docs/toolchain-workarounds.md).
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Lets nobody else at it meanwhile.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
