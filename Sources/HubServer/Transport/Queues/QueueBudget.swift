import Synchronization

/// The memory budget for queued data of all loops: texts, packets, messages partly received, replay logs.
///
/// Safe on any thread. Used when something must be queued, never for a packet that is relayed at once.
package final class QueueBudget: @unchecked Sendable {
    /// The budget as a trivial view, for flat tables; the owner keeps the memory alive.
    struct View: @unchecked Sendable {
        fileprivate let counted: UnsafeMutablePointer<Atomic<Int>>
        fileprivate let limit: Int

        /// The bytes in use.
        var used: Int { counted.pointee.load(ordering: .relaxed) }

        /// Reserves memory, if that much is left.
        ///
        /// - Parameter bytes: The number of bytes, at least 0.
        /// - Returns: False if the limit would be exceeded; then nothing is reserved.
        func reserve(_ bytes: Int) -> Bool {
            if add(bytes) { return true }
            release(bytes)
            return false
        }

        /// Reserves memory, even beyond the limit.
        ///
        /// - Parameter bytes: The number of bytes, at least 0.
        /// - Returns: False if the limit is exceeded.
        func add(_ bytes: Int) -> Bool {
            counted.pointee.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        }

        /// Releases reserved memory.
        ///
        /// - Parameter bytes: The number of bytes, as many as were reserved.
        func release(_ bytes: Int) {
            counted.pointee.wrappingSubtract(bytes, ordering: .relaxed)
        }
    }

    /// The view for flat tables.
    let view: View

    /// Creates a budget of which nothing is used.
    ///
    /// - Parameter limit: The limit in bytes.
    init(limit: Int) {
        let counted = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
        counted.initialize(to: Atomic(0))
        view = View(counted: counted, limit: limit)
    }

    deinit {
        view.counted.deinitialize(count: 1)
        view.counted.deallocate()
    }

    /// The share of the limit that is in use, usually 0 to 1; `add` may exceed the limit.
    var usedShare: Double { Double(view.used) / Double(max(view.limit, 1)) }
}
