/// The owner of the memory of an ``AudioRelay`` and of its link to other loops.
///
/// No copy of the view may be used after the owner's end.
package struct AudioRelayStorage<Outlet: AudioOutlet>: ~Copyable {
    /// The view of the relay.
    package let view: AudioRelay<Outlet>

    private let state: UniqueMemory<RelayState>
    private let crossLoopLink: CrossLoopLink

    /// Makes a relay without sessions on a hub's only loop.
    ///
    /// - Parameters:
    ///   - connections: The number of connection slots.
    ///   - outlet: The destination of packets.
    ///   - lateAfter: The delay behind a sender's pace beyond which its packets are dropped.
    package init(connections: Int, outlet: Outlet, lateAfter: Duration) {
        self.init(connections: connections, outlet: outlet, lateAfter: lateAfter, crossLoopLink: CrossLoopLink())
    }

    /// Makes a relay without sessions.
    ///
    /// - Parameters:
    ///   - connections: The number of connection slots.
    ///   - outlet: The destination of packets.
    ///   - lateAfter: The delay behind a sender's pace beyond which its packets are dropped.
    ///   - crossLoopLink: The link to other loops.
    init(connections: Int, outlet: Outlet, lateAfter: Duration, crossLoopLink: consuming CrossLoopLink) {
        let state = UniqueMemory(RelayState(connections: connections, lateAfter: lateAfter))
        view = AudioRelay(state: state.pointer, outlet: outlet, crossLoopLink: crossLoopLink.view)
        self.state = state
        self.crossLoopLink = crossLoopLink
    }
}
