import CLibWebSockets

extension ServerLoop {
    /// Sends a text message: never dropped, in order, ahead of audio.
    ///
    /// When more than `maximumQueuedTextBytes` would wait it is lost, and the handler hears `slowConsumer`.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; copied.
    ///   - id: Any name; one that is gone is ignored.
    ///   - number: The sender's own number of it, for `slowConsumer`; 0: none.
    ///   - isLast: Whether it goes out also where others are lost, as the last word before the close.
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

    /// Sends a text message, see the other one.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - id: Any name.
    ///   - number: See the other one.
    ///   - isLast: See the other one.
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64 = 0, isLast: Bool = false) {
        bytes.withUnsafeBytes { sendText($0, to: id, number: number, isLast: isLast) }
    }

    /// The handler has accepted who it is: the sign-in timeout is off.
    ///
    /// - Parameter id: Any name.
    func markSignedIn(_ id: ConnectionID) {
        connections.live(id)?.pointee.flags.insert(.signedIn)
    }

    /// Whether the handler is finding out who it is: that takes as long as it takes, and is no fault of the peer's.
    ///
    /// - Parameters:
    ///   - id: Any name.
    ///   - isJudged: True: the sign-in timeout rests. False: it counts again, from the connection's beginning.
    func markJudged(_ id: ConnectionID, _ isJudged: Bool) {
        guard let state = connections.live(id) else { return }
        if isJudged { state.pointee.flags.insert(.judged) } else { state.pointee.flags.remove(.judged) }
    }

    /// Closes: texts that wait go out first, then the close frame; a peer that does not take it is cut off.
    ///
    /// - Parameters:
    ///   - id: Any name; nothing more comes from it but its `closed`.
    ///   - code: 1000 to 4999, of RFC 6455 section 7.4.
    ///   - reason: At most 123 bytes reach the peer.
    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let state = connections.live(id) else { return }
        state.pointee.flags.insert(.endedByHub)
        connections.queueClose(of: state, code: code, reason: reason)
    }

    /// Cuts a connection off with a reset, on the loop's next turn.
    ///
    /// - Parameter id: Any name, closing ones too.
    func abort(_ id: ConnectionID) {
        guard let state = connections.known(id) else { return }
        state.pointee.flags.insert(.endedByHub)
        connections.kill(state)
    }

    /// Reads from a connection, or leaves what comes in the kernel, so that its peer has to wait.
    ///
    /// - Parameters:
    ///   - isReading: Whether to.
    ///   - id: Any name.
    func setReading(_ isReading: Bool, from id: ConnectionID) {
        guard let state = connections.live(id), let wsi = state.pointee.wsi else { return }
        state.pointee.receivedAt = connections.now
        guard state.pointee.flags.contains(.paused) == isReading else { return }
        if isReading { state.pointee.flags.remove(.paused) } else { state.pointee.flags.insert(.paused) }
        guard state.pointee.flags.contains(.readHere) else {
            lws_rx_flow_control(wsi, isReading ? 1 : 0)
            return
        }
        // What was read already comes first.
        if isReading { mailbox.post { $0.readAgain(id) } }
    }

    /// A connection's socket, to look at its options.
    ///
    /// - Parameter id: Any name.
    /// - Returns: The descriptor, not to be written, read or closed.
    func descriptor(of id: ConnectionID) -> Int32? {
        connections.known(id)?.pointee.wsi.map { lws_get_socket_fd($0) }
    }

    /// Pings the silent, ends the dead, the unsigned and those that do not take their close frame.
    ///
    /// - Parameters:
    ///   - now: The loop's milliseconds.
    ///   - judgingSilence: False when nothing could be heard lately.
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

    /// Tells every peer that the hub goes away, as far as its socket takes it.
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

    /// A ping with a payload: the library does not pass on pongs without one.
    private func ping(_ state: UnsafeMutablePointer<ConnectionState>) {
        state.pointee.flags.insert(.pinged)
        withUnsafeTemporaryAllocation(byteCount: hub_lws_pre + 4, alignment: 16) { buffer in
            guard let base = buffer.baseAddress else { return }
            (base + hub_lws_pre).storeBytes(of: 0x2062_7568, as: UInt32.self)
            connections.write(base + hub_lws_pre, 4, hub_lws_write_ping, to: state)
        }
    }
}
