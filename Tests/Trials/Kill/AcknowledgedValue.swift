/// A value that the hub stores: the one acknowledged last, and one that was requested since and not acknowledged.
struct AcknowledgedValue<Value: Equatable & Sendable>: Sendable {
    /// The value acknowledged last.
    private(set) var certain: Value
    /// The value requested and not acknowledged yet.
    private(set) var asked: Value?

    init(_ value: Value) {
        certain = value
    }

    /// Records a request to change the value.
    mutating func ask(_ value: Value) {
        asked = value
    }

    /// Records that the hub has acknowledged the change, or refused it.
    mutating func answered(isDone: Bool = true) {
        if isDone, let asked { certain = asked }
        asked = nil
    }

    /// Compares the value that the next hub has, which is certain from then on.
    ///
    /// - Parameter found: The value that the next hub has.
    /// - Returns: True if it is either the acknowledged or the requested value.
    mutating func confirm(_ found: Value) -> Bool {
        let isRight = found == certain || found == asked
        (certain, asked) = (found, nil)
        return isRight
    }
}
