import CLibWebSockets
import CUV
import Glibc

/// The flat table of all connections: a trivial view whose copies share the memory.
///
/// The audio path goes through this value alone: no class, no reference count, no exclusivity check. A relay may keep
/// a copy of it; the ``ServerLoop`` frees the memory, so no copy may outlive the loop. Loop's thread only.
struct Connections {
    /// What changes and is no connection's.
    struct Shared {
        /// Slots from 0 that are free in `freeSlots`.
        var freeCount: Int

        /// Connections that wait for the end of the loop's turn.
        var joinedCount = 0
    }

    /// Whose milliseconds count.
    enum Clock {
        /// A loop's, which reads them once a turn.
        case loop(UnsafeMutablePointer<uv_loop_t>)
        /// Somebody's who says them.
        case told(UnsafePointer<UInt64>)
    }

    /// What the table is made of.
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

    /// The connections by slot.
    @inline(__always)
    var states: UnsafeMutablePointer<ConnectionState> { table.pointee.states }

    /// Where waiting packets' bytes are.
    @inline(__always)
    var slab: FrameSlab { table.pointee.slab }

    /// What is counted, shared with the loop.
    @inline(__always)
    var counters: UnsafeMutablePointer<TransportCounters> { table.pointee.counters }

    /// Numbers that do not change.
    @inline(__always)
    var limits: Limits { table.pointee.limits }

    /// The rings of all connections, one behind the other.
    @inline(__always)
    var rings: UnsafeMutablePointer<WaitingPacket> { table.pointee.rings }

    /// Memory for all that waits, of all loops.
    @inline(__always)
    var queues: QueueMemory.View { table.pointee.queues }

    /// The slots of those that wait for the end of the turn.
    @inline(__always)
    var joinedSlots: UnsafeMutablePointer<UInt32> { table.pointee.joinedSlots }

    /// Where packets are put together for one write.
    @inline(__always)
    var scratch: UnsafeMutableRawPointer { table.pointee.scratch }

    /// What changes and is no connection's.
    @inline(__always)
    var shared: Shared {
        get { table.pointee.shared }
        nonmutating set { table.pointee.shared = newValue }
        nonmutating _modify { yield &table.pointee.shared }
    }

    private var freeSlots: UnsafeMutablePointer<UInt32> { table.pointee.freeSlots }

    /// An empty table.
    ///
    /// - Parameters:
    ///   - limits: Sizes and times.
    ///   - slab: For packets that wait; freed with the table.
    ///   - counters: Outlives the table.
    ///   - queues: Outlives the table, too.
    ///   - clock: What it shows outlives the table, too.
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

    /// Frees all memory, of connections still open too.
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

    /// The clock in milliseconds; a loop reads it once a turn, so it costs nothing.
    var now: UInt64 {
        switch table.pointee.clock {
        case .loop(let loop): uv_now(loop)
        case .told(let milliseconds): milliseconds.pointee
        }
    }

    /// The connection of that name, or nil when it is closing, gone or somebody else's slot by now.
    ///
    /// - Parameter id: Any name.
    /// - Returns: Its state, to be sent to.
    func live(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard let state = known(id), state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return nil }
        return state
    }

    /// The connection of that name as long as it has a socket, closing or not.
    ///
    /// - Parameter id: Any name.
    /// - Returns: Its state.
    func known(_ id: ConnectionID) -> UnsafeMutablePointer<ConnectionState>? {
        guard id.loop == limits.loop, Int(id.slot) < limits.capacity else { return nil }
        let state = states + Int(id.slot)
        guard state.pointee.generation == id.generation, state.pointee.flags.contains(.open) else { return nil }
        return state
    }

    /// The name of a connection.
    ///
    /// - Parameter state: In this table.
    /// - Returns: Its name in the present use of the slot.
    func id(of state: UnsafeMutablePointer<ConnectionState>) -> ConnectionID {
        ConnectionID(slot: UInt32(state - states), generation: state.pointee.generation, loop: limits.loop)
    }

    /// Gives a new connection a slot.
    ///
    /// - Parameter wsi: libwebsockets' object for it; nil: it has no socket, and what it is sent waits to be taken by hand.
    /// - Returns: Its state, or nil when the table is full.
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

    /// Takes the slot back when the socket is gone.
    ///
    /// - Parameter state: Open until now.
    func release(_ state: UnsafeMutablePointer<ConnectionState>) {
        empty(state)
        state.pointee.wsi = nil
        state.pointee.flags = []
        freeSlots[shared.freeCount] = UInt32(state - states)
        shared.freeCount += 1
        counters.pointee.connections -= 1
    }

    /// Ends a connection with a reset, on the next turn of the loop: safe from inside any call-back of any connection.
    ///
    /// - Parameter state: Open.
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
        // The timer above is looked at only after an event; this makes one.
        lws_cancel_service(lws_get_context(wsi))
    }

    /// Drops all that waits or is half received.
    private func empty(_ state: UnsafeMutablePointer<ConnectionState>) {
        dropAudio(of: state)
        dropTexts(of: state)
        state.pointee.freeReading()
        state.pointee.assembly?.deallocate()
        state.pointee.assembly = nil
        queues.giveBack(state.pointee.assemblyCapacity)
        state.pointee.assemblyCapacity = 0
    }

    /// Drops all text that waits.
    ///
    /// - Parameter state: In this table.
    /// - Returns: The number of the first numbered one; nil: there was none.
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
