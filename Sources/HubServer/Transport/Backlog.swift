import Synchronization

/// What a loop has received for the hub and the hub has not taken yet, in bytes: where it grows, the loop stops reading.
final class Backlog: Sendable {
    private let bytes = Atomic<Int>(0)
    private let isWaiting = Atomic<Bool>(false)

    /// More: longer bursts pass while the hub is busy; more memory a loop.
    static let limit = 8 << 20

    /// Whether so much waits that nothing more is to be read.
    var isFull: Bool { bytes.load(ordering: .relaxed) >= Self.limit }

    /// Whether reading may go on.
    var hasRoom: Bool { bytes.load(ordering: .relaxed) < Self.limit / 2 }

    /// The loop has received; its thread.
    ///
    /// - Parameter count: Bytes.
    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
    }

    /// The hub has taken; its thread.
    ///
    /// - Parameter count: Bytes.
    /// - Returns: Whether the loop waits to be told.
    func remove(_ count: Int) -> Bool {
        bytes.subtract(count, ordering: .relaxed)
        return hasRoom && isWaiting.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// The loop reads no more until it is told; its thread.
    func waits() {
        isWaiting.store(true, ordering: .releasing)
    }
}
