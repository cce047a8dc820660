import CLibWebSockets
import CUV
import Glibc

/// The iterations of the loop, and the sockets that it reads itself.
///
/// libwebsockets handles a connection during its handshake, and with TLS during its life. For a plain connection its
/// reading would cost as much as all of the relay: so from the end of a message on, when the library holds no byte of
/// the stream, the loop reads such a socket itself. All but packets is still written through the library, which keeps
/// what the kernel does not accept; and the library closes the socket.
extension ServerLoop {
    /// The number of messages at whose ends a take-over is tried.
    ///
    /// More: fewer connections stay with the library for good; two system calls each.
    static let triesToTakeOver: UInt8 = 8

    /// Runs one iteration: waits for events and handles them.
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
        // Zero: a timer is due, or the library has changes for the kernel.
        if hasLibraryWork || uv_backend_timeout(uv) == 0 { uv_run(uv, UV_RUN_NOWAIT) }
    }

    /// Reads a socket that was reported as readable.
    @inline(__always)
    private func read(_ name: UInt64, isEnding: Bool) {
        guard let state = connections.readable(name) else { return }
        read(state, isEnding: isEnding)
    }

    /// Reads a socket whose reading was paused.
    ///
    /// - Parameter id: The connection; ignored if it is closed.
    func readAgain(_ id: ConnectionID) {
        guard let state = connections.known(id), state.pointee.descriptor >= 0 else { return }
        read(state, isEnding: true)
    }

    @inline(__always)
    private func read(_ state: UnsafeMutablePointer<ConnectionState>, isEnding: Bool) {
        switch receiver.read(state, handler: handler) {
        case .goesOn:
            // The end of the stream is read after all bytes before it.
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

    /// Makes the library close a socket whose stream has ended, now.
    private func hangUp(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, !state.pointee.flags.contains(.killed) else { return }
        var event = pollfd(fd: lws_get_socket_fd(wsi), events: 0, revents: Int16(POLLHUP))
        lws_service_fd(lws_get_context(wsi), &event)
    }

    /// Takes the reading of a connection over from the library, if that holds no byte of the stream.
    ///
    /// Called at the end of a message, where that is so unless the library has read further. It does not report how
    /// much it has read; but the kernel does, and since the handshake all of that must have been messages. If it was
    /// not (a client that has sent a ping, or more than its request before the response) the library goes on reading.
    ///
    /// - Parameters:
    ///   - state: A connection without TLS that the library reads.
    ///   - wsi: The connection's libwebsockets object.
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

    /// Counts the bytes of a connection's stream that the library has read, and takes over if those are all.
    ///
    /// - Parameters:
    ///   - count: The length of the piece of a message in bytes.
    ///   - wsi: The connection's libwebsockets object.
    ///   - state: A connection without TLS that the library reads.
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
    /// Derives the identifier under which a connection's socket is polled.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: Its slot and its generation, so that late reports of a closed connection match no other.
    func readingName(of state: UnsafeMutablePointer<ConnectionState>) -> UInt64 {
        UInt64(state - states) << 32 | UInt64(state.pointee.generation)
    }

    /// Finds the connection of a reported socket.
    ///
    /// - Parameter name: The identifier under which the socket is polled.
    /// - Returns: Its state; nil if it is closed.
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
