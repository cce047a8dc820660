import CLibWebSockets

/// Close frames and pings of connections that the hub reads itself.
extension Connections {
    /// Answers the last ping, unless the socket is full: then when it is not any more.
    ///
    /// - Parameter state: With a ping to be answered.
    func answerPing(of state: UnsafeMutablePointer<ConnectionState>) {
        guard state.pointee.flags.isDisjoint(with: [.blocked, .closing, .killed]) else { return }
        let count = Int(state.pointee.frame.pongCount) - 1
        state.pointee.frame.pongCount = 0
        write(state.pointee.pongBytes(), count, hub_lws_write_pong, to: state)
    }

    /// A close frame has come: it is answered by its like, unless the hub has said its own already.
    ///
    /// - Parameters:
    ///   - state: Open.
    ///   - payload: Nothing, or a code and a reason.
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

    /// Whether both have said that they close, and nothing waits for the socket: it is to be closed.
    ///
    /// - Parameter state: Any.
    /// - Returns: That.
    @inline(__always)
    func hasEnded(_ state: UnsafeMutablePointer<ConnectionState>) -> Bool {
        guard state.pointee.flags.isSuperset(of: [.peerClosed, .closeSent]) else { return false }
        return state.pointee.wsi.map { lws_partial_buffered($0) == 0 } ?? true
    }

    /// Ends a connection in good order on the next turn of the loop: safe from inside any call-back.
    ///
    /// - Parameter state: Nothing more is to be read from it or written to it.
    func end(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, !state.pointee.flags.contains(.killed) else { return }
        state.pointee.flags.insert([.killed, .closing])
        lws_set_timeout(wsi, hub_lws_kill_reason, LWS_TO_KILL_ASYNC)
        // The timer above is looked at only after an event; this makes one.
        lws_cancel_service(lws_get_context(wsi))
    }

    /// RFC 6455 section 7.4.
    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1011, 3000...4999: true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are text.
    var isValidUTF8: Bool {
        (try? UTF8Span(validating: bindMemory(to: UInt8.self).span)) != nil
    }
}
