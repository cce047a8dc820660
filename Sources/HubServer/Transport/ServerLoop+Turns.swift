import CLibWebSockets
import CUV
import Glibc

/// The turns of the loop, and the sockets that it reads itself.
///
/// libwebsockets takes a connection through its handshake, and TLS through its life. Of a plain connection it would do
/// nothing more than what costs as much as all of the relay: so from a message's end on, when it holds no byte of the
/// stream, the loop reads such a socket itself. What is written, other than packets, still goes through the library, which
/// keeps what the kernel does not take; and it closes the socket.
extension ServerLoop {
    /// Messages at whose ends a take-over is tried.
    ///
    /// More: fewer connections stay the library's for good; two system calls each.
    static let triesToTakeOver: UInt8 = 8

    /// Waits for something to do, and does it.
    func takeTurn() {
        turnEnds()
        let uv = eventLoop.uv
        let ready = poller.wait(milliseconds: uv_backend_timeout(uv))
        uv_update_time(uv)
        var hasLibraryWork = false
        if ready > 0 { meter.pointee.wakes(at: uv_hrtime()) }
        for index in 0..<ready {
            let (name, isEnding) = poller[index]
            if name == SocketPoller.library {
                hasLibraryWork = true
            } else {
                read(name, isEnding: isEnding)
            }
        }
        // Zero: a timer is due, or what was done here is to be made known to the kernel.
        if hasLibraryWork || uv_backend_timeout(uv) == 0 { uv_run(uv, UV_RUN_NOWAIT) }
    }

    /// A socket has something to read.
    @inline(__always)
    private func read(_ name: UInt64, isEnding: Bool) {
        guard let state = connections.readable(name) else { return }
        read(state, isEnding: isEnding)
    }

    /// Reads a socket whose reading was paused.
    ///
    /// - Parameter id: Any name.
    func readAgain(_ id: ConnectionID) {
        guard let state = connections.known(id), state.pointee.descriptor >= 0 else { return }
        read(state, isEnding: true)
    }

    @inline(__always)
    private func read(_ state: UnsafeMutablePointer<ConnectionState>, isEnding: Bool) {
        switch receiver.read(state, handler: handler) {
        case .goesOn:
            // Its end is read when all before it has been.
            guard isEnding else { return }
            rearm(state)
        case .hasMore: rearm(state)
        case .ended: hangUp(state)
        }
    }

    private func rearm(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard state.pointee.descriptor >= 0, state.pointee.flags.isDisjoint(with: [.killed, .paused]) else { return }
        poller.rearm(state.pointee.descriptor, connections.readingName(of: state))
    }

    /// Has the library close a socket that has ended, now.
    private func hangUp(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, !state.pointee.flags.contains(.killed) else { return }
        var event = pollfd(fd: lws_get_socket_fd(wsi), events: 0, revents: Int16(POLLHUP))
        lws_service_fd(lws_get_context(wsi), &event)
    }

    /// Takes the reading of a connection over from the library, when it holds no byte of the stream: called at the end of a
    /// message, where that is so unless it has read on.
    ///
    /// The library does not say how much it has read. But the kernel does, and since the handshake all of that must have been
    /// messages. Where it was not (a client that has sent a ping, or more than its request before the answer) the library
    /// goes on reading.
    ///
    /// - Parameters:
    ///   - state: Plain, and read by the library.
    ///   - wsi: Its own.
    func takeOver(_ state: UnsafeMutablePointer<ConnectionState>, _ wsi: OpaquePointer) {
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed, .paused]) else { return }
        state.pointee.triesToTakeOver &-= 1
        let descriptor = state.pointee.descriptor
        guard let taken = StreamPosition.bytesTaken(from: descriptor), taken == state.pointee.streamPosition,
            poller.add(descriptor, connections.readingName(of: state))
        else { return }
        state.pointee.flags.insert(.readHere)
        lws_rx_flow_control(wsi, 0)
    }

    /// Counts what the library has read of a connection's stream, and takes over where that is all.
    ///
    /// - Parameters:
    ///   - count: Bytes of a piece.
    ///   - wsi: Where it came from.
    ///   - state: Plain, and read by the library.
    func noteLibraryRead(_ count: Int, _ wsi: OpaquePointer, _ state: UnsafeMutablePointer<ConnectionState>) {
        let remaining = lws_remaining_packet_payload(wsi)
        if lws_is_first_fragment(wsi) != 0 {
            // Announced by the peer, up to 2^63 - 1; the library refuses more.
            let length = UInt64(clamping: count).addingReportingOverflow(UInt64(clamping: remaining))
            let head: UInt64 = length.partialValue < 126 ? 6 : length.partialValue < 65_536 ? 8 : 14
            guard !length.overflow, length.partialValue <= UInt64(clamping: receiver.maximumMessage) else {
                return state.pointee.triesToTakeOver = 0
            }
            state.pointee.streamPosition &+= length.partialValue + head
        }
        guard remaining == 0, lws_is_final_fragment(wsi) != 0 else { return }
        takeOver(state, wsi)
    }
}

extension Connections {
    /// The name by which a connection's socket is waited for.
    ///
    /// - Parameter state: In this table.
    /// - Returns: Its slot and its generation: what was reported of a connection that is gone is nobody else's.
    func readingName(of state: UnsafeMutablePointer<ConnectionState>) -> UInt64 {
        UInt64(state - states) << 32 | UInt64(state.pointee.generation)
    }

    /// Whose socket that is.
    ///
    /// - Parameter name: What was waited for.
    /// - Returns: Its state; nil: it is gone.
    @inline(__always)
    func readable(_ name: UInt64) -> UnsafeMutablePointer<ConnectionState>? {
        let slot = Int(name >> 32)
        guard slot < limits.capacity else { return nil }
        let state = states + slot
        guard state.pointee.generation == UInt32(truncatingIfNeeded: name), state.pointee.descriptor >= 0 else {
            return nil
        }
        return state
    }
}
