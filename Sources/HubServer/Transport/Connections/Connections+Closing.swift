/// The transitions of a connection's life (``ConnectionPhase``).
extension Connections {
    /// Queues a close frame behind the queued texts, and drops the queued audio.
    ///
    /// - Parameters:
    ///   - state: An open connection; any other is left as it is.
    ///   - code: The status code, 1000 to 4999.
    ///   - reason: The reason in UTF-8, truncated to 123 bytes.
    ///   - end: The end to be reported: `.closedByHub` if the hub requests it, `.lost` if the peer has caused it.
    package func close(
        _ state: UnsafeMutablePointer<ConnectionState>,
        code: UInt16,
        reason: String,
        end: ConnectionEnd
    ) {
        guard state.pointee.phase.isOpen else { return }
        var reason = reason
        var payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        reason.withUTF8 { payload += $0.prefixOnCharacter(123) }
        dropAudio(of: state)
        state.pointee.phase = .closing(.init(frame: .queued, end: end, deadline: closeDeadline))
        payload.withUnsafeBytes { queueClose($0, to: state) }
    }

    /// Handles the peer's close frame.
    ///
    /// - Parameters:
    ///   - state: A connection of this table.
    ///   - code: The status code of the frame; nil: none.
    /// - Returns: True if the library is to answer it; false if the hub's own frame is sent, or nothing may be.
    func handlePeerClose(_ state: UnsafeMutablePointer<ConnectionState>, code: UInt16?) -> Bool {
        let end: ConnectionEnd
        switch state.pointee.phase {
        case .open: end = code == 1000 ? .normal : .lost
        case .closing(let closing) where closing.frame == .queued:
            end = closing.end == .lost && code == 1000 ? .normal : closing.end
        case .free, .closing, .lingering, .resetting, .ended: return false
        }
        state.pointee.phase = .closing(.init(frame: .received, end: end, deadline: closeDeadline))
        return true
    }

    /// Marks the hub's close frame as written.
    ///
    /// - Parameter state: A closing connection.
    package func markCloseSent(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard case .closing(var closing) = state.pointee.phase else { return }
        closing.frame = .sent
        state.pointee.phase = .closing(closing)
    }

    /// True if the hub's close frame is written and the end has not been reported.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: True once, until `takeEnd`.
    package func hasSentClose(_ state: UnsafeMutablePointer<ConnectionState>) -> Bool {
        guard case .closing(let closing) = state.pointee.phase else { return false }
        return closing.frame == .sent
    }

    /// Returns the end to be reported, and marks it as reported; nothing is written from then on.
    ///
    /// - Parameters:
    ///   - state: A connection of this table.
    ///   - isSocketEnding: True if the library closes the socket; false: the peer's close frame is still awaited.
    /// - Returns: The end; nil if it was reported before.
    package func takeEnd(_ state: UnsafeMutablePointer<ConnectionState>, isSocketEnding: Bool) -> ConnectionEnd? {
        let end = state.pointee.phase.unreportedEnd
        if case .closing(let closing) = state.pointee.phase, !isSocketEnding {
            state.pointee.phase = .lingering(until: closing.deadline)
        } else if !state.pointee.phase.isFree {
            state.pointee.phase = .ended
        }
        return end
    }

    /// Resets a connection in the next iteration of the loop; safe inside any callback of any connection.
    ///
    /// - Parameters:
    ///   - state: A connection of this table.
    ///   - end: The end to be reported, if a close has not decided on it before; `.closedByHub` always counts.
    func reset(_ state: UnsafeMutablePointer<ConnectionState>, end: ConnectionEnd) {
        switch state.pointee.phase {
        case .free, .resetting, .ended: return
        case .open: state.pointee.phase = .resetting(end)
        case .closing(let closing): state.pointee.phase = .resetting(end == .closedByHub ? end : closing.end)
        case .lingering: state.pointee.phase = .ended
        }
        state.pointee.socket?.reset()
    }

    /// Sets the progress of a connection's sign-in; without effect once it is done.
    ///
    /// - Parameters:
    ///   - id: The connection; ignored if it is closed.
    ///   - authentication: The progress.
    package func set(_ id: ConnectionID, _ authentication: ConnectionPhase.Authentication) {
        guard let state = stateIfOpen(id) else { return }
        if case .open(.done) = state.pointee.phase { return }
        state.pointee.phase = .open(authentication)
    }

    private var closeDeadline: UInt64 { now &+ limits.closeTimeout }
}

/// The control frames that the hub sends by itself; pings are answered by the library.
extension Connections {
    /// Writes a close frame that answers the peer's.
    ///
    /// - Parameters:
    ///   - state: A connection that is not blocked.
    ///   - code: The status code, 1000 to 4999.
    func answerClose(of state: UnsafeMutablePointer<ConnectionState>, code: UInt16) {
        scratch.storeBytes(of: code.bigEndian, as: UInt16.self)
        let head = ServerFrame.writeHead(.close, of: 2, endingAt: scratch)
        write(scratch - head, head + 2, .frames, to: state)
    }

    /// Sends a ping with a payload: the library does not report pongs without one.
    ///
    /// - Parameter state: A connection that is not blocked.
    func ping(_ state: UnsafeMutablePointer<ConnectionState>) {
        state.pointee.isPinged = true
        scratch.storeBytes(of: 0x2062_7568, as: UInt32.self)
        write(scratch, 4, .ping, to: state)
    }
}
