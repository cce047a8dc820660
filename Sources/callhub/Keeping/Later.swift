import Foundation

/// Something that is there a little later than who wants to use it.
final class Later<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value?
    private var waiting: [@Sendable (Value) -> Void] = []

    /// It is there.
    func give(_ value: Value) {
        let waiting = lock.withLock {
            self.value = value
            defer { self.waiting = [] }
            return self.waiting
        }
        for use in waiting { use(value) }
    }

    /// Uses it, at once or when it is there.
    func use(_ body: @escaping @Sendable (Value) -> Void) {
        let there = lock.withLock {
            if value == nil { waiting.append(body) }
            return value
        }
        if let there { body(there) }
    }
}
