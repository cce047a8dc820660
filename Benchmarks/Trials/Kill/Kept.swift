/// Something that the hub keeps: as it was told to be, and as it may be, since the last change was asked for and not answered.
struct Kept<Value: Equatable & Sendable>: Sendable {
    /// What the hub has answered for.
    private(set) var certain: Value
    /// What was asked for, and not answered yet.
    private(set) var asked: Value?

    init(_ value: Value) {
        certain = value
    }

    /// A change is on its way.
    mutating func ask(_ value: Value) {
        asked = value
    }

    /// The hub has answered, and so made the change; or has refused it.
    mutating func answered(isDone: Bool = true) {
        if isDone, let asked { certain = asked }
        asked = nil
    }

    /// Looks at what the next hub has.
    ///
    /// - Returns: Whether it is the one or the other; from then on it is certain either way.
    mutating func settle(_ found: Value) -> Bool {
        let isRight = found == certain || found == asked
        (certain, asked) = (found, nil)
        return isRight
    }
}
