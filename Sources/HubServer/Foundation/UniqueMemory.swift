/// A value in memory of its own, whose address is stable and which is freed with its owner.
///
/// Its pointer is for views that must not count references; none may be used after the owner's end.
package struct UniqueMemory<Value: ~Copyable>: ~Copyable {
    /// The address of the value.
    package let pointer: UnsafeMutablePointer<Value>

    /// Allocates memory for a value.
    ///
    /// - Parameter value: The first value.
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
