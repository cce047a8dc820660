import CUV
import Glibc
import LoopMailbox

/// The WebSocket connections: the library's events and the handler's requests.
extension ServerLoop {
    // MARK: Events

    /// Finds the connection of a session.
    ///
    /// - Parameter session: The session.
    /// - Returns: The connection; nil if it has no slot.
    @inline(__always)
    func state(_ session: LWSSession) -> UnsafeMutablePointer<ConnectionState>? {
        session.slot.map { connections.states + $0 }
    }

    /// Opens a connection after its handshake.
    ///
    /// - Returns: 0; -1 if the table is full, or the loop closes down.
    func established(_ socket: LWSSocket, _ request: LWSRequest, _ session: LWSSession) -> Int32 {
        guard !isClosingDown, let state = connections.open(socket) else { return -1 }
        session.slot = state - connections.states
        // Not before: files over HTTP are sent faster with the kernel's own.
        let lowWater = Int32(clamping: settings.notSentLowWaterBytes)
        Listener.set(socket.descriptor, hub_uv_level_tcp, TCP_NOTSENT_LOWAT, lowWater)
        handler.opened(connections.id(of: state), info: connectionInfo(request))
        return 0
    }

    /// Writes what is queued, as the socket is writable again.
    func writable(_ session: LWSSession) {
        guard let state = state(session) else { return }
        connections.flush(state)
        if connections.hasSentClose(state) { reportEnd(of: state, isSocketEnding: false) }
    }

    /// Records a pong.
    func pongReceived(_ session: LWSSession) {
        guard let state = state(session) else { return }
        state.pointee.receivedAt = connections.now
        state.pointee.isPinged = false
    }

    /// Handles a close frame.
    ///
    /// - Returns: 0 for the library to answer it and then close, -1 to close at once.
    func handlePeerClose(_ session: LWSSession, payload: UnsafeRawBufferPointer) -> Int32 {
        guard let state = state(session) else { return -1 }
        let code = payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        guard connections.handlePeerClose(state, code: code) else { return -1 }
        guard let answer = PeerClose.answer(to: payload), !state.pointee.isBlocked else { return 0 }
        connections.answerClose(of: state, code: answer)
        return -1
    }

    /// Handles the beginning of a socket's close: nothing more may be written, the handler is notified.
    func socketClosing(_ session: LWSSession) {
        guard let state = state(session) else { return }
        reportEnd(of: state, isSocketEnding: true)
    }

    /// Releases the connection of a closed socket.
    func socketClosed(_ session: LWSSession) {
        socketClosing(session)
        guard let state = state(session) else { return }
        session.slot = nil
        connections.release(state)
        stopIfAllAreClosed()
    }

    private func reportEnd(of state: UnsafeMutablePointer<ConnectionState>, isSocketEnding: Bool) {
        guard let end = connections.takeEnd(state, isSocketEnding: isSocketEnding) else { return }
        handler.closed(connections.id(of: state), reason: end)
    }

    // MARK: Requests of the handler

    /// Sends a text message: never dropped, in order, ahead of audio.
    ///
    /// If more than `maximumQueuedTextBytes` would be queued it is discarded, and the handler gets `slowConsumer`.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; copied.
    ///   - id: The receiving connection; ignored if it is closed.
    ///   - number: The sender's number of the text, for `slowConsumer`; 0: none.
    ///   - isLast: True for a last text before the close, sent even after an earlier one was discarded.
    func sendText(
        _ bytes: UnsafeRawBufferPointer,
        to id: ConnectionID,
        number: UInt64 = 0,
        isLast: Bool = false
    ) {
        assertOnLoop()
        guard case .overflow(first: true) = connections.sendText(bytes, to: id, number: number, isLast: isLast)
        else { return }
        mailbox.post { loop in
            guard let state = loop.connections.stateIfOpen(id) else { return }
            loop.handler.slowConsumer(id, firstLost: loop.connections.dropTexts(of: state))
        }
    }

    /// Sends a text message like `sendText(_:to:number:isLast:)` with a buffer.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - id: The receiving connection; ignored if it is closed.
    ///   - number: The sender's number of the text, for `slowConsumer`; 0: none.
    ///   - isLast: True for a last text before the close, sent even after an earlier one was discarded.
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64 = 0, isLast: Bool = false) {
        bytes.withUnsafeBytes { sendText($0, to: id, number: number, isLast: isLast) }
    }

    /// Marks a connection as signed in: its sign-in timeout ends.
    ///
    /// - Parameter id: The connection; ignored if it is closed.
    func markAuthenticated(_ id: ConnectionID) {
        assertOnLoop()
        connections.set(id, .done)
    }

    /// Suspends or resumes the sign-in timeout, as the duration of the authentication is not the peer's fault.
    ///
    /// - Parameters:
    ///   - id: The connection; ignored if it is closed.
    ///   - isAuthenticating: True while authentication is pending; false: the timeout runs again, from the connection's
    ///   start.
    func markAuthenticating(_ id: ConnectionID, _ isAuthenticating: Bool) {
        assertOnLoop()
        connections.set(id, isAuthenticating ? .verifying : .pending)
    }

    /// Closes a connection: queued texts are written first, then the close frame; on a timeout it is reset.
    ///
    /// - Parameters:
    ///   - id: The connection; its only further event is `closed`.
    ///   - code: The status code, 1000 to 4999, of RFC 6455 section 7.4.
    ///   - reason: The reason, of which at most 123 bytes are sent.
    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        assertOnLoop()
        guard let state = connections.stateIfOpen(id) else { return }
        connections.close(state, code: code, reason: reason, end: .closedByHub)
    }

    /// Resets a connection in the loop's next iteration.
    ///
    /// - Parameter id: The connection, which may be closing.
    func abort(_ id: ConnectionID) {
        assertOnLoop()
        guard let state = connections.stateIfPresent(id) else { return }
        connections.reset(state, end: .closedByHub)
    }

    /// Pauses or resumes reading from a connection; input stays in the kernel meanwhile, which slows the peer down.
    ///
    /// A pause takes effect behind the message that is being handled, over TLS in the next iteration of the loop.
    ///
    /// - Parameters:
    ///   - isReading: True to resume, false to pause.
    ///   - id: The connection; ignored if it is closed.
    func setReading(_ isReading: Bool, from id: ConnectionID) {
        assertOnLoop()
        guard let state = connections.stateIfOpen(id) else { return }
        state.pointee.receivedAt = connections.now
        guard !isReading, state.pointee.socket?.isTLS == true else {
            state.pointee.socket?.setReading(isReading)
            return
        }
        // The rest of one TLS record may still be received (``LWSSocket/setReading(_:)``).
        mailbox.post { loop in loop.connections.stateIfOpen(id)?.pointee.socket?.setReading(false) }
    }

    /// Finds a connection's socket, to read its options.
    ///
    /// - Parameter id: The connection.
    /// - Returns: The descriptor, not to be written, read or closed; nil if the connection is closed.
    func descriptor(of id: ConnectionID) -> Int32? {
        connections.stateIfPresent(id)?.pointee.socket?.descriptor
    }
}
