import CLibWebSockets
import CUV
import Glibc

/// The flat table of a loop's connections: a trivial view whose copies share the memory.
///
/// The audio path uses this value alone: no class, no reference count, no exclusivity check. A relay may keep
/// a copy of it; the ``ServerLoop`` frees the memory, so no copy may outlive the loop. Loop's thread only.
struct Connections {
    /// The mutable state that belongs to no single connection.
    struct Shared {
        /// The number of free slots, at the beginning of `freeSlots`.
        var freeCount: Int

        /// The number of connections with packets to be written at the end of the loop's iteration.
        var joinedCount = 0
    }

    /// The source of the table's time in milliseconds.
    enum Clock {
        /// A libuv loop's time, which it updates once per iteration.
        case loop(UnsafeMutablePointer<uv_loop_t>)
        /// A time set by the owner of this memory.
        case told(UnsafePointer<UInt64>)
    }

    /// The contents of the table.
    private struct Table {
        let states: UnsafeMutablePointer<ConnectionState>
        let slab: FrameSlab
        let counters: UnsafeMutablePointer<TransportCounters>
        let limits: Limits
        let rings: UnsafeMutablePointer<WaitingPacket>
        let queues: QueueMemory.View
        let freeSlots: UnsafeMutablePointer<UInt32>
        let joinedSlots: UnsafeMutablePointer<UInt32>
        let scratch: UnsafeMutableRawPointer
        let clock: Clock
        var shared: Shared
    }

    // One pointer: the view is handed down several times a packet, and what is longer is copied each time.
    private let table: UnsafeMutablePointer<Table>

    /// The states of the connections by slot.
    @inline(__always)
    var states: UnsafeMutablePointer<ConnectionState> { table.pointee.states }

    /// The memory of queued packets' bytes.
    @inline(__always)
    var slab: FrameSlab { table.pointee.slab }

    /// The counters, shared with the loop.
    @inline(__always)
    var counters: UnsafeMutablePointer<TransportCounters> { table.pointee.counters }

    /// Sizes and times, which are constant.
    @inline(__always)
    var limits: Limits { table.pointee.limits }

    /// The rings of queued packets of all connections, one behind the other.
    @inline(__always)
    var rings: UnsafeMutablePointer<WaitingPacket> { table.pointee.rings }

    /// The memory budget for queued data, shared by all loops.
    @inline(__always)
    var queues: QueueMemory.View { table.pointee.queues }

    /// The slots of connections with packets to be written at the end of the loop's iteration.
    @inline(__always)
    var joinedSlots: UnsafeMutablePointer<UInt32> { table.pointee.joinedSlots }

    /// The memory in which several packets are put together for one write.
    @inline(__always)
    var scratch: UnsafeMutableRawPointer { table.pointee.scratch }

    /// The mutable state that belongs to no single connection.
    @inline(__always)
    var shared: Shared {
        get { table.pointee.shared }
        nonmutating set { table.pointee.shared = newValue }
        nonmutating _modify { yield &table.pointee.shared }
    }

    private var freeSlots: UnsafeMutablePointer<UInt32> { table.pointee.freeSlots }

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - limits: Sizes and times.
    ///   - slab: The memory for queued packets; freed with the table.
    ///   - counters: The counters to be incremented; must outlive the table.
    ///   - queues: The memory budget for queued data; must outlive the table.
    ///   - clock: The source of the time; the memory it points to must outlive the table.
    init(
        limits: Limits,
        slab: FrameSlab,
        counters: UnsafeMutablePointer<TransportCounters>,
        queues: QueueMemory.View,
        clock: Clock
    ) {
        table = .allocate(capacity: 1)
        table.initialize(
            to: Table(
                states: .allocate(capacity: limits.capacity),
                slab: slab,
                counters: counters,
                limits: limits,
                rings: .allocate(capacity: limits.capacity * limits.ringCapacity),
                queues: queues,
                freeSlots: .allocate(capacity: limits.capacity),
                joinedSlots: .allocate(capacity: limits.capacity),
                scratch: .allocate(byteCount: limits.scratchBytes, alignment: 16),
                clock: clock,
                shared: Shared(freeCount: limits.capacity)
            )
        )
        states.initialize(repeating: ConnectionState(), count: limits.capacity)
        for slot in 0..<limits.capacity { freeSlots[slot] = UInt32(limits.capacity - 1 - slot) }
    }

    /// Frees all memory, including that of connections still open.
    func deallocate() {
        for slot in 0..<limits.capacity { empty(states + slot) }
        states.deallocate()
        rings.deallocate()
        freeSlots.deallocate()
        joinedSlots.deallocate()
        scratch.deallocate()
        slab.deallocate()
        table.deallocate()
    }

    /// The monotonic time in milliseconds; a loop updates it once per iteration, so reading it costs nothing.
    var now: UInt64 {
        switch table.pointee.clock {
        case .loop(let loop): uv_now(loop)
        case .told(let milliseconds): milliseconds.pointee
        }
    }

    /// Looks up a connection to which something can be sent.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: Its state; nil if it is closing or closed, even if its slot is in use again.
    func live(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard let state = known(id), state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return nil }
        return state
    }

    /// Looks up a connection as long as it has a socket, closing or not.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: Its state; nil if it is closed, even if its slot is in use again.
    func known(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard id.loop == limits.loop, Int(id.slot) < limits.capacity else { return nil }
        let state = states + Int(id.slot)
        guard state.pointee.generation == id.generation, state.pointee.flags.contains(.open) else { return nil }
        return state
    }

    /// Derives the identifier of a connection.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The identifier for the current use of the slot.
    func id(of state: UnsafeMutablePointer<ConnectionState>) -> ConnectionID {
        ConnectionID(slot: UInt32(state - states), generation: state.pointee.generation, loop: limits.loop)
    }

    /// Allocates a slot for a new connection.
    ///
    /// - Parameter wsi: The connection's libwebsockets object; nil: it has no socket, and what it is sent stays queued.
    /// - Returns: Its state; nil if the table is full.
    func open(_ wsi: OpaquePointer?) -> UnsafeMutablePointer<ConnectionState>? {
        guard shared.freeCount > 0 else { return nil }
        shared.freeCount -= 1
        let state = states + Int(freeSlots[shared.freeCount])
        let generation = state.pointee.generation &+ 1
        state.pointee = ConnectionState()
        state.pointee.generation = generation == 0 ? 1 : generation
        state.pointee.wsi = wsi
        state.pointee.flags = wsi == nil ? [.open, .blocked] : .open
        state.pointee.blockedAt = now
        state.pointee.openedAt = now
        state.pointee.receivedAt = now
        counters.pointee.connections += 1
        counters.pointee.opened += 1
        return state
    }

    /// Releases the slot of a connection whose socket is closed.
    ///
    /// - Parameter state: A connection that was open until now.
    func release(_ state: UnsafeMutablePointer<ConnectionState>) {
        empty(state)
        state.pointee.wsi = nil
        state.pointee.flags = []
        freeSlots[shared.freeCount] = UInt32(state - states)
        shared.freeCount += 1
        counters.pointee.connections -= 1
    }

    /// Resets a connection in the next iteration of the loop; safe inside any callback of any connection.
    ///
    /// - Parameter state: An open connection.
    func kill(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, !state.pointee.flags.contains(.killed) else { return }
        state.pointee.flags.insert([.killed, .closing])
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            lws_get_socket_fd(wsi),
            SOL_SOCKET,
            SO_LINGER,
            &linger,
            socklen_t(MemoryLayout<linger>.size)
        )
        lws_set_timeout(wsi, hub_lws_kill_reason, LWS_TO_KILL_ASYNC)
        // The timer above is checked only after an event; this causes one.
        lws_cancel_service(lws_get_context(wsi))
    }

    /// Drops all that is queued or partly received.
    private func empty(_ state: UnsafeMutablePointer<ConnectionState>) {
        dropAudio(of: state)
        dropTexts(of: state)
        state.pointee.freeReading()
        state.pointee.assembly?.deallocate()
        state.pointee.assembly = nil
        queues.giveBack(state.pointee.assemblyCapacity)
        state.pointee.assemblyCapacity = 0
    }

    /// Drops all queued texts.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The number of the first numbered text; nil: there was none.
    @discardableResult
    func dropTexts(of state: UnsafeMutablePointer<ConnectionState>) -> UInt64? {
        var first: UInt64?
        while let node = state.pointee.firstText {
            if first == nil, node.pointee.number > 0 { first = node.pointee.number }
            state.pointee.firstText = node.pointee.next
            node.deallocate()
        }
        state.pointee.lastText = nil
        queues.giveBack(state.pointee.textBytes)
        state.pointee.textBytes = 0
        return first
    }
}
