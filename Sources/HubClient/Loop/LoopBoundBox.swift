/// A Sendable reference to an object that only a loop's thread may access.
///
/// Each access passes the loop's `LoopThread` as a proof: it is not Sendable, so the caller is on its thread. All calls
/// must pass the same one.
final class LoopBoundBox<Value: AnyObject>: @unchecked Sendable {
    private var value: Value?

    /// Creates an empty box.
    init() {}

    /// Returns the object; nil: the box is empty.
    func value(on loop: LoopThread) -> Value? { value }

    /// Replaces the object; nil empties the box.
    func set(_ value: Value?, on loop: LoopThread) { self.value = value }
}
