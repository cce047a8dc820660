import Synchronization

/// The number of bytes that a loop has received and the hub has not processed yet.
///
/// The loop stops reading while it is full.
final class Backlog: Sendable {
    private let bytes = Atomic<Int>(0)
    private let isPaused = Atomic<Bool>(false)

    /// The limit in bytes, 8 MiB.
    ///
    /// More: longer bursts pass while the hub is busy; more memory per loop.
    static let limit = 8 << 20

    /// True while the limit is reached and nothing more is to be read.
    var isFull: Bool { bytes.load(ordering: .relaxed) >= Self.limit }

    /// True while less than half of the limit is used, so that reading may resume.
    var hasRoom: Bool { bytes.load(ordering: .relaxed) < Self.limit / 2 }

    /// Adds received bytes; called on the loop's thread.
    ///
    /// - Parameter count: The number of bytes received.
    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
    }

    /// Subtracts processed bytes; called on the hub's thread.
    ///
    /// - Parameter count: The number of bytes processed.
    /// - Returns: True if the loop has stopped reading and is to be notified that it may resume; once per stop.
    func remove(_ count: Int) -> Bool {
        bytes.subtract(count, ordering: .relaxed)
        return hasRoom && isPaused.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Records that the loop has stopped reading until it is notified; called on the loop's thread.
    func markPaused() {
        isPaused.store(true, ordering: .releasing)
    }
}
