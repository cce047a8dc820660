import CLibWebSockets

/// Close frames and pings of connections whose sockets the hub reads itself.
extension Connections {
    /// Sends the pong for the last ping; while the socket is full it is left for the next flush.
    ///
    /// - Parameter state: A connection with an unanswered ping.
    func answerPing(of state: UnsafeMutablePointer<ConnectionState>) {
        guard state.pointee.flags.isDisjoint(with: [.blocked, .closing, .killed]) else { return }
        let count = Int(state.pointee.frame.pongCount) - 1
        state.pointee.frame.pongCount = 0
        write(state.pointee.pongBytes(), count, hub_lws_write_pong, to: state)
    }

    /// Handles a close frame of the peer, answering it unless the hub has queued its own already.
    ///
    /// - Parameters:
    ///   - state: An open connection.
    ///   - payload: Empty, or a status code and a reason (RFC 6455 section 5.5.1).
    func peerCloses(_ state: UnsafeMutablePointer<ConnectionState>, _ payload: UnsafeRawBufferPointer) {
        state.pointee.flags.insert([.peerClosed, .deaf])
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return }
        let code = payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        if code == 1000 { state.pointee.flags.insert(.peerSaidNormal) }
        let reason = UnsafeRawBufferPointer(rebasing: payload.dropFirst(2))
        let isRight = payload.isEmpty || code.map(Self.mayBeSent) == true && reason.isValidUTF8
        if isRight {
            queueClose(of: state, payload: payload)
        } else {
            queueClose(of: state, code: 1002, reason: "A close has a code that may be sent, and a reason in UTF-8.")
        }
        flush(state)
    }

    /// Indicates that both close frames are exchanged and nothing is left to write, so that the socket is to be closed.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: True if the socket is to be closed.
    @inline(__always)
    func hasEnded(_ state: UnsafeMutablePointer<ConnectionState>) -> Bool {
        guard state.pointee.flags.isSuperset(of: [.peerClosed, .closeSent]) else { return false }
        return state.pointee.wsi.map { lws_partial_buffered($0) == 0 } ?? true
    }

    /// Closes a socket in the next iteration of the loop; safe inside any callback.
    ///
    /// - Parameter state: A connection from which nothing more is read and to which nothing more is written.
    func end(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, !state.pointee.flags.contains(.killed) else { return }
        state.pointee.flags.insert([.killed, .closing])
        lws_set_timeout(wsi, hub_lws_kill_reason, LWS_TO_KILL_ASYNC)
        // The timer above is checked only after an event; this causes one.
        lws_cancel_service(lws_get_context(wsi))
    }

    /// Indicates that a status code may be sent in a close frame (RFC 6455 section 7.4).
    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1011, 3000...4999: true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// True if these bytes are valid UTF-8.
    var isValidUTF8: Bool {
        (try? UTF8Span(validating: bindMemory(to: UInt8.self).span)) != nil
    }
}
