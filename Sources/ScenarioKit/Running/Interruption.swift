import Synchronization

/// A switch that interrupts runs: they fail, and their devices sign out.
public final class Interruption: Sendable {
    private let flag = Atomic(false)

    /// Creates a switch that is off.
    public init() {}

    /// Interrupts all runs that use this switch; safe on any thread.
    public func interrupt() { flag.store(true, ordering: .relaxed) }

    /// Indicates that the runs are interrupted.
    var isOn: Bool { flag.load(ordering: .relaxed) }
}
