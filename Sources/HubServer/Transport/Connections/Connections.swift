package import CUV

/// The flat table of a loop's connections: a trivial view whose copies share the memory of a ``ConnectionTable``.
///
/// The audio path uses this value alone: no class, no reference count, no exclusivity check. A relay may keep
/// a copy of it; no copy may outlive the table. Loop's thread only.
package struct Connections {
    /// The mutable state that belongs to no single connection.
    struct Shared {
        /// The number of free slots, at the beginning of `freeSlots`.
        var freeCount: Int

        /// The number of connections with packets to be written at the end of the loop's iteration.
        var coalescingCount = 0
    }

    /// The source of the table's time in milliseconds.
    package enum Clock {
        /// A libuv loop's time, which it updates once per iteration.
        case loop(UnsafeMutablePointer<uv_loop_t>)
        /// A time set by the owner of this memory.
        case manual(UnsafePointer<UInt64>)
    }

    /// The contents of the table.
    fileprivate struct Table {
        let states: UnsafeMutablePointer<ConnectionState>
        let slab: FrameSlab.View
        let counters: UnsafeMutablePointer<TransportCounters>
        let limits: Limits
        let rings: UnsafeMutablePointer<QueuedPacket>
        let queues: QueueBudget.View
        let freeSlots: UnsafeMutablePointer<UInt32>
        let coalescingSlots: UnsafeMutablePointer<UInt32>
        let scratch: UnsafeMutableRawPointer
        let clock: Clock
        var shared: Shared
    }

    // One pointer: the view is passed several times for each packet, and a larger struct would be copied each time.
    fileprivate let table: UnsafeMutablePointer<Table>

    /// The states of the connections by slot.
    @inline(__always)
    var states: UnsafeMutablePointer<ConnectionState> { table.pointee.states }

    /// The memory of queued packets' bytes.
    @inline(__always)
    var slab: FrameSlab.View { table.pointee.slab }

    /// The counters, shared with the loop.
    @inline(__always)
    package var counters: UnsafeMutablePointer<TransportCounters> { table.pointee.counters }

    /// Sizes and times, which are constant.
    @inline(__always)
    package var limits: Limits { table.pointee.limits }

    /// The rings of queued packets of all connections, one behind the other.
    @inline(__always)
    var rings: UnsafeMutablePointer<QueuedPacket> { table.pointee.rings }

    /// The memory budget for queued data, shared by all loops.
    @inline(__always)
    var queues: QueueBudget.View { table.pointee.queues }

    /// The slots of connections with packets to be written at the end of the loop's iteration.
    @inline(__always)
    var coalescingSlots: UnsafeMutablePointer<UInt32> { table.pointee.coalescingSlots }

    /// The memory in which frames are put together for one write, with ``LWSSocket/headRoom`` in front.
    @inline(__always)
    package var scratch: UnsafeMutableRawPointer { table.pointee.scratch }

    /// The mutable state that belongs to no single connection.
    @inline(__always)
    var shared: Shared {
        get { table.pointee.shared }
        nonmutating set { table.pointee.shared = newValue }
        nonmutating _modify { yield &table.pointee.shared }
    }

    private var freeSlots: UnsafeMutablePointer<UInt32> { table.pointee.freeSlots }

    /// The monotonic time in milliseconds; a loop updates it once per iteration, so reading it costs nothing.
    package var now: UInt64 {
        switch table.pointee.clock {
        case .loop(let loop): uv_now(loop)
        case .manual(let milliseconds): milliseconds.pointee
        }
    }

    /// Looks up a connection to which something can be sent.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: Its state; nil if it is closing or closed, even if its slot is in use again.
    @inline(__always)
    package func stateIfOpen(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard let state = stateIfPresent(id), state.pointee.phase.isOpen else { return nil }
        return state
    }

    /// Looks up a connection as long as it has a socket, closing or not.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: Its state; nil if it is closed, even if its slot is in use again.
    @inline(__always)
    func stateIfPresent(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard id.loop == limits.loop, Int(id.slot) < limits.capacity else { return nil }
        let state = states + Int(id.slot)
        guard state.pointee.generation == id.generation, !state.pointee.phase.isFree else { return nil }
        return state
    }

    /// Derives the identifier of a connection.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The identifier for the current use of the slot.
    package func id(of state: UnsafeMutablePointer<ConnectionState>) -> ConnectionID {
        ConnectionID(slot: UInt32(state - states), generation: state.pointee.generation, loop: limits.loop)
    }

    /// Allocates a slot for a new connection.
    ///
    /// - Parameter socket: The library's connection; nil: none, and what it is sent stays queued.
    /// - Returns: Its state; nil if the table is full.
    package func open(_ socket: LWSSocket?) -> UnsafeMutablePointer<ConnectionState>? {
        guard shared.freeCount > 0 else { return nil }
        shared.freeCount -= 1
        let state = states + Int(freeSlots[shared.freeCount])
        let generation = state.pointee.generation &+ 1
        state.pointee = ConnectionState()
        state.pointee.generation = generation == 0 ? 1 : generation
        state.pointee.socket = socket
        state.pointee.phase = .open(.pending)
        state.pointee.output = socket == nil ? .blocked(since: now) : .writable
        state.pointee.openedAt = now
        state.pointee.receivedAt = now
        counters.pointee.connections += 1
        counters.pointee.opened += 1
        return state
    }

    /// Releases the slot of a connection whose socket is closed.
    ///
    /// - Parameter state: A connection that was open until now.
    package func release(_ state: UnsafeMutablePointer<ConnectionState>) {
        discardAll(state)
        state.pointee.socket = nil
        state.pointee.phase = .free
        freeSlots[shared.freeCount] = UInt32(state - states)
        shared.freeCount += 1
        counters.pointee.connections -= 1
    }

    /// Drops all that is queued or partly received.
    fileprivate func discardAll(_ state: UnsafeMutablePointer<ConnectionState>) {
        dropAudio(of: state)
        dropTexts(of: state)
        state.pointee.assembly = .none
    }
}

/// The owner of the memory of a table of connections, and of all that its end touches.
package struct ConnectionTable: ~Copyable {
    /// The view of the table.
    package let view: Connections

    /// The counters of the table.
    package let counters: UniqueMemory<TransportCounters>

    private let slab: FrameSlab
    private let queues: QueueBudget

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - limits: Sizes and times.
    ///   - settings: The maximum size and number of queued packets.
    ///   - queues: The memory budget for queued data.
    ///   - clock: The source of the time; the memory it points to must outlive the table.
    package init(
        limits: Connections.Limits,
        settings: TransportSettings,
        queues: QueueBudget,
        clock: Connections.Clock
    ) {
        let counters = UniqueMemory(TransportCounters())
        let slab = FrameSlab(
            payloadBytes: settings.maximumAudioBytes,
            maximumSlots: settings.maximumQueuedPackets,
            queues: queues
        )
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: LWSSocket.headRoom + limits.scratchBytes,
            alignment: 16
        )
        let table = UnsafeMutablePointer<Connections.Table>.allocate(capacity: 1)
        table.initialize(
            to: Connections.Table(
                states: .allocate(capacity: limits.capacity),
                slab: slab.view,
                counters: counters.pointer,
                limits: limits,
                rings: .allocate(capacity: limits.capacity * limits.ringCapacity),
                queues: queues.view,
                freeSlots: .allocate(capacity: limits.capacity),
                coalescingSlots: .allocate(capacity: limits.capacity),
                scratch: scratch + LWSSocket.headRoom,
                clock: clock,
                shared: Connections.Shared(freeCount: limits.capacity)
            )
        )
        for slot in 0..<limits.capacity {
            (table.pointee.states + slot).initialize(to: ConnectionState())
            table.pointee.freeSlots[slot] = UInt32(limits.capacity - 1 - slot)
        }
        self.slab = slab
        self.queues = queues
        self.counters = counters
        view = Connections(table: table)
    }

    deinit {
        let table = view.table
        for slot in 0..<table.pointee.limits.capacity { view.discardAll(table.pointee.states + slot) }
        table.pointee.states.deinitialize(count: table.pointee.limits.capacity)
        table.pointee.states.deallocate()
        table.pointee.rings.deallocate()
        table.pointee.freeSlots.deallocate()
        table.pointee.coalescingSlots.deallocate()
        (table.pointee.scratch - LWSSocket.headRoom).deallocate()
        table.deallocate()
    }
}
