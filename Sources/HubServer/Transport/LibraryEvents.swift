import CLibWebSockets
import CUV
import Glibc

/// The only callback of libwebsockets, for all events.
///
/// A session's per-session data is only a slot number plus one (0: no slot), so that C owns no Swift object.
func onLibraryEvent(
    _ wsi: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _ session: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?,
    _ count: Int
) -> Int32 {
    guard let wsi,
        let user = lws_context_user(lws_get_context(wsi))?.assumingMemoryBound(to: LibraryContext.User.self)
    else { return 0 }
    guard let loop = user.pointee.owner else {
        // Called once, while the context is being made: the only way to get the `SSL_CTX`.
        if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS {
            user.pointee.security = session.map { OpaquePointer($0) }
        }
        return 0
    }
    return loop._withUnsafeGuaranteedRef { loop in
        loop.meter.pointee.wakes(at: uv_hrtime())
        switch reason {
        case LWS_CALLBACK_RECEIVE:
            guard let state = loop.state(session) else { return 0 }
            loop.receiver.receive(input, count: count, wsi: wsi, state: state, handler: loop.handler)
            if state.pointee.triesToTakeOver > 0 { loop.noteLibraryRead(count, wsi, state) }
            return 0
        case LWS_CALLBACK_SERVER_WRITEABLE:
            loop.writable(session)
            return 0
        case LWS_CALLBACK_RECEIVE_PONG:
            loop.heardPong(session)
            return 0
        case LWS_CALLBACK_ESTABLISHED:
            return loop.established(wsi, session)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            return loop.peerCloses(session, payload: UnsafeRawBufferPointer(start: input, count: count))
        case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
            // The library closes the socket now.
            loop.state(session)?.pointee.descriptor = -1
            loop.ending(session)
            return 0
        case LWS_CALLBACK_CLOSED:
            loop.gone(session)
            return 0
        case LWS_CALLBACK_WSI_CREATE:
            loop.counterMemory.pointee.sockets += 1
            return 0
        case LWS_CALLBACK_WSI_DESTROY:
            loop.counterMemory.pointee.sockets -= 1
            if !loop.lateAnswers.isEmpty { loop.lateAnswers[wsi] = nil }
            loop.leave(wsi)
            return 0
        case LWS_CALLBACK_ADD_HEADERS:
            if let arguments = input?.assumingMemoryBound(to: lws_process_html_args.self).pointee, let p = arguments.p {
                loop.receiver.learnServiceBuffer(end: UnsafeMutableRawPointer(p) + Int(arguments.max_len))
            }
            return 0
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
            return loop.confirmUpgrade(wsi)
        case LWS_CALLBACK_FILTER_HTTP_CONNECTION:
            return loop.refuseWrongRequests(wsi)
        case LWS_CALLBACK_HTTP:
            return loop.answer(wsi)
        case LWS_CALLBACK_HTTP_WRITEABLE:
            return loop.answerLate(wsi)
        case LWS_CALLBACK_HTTP_FILE_COMPLETION:
            return loop.close(wsi)
        case LWS_CALLBACK_RAW_ADOPT:
            return loop.visitor(wsi)?.refusal == nil ? -1 : 0
        case LWS_CALLBACK_RAW_RX:
            // Read from the socket first: unread bytes would make the close a reset, and the response be lost.
            lws_callback_on_writable(wsi)
            return 0
        case LWS_CALLBACK_RAW_WRITEABLE:
            return loop.refuseUnread(wsi)
        case LWS_CALLBACK_HTTP_BODY:
            return -1
        default:
            return 0
        }
    }
}

extension ServerLoop {
    /// Finds the connection of a libwebsockets session.
    ///
    /// - Parameter session: The per-session data.
    /// - Returns: The connection; nil if it has no slot.
    @inline(__always)
    func state(_ session: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ConnectionState>? {
        guard let number = session?.load(as: UInt32.self), number > 0 else { return nil }
        return connections.states + Int(number &- 1)
    }

    /// Opens a connection after its handshake.
    fileprivate func established(_ wsi: OpaquePointer, _ session: UnsafeMutableRawPointer?) -> Int32 {
        guard let session, let state = connections.open(wsi) else { return -1 }
        session.storeBytes(of: UInt32(state - connections.states) + 1, as: UInt32.self)
        let descriptor = lws_get_socket_fd(wsi)
        if lws_is_ssl(wsi) == 0 {
            state.pointee.descriptor = descriptor
            if let position = StreamPosition.bytesTaken(from: descriptor) {
                state.pointee.streamPosition = position
                state.pointee.triesToTakeOver = Self.triesToTakeOver
            }
        }
        // Not before: files over HTTP are sent faster with the kernel's own.
        Listener.set(
            descriptor,
            hub_uv_level_tcp,
            TCP_NOTSENT_LOWAT,
            Int32(clamping: settings.notSentLowWaterBytes)
        )
        handler.opened(connections.id(of: state), info: connectionInfo(wsi))
        return 0
    }

    /// Writes what is queued, as the socket is writable again.
    fileprivate func writable(_ session: UnsafeMutableRawPointer?) {
        guard let state = state(session) else { return }
        if !state.pointee.flags.contains(.endReported) {
            connections.flush(state)
            if state.pointee.flags.contains(.closeSent) { ending(session) }
        }
        if connections.hasEnded(state) { connections.end(state) }
    }

    /// Records a pong.
    fileprivate func heardPong(_ session: UnsafeMutableRawPointer?) {
        guard let state = state(session) else { return }
        state.pointee.receivedAt = connections.now
        state.pointee.flags.remove(.pinged)
    }

    /// Handles a close frame: returns 0 for the library to answer it and then close, or -1 to close at once.
    fileprivate func peerCloses(_ session: UnsafeMutableRawPointer?, payload: UnsafeRawBufferPointer) -> Int32 {
        guard let state = state(session), !state.pointee.flags.contains(.closeSent) else { return -1 }
        if payload.count >= 2, UInt16(payload[0]) << 8 | UInt16(payload[1]) == 1000 {
            state.pointee.flags.insert(.peerSaidNormal)
        }
        state.pointee.flags.insert(.closing)
        state.pointee.closeBy = connections.now &+ connections.limits.closeTimeout
        return 0
    }

    /// Handles the start of the end, whatever the reason: nothing more may be written, the handler is notified.
    fileprivate func ending(_ session: UnsafeMutableRawPointer?) {
        guard let state = state(session), !state.pointee.flags.contains(.endReported) else { return }
        if !state.pointee.flags.contains(.closing) {
            state.pointee.closeBy = connections.now &+ connections.limits.closeTimeout
        }
        state.pointee.flags.insert([.closing, .endReported])
        let flags = state.pointee.flags
        let how: ConnectionEnd =
            flags.contains(.endedByHub) ? .closedByHub : flags.contains(.peerSaidNormal) ? .normal : .lost
        handler.closed(connections.id(of: state), how: how)
    }

    /// Releases the connection of a closed socket.
    fileprivate func gone(_ session: UnsafeMutableRawPointer?) {
        ending(session)
        guard let session, let state = state(session) else { return }
        state.pointee.descriptor = -1
        session.storeBytes(of: 0, as: UInt32.self)
        connections.release(state)
    }
}
