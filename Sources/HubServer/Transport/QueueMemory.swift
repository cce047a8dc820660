import Synchronization

/// Memory for all that waits in a hub, counted for all loops together: texts, packets, messages half received, replay logs.
///
/// Safe on any thread. Asked when something has to wait, which is never on the way of a packet that is passed on.
final class QueueMemory: @unchecked Sendable {
    /// The count itself, for flat tables; its owner keeps the memory alive.
    struct View: @unchecked Sendable {
        fileprivate let counted: UnsafeMutablePointer<Atomic<Int>>
        fileprivate let limit: Int

        /// Bytes that wait now.
        var used: Int { counted.pointee.load(ordering: .relaxed) }

        /// Takes memory, if there is that much.
        ///
        /// - Parameter bytes: 0 or more.
        /// - Returns: False when it would be more than allowed; then nothing is taken.
        func take(_ bytes: Int) -> Bool {
            if add(bytes) { return true }
            giveBack(bytes)
            return false
        }

        /// Takes memory in any case.
        ///
        /// - Parameter bytes: 0 or more.
        /// - Returns: False when that is more than allowed.
        func add(_ bytes: Int) -> Bool {
            counted.pointee.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        }

        /// Gives back what was taken.
        ///
        /// - Parameter bytes: As many.
        func giveBack(_ bytes: Int) {
            counted.pointee.wrappingSubtract(bytes, ordering: .relaxed)
        }
    }

    /// For flat tables.
    let view: View

    /// Nothing waits.
    ///
    /// - Parameter limit: In bytes.
    init(limit: Int) {
        let counted = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
        counted.initialize(to: Atomic(0))
        view = View(counted: counted, limit: limit)
    }

    deinit {
        view.counted.deinitialize(count: 1)
        view.counted.deallocate()
    }

    /// The share of what is allowed that is in use, 0 to 1.
    var share: Double { Double(view.used) / Double(max(view.limit, 1)) }
}
