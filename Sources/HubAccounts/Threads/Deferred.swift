import Foundation
import Synchronization

/// A value that is set later; callers queue until then.
final class Deferred<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value?
    private var waiting: [@Sendable (Value) -> Void] = []

    init() {}

    /// Sets the value, and calls the queued bodies with it.
    func resolve(_ value: Value) {
        let waiting = lock.withLock {
            self.value = value
            defer { self.waiting = [] }
            return self.waiting
        }
        for use in waiting { use(value) }
    }

    /// Calls a body with the value, at once or when it is set.
    func use(_ body: @escaping @Sendable (Value) -> Void) {
        let there = lock.withLock {
            if value == nil { waiting.append(body) }
            return value
        }
        if let there { body(there) }
    }
}

/// A body that is called with each new value, if there is one.
final class ChangeListener<Value: Sendable>: Sendable {
    private let body = Mutex<(@Sendable (Value) -> Void)?>(nil)

    /// Sets the body.
    func set(_ body: @escaping @Sendable (Value) -> Void) { self.body.withLock { $0 = body } }

    /// Calls the body, if one is set.
    func notify(_ value: Value) { body.withLock { $0 }?(value) }
}
