/// A box for an object of a loop's thread: any thread may hold it, and only that one reach the object.
///
/// `LoopThread` is not Sendable, so that a caller that can pass one is on its thread. Each call has to pass the same.
final class LoopBoundBox<Value: AnyObject>: @unchecked Sendable {
    private var value: Value?

    /// Creates an empty box.
    init() {}

    /// Returns the object; nil: the box is empty.
    func value(on loop: LoopThread) -> Value? { value }

    /// Replaces the object; nil empties the box.
    func set(_ value: Value?, on loop: LoopThread) { self.value = value }
}
