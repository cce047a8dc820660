/// A value in shared storage: copies of its owner share it until one of them assigns another value.
///
/// For large, rarely changed parts of values that are copied often: a copy costs one reference instead of one for each
/// string and array in the value.
struct CopyOnWrite<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        @inline(__always)
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}
