/// A value that the copies of whatever holds it share, until one of them gets another.
///
/// For what is large and rarely changes in something that is copied all the time: the copy costs one reference, in place of one for
/// each string and array in it.
struct Shared<Value: Sendable>: Sendable {
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
