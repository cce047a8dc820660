import Synchronization

/// Ends runs before their time: they fail, and leave their hub as others do.
public final class Interruption: Sendable {
    private let flag = Atomic(false)

    /// Nothing is interrupted yet.
    public init() {}

    /// Ends all runs that go by this; any thread may.
    public func interrupt() { flag.store(true, ordering: .relaxed) }

    /// Whether runs end.
    var isOn: Bool { flag.load(ordering: .relaxed) }
}
