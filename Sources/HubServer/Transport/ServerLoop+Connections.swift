import CLibWebSockets

extension ServerLoop {
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
        guard case .overflow(first: true) = connections.sendText(bytes, to: id, number: number, isLast: isLast)
        else { return }
        mailbox.post { loop in
            guard let state = loop.connections.live(id) else { return }
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
    func markSignedIn(_ id: ConnectionID) {
        connections.live(id)?.pointee.flags.insert(.signedIn)
    }

    /// Suspends or resumes the sign-in timeout, as the duration of the authentication is not the peer's fault.
    ///
    /// - Parameters:
    ///   - id: The connection; ignored if it is closed.
    ///   - isJudged: True while authentication is pending; false: the timeout runs again, from the connection's start.
    func markJudged(_ id: ConnectionID, _ isJudged: Bool) {
        guard let state = connections.live(id) else { return }
        if isJudged { state.pointee.flags.insert(.judged) } else { state.pointee.flags.remove(.judged) }
    }

    /// Closes a connection: queued texts are written first, then the close frame; on a timeout it is reset.
    ///
    /// - Parameters:
    ///   - id: The connection; its only further event is `closed`.
    ///   - code: The status code, 1000 to 4999, of RFC 6455 section 7.4.
    ///   - reason: The reason, of which at most 123 bytes are sent.
    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let state = connections.live(id) else { return }
        state.pointee.flags.insert(.endedByHub)
        connections.queueClose(of: state, code: code, reason: reason)
    }

    /// Resets a connection in the loop's next iteration.
    ///
    /// - Parameter id: The connection, which may be closing.
    func abort(_ id: ConnectionID) {
        guard let state = connections.known(id) else { return }
        state.pointee.flags.insert(.endedByHub)
        connections.kill(state)
    }

    /// Pauses or resumes reading from a connection; input stays in the kernel meanwhile, which slows the peer down.
    ///
    /// - Parameters:
    ///   - isReading: True to resume, false to pause.
    ///   - id: The connection; ignored if it is closed.
    func setReading(_ isReading: Bool, from id: ConnectionID) {
        guard let state = connections.live(id), let wsi = state.pointee.wsi else { return }
        state.pointee.receivedAt = connections.now
        guard state.pointee.flags.contains(.paused) == isReading else { return }
        if isReading { state.pointee.flags.remove(.paused) } else { state.pointee.flags.insert(.paused) }
        guard state.pointee.flags.contains(.readHere) else {
            lws_rx_flow_control(wsi, isReading ? 1 : 0)
            return
        }
        // Bytes that were read before the pause are processed first.
        if isReading { mailbox.post { $0.readAgain(id) } }
    }

    /// Finds a connection's socket, to read its options.
    ///
    /// - Parameter id: The connection.
    /// - Returns: The descriptor, not to be written, read or closed; nil if the connection is closed.
    func descriptor(of id: ConnectionID) -> Int32? {
        connections.known(id)?.pointee.wsi.map { lws_get_socket_fd($0) }
    }

    /// Pings silent connections, and ends those past a timeout: of silence, of the sign-in or of the close.
    ///
    /// - Parameters:
    ///   - now: The loop's time in milliseconds.
    ///   - judgingSilence: False to skip the timeout of silence, as the loop has not read for a while.
    func sweepConnections(at now: UInt64, judgingSilence: Bool) {
        let pingInterval = settings.pingInterval.wholeMilliseconds
        let silenceTimeout = settings.silenceTimeout.wholeMilliseconds
        let signInTimeout = settings.signInTimeout.wholeMilliseconds
        for slot in 0..<connections.limits.capacity {
            let state = connections.states + slot
            let flags = state.pointee.flags
            guard flags.contains(.open), !flags.contains(.killed) else { continue }
            if flags.contains(.closing) {
                if now >= state.pointee.closeBy { connections.kill(state) }
                continue
            }
            if flags.isDisjoint(with: [.signedIn, .judged]), now &- state.pointee.openedAt > signInTimeout {
                counterMemory.pointee.signInTimeouts &+= 1
                state.pointee.flags.insert(.endedByHub)
                connections.queueClose(of: state, code: 1008, reason: "Sign in with session.open first.")
                continue
            }
            let silence = now &- state.pointee.receivedAt
            if silence > silenceTimeout, judgingSilence {
                counterMemory.pointee.silent &+= 1
                connections.kill(state)
            } else if silence > pingInterval, flags.isDisjoint(with: [.pinged, .blocked]) {
                ping(state)
            }
        }
    }

    /// Sends every peer a close frame with code 1001, as far as its socket accepts it.
    func sayGoodbye() {
        for slot in 0..<connections.limits.capacity {
            let state = connections.states + slot
            guard state.pointee.flags.contains(.open) else { continue }
            if state.pointee.flags.isDisjoint(with: [.closing, .killed]) {
                state.pointee.flags.insert(.endedByHub)
                connections.queueClose(of: state, code: 1001, reason: "The hub stops.")
            }
            connections.flush(state)
        }
    }

    /// Sends a ping with a payload: the library does not report pongs without one.
    private func ping(_ state: UnsafeMutablePointer<ConnectionState>) {
        state.pointee.flags.insert(.pinged)
        withUnsafeTemporaryAllocation(byteCount: hub_lws_pre + 4, alignment: 16) { buffer in
            guard let base = buffer.baseAddress else { return }
            (base + hub_lws_pre).storeBytes(of: 0x2062_7568, as: UInt32.self)
            connections.write(base + hub_lws_pre, 4, hub_lws_write_ping, to: state)
        }
    }
}
