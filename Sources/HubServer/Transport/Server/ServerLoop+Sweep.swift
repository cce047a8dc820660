/// The timeouts of connections.
extension ServerLoop {
    /// Pings silent connections, and ends those past a timeout: of silence, of the sign-in or of the close.
    ///
    /// - Parameters:
    ///   - now: The loop's time in milliseconds.
    ///   - enforcingSilenceTimeout: False to skip the timeout of silence, as the loop has not read for a while.
    func sweepConnections(at now: UInt64, enforcingSilenceTimeout: Bool) {
        for slot in 0..<connections.limits.capacity {
            let state = connections.states + slot
            switch state.pointee.phase {
            case .free, .resetting, .ended: continue
            case .closing(let closing) where now >= closing.deadline: connections.reset(state, end: closing.end)
            case .lingering(let deadline) where now >= deadline: connections.reset(state, end: .lost)
            case .closing, .lingering: continue
            case .open(let authentication):
                sweep(state, authentication, at: now, enforcingSilenceTimeout: enforcingSilenceTimeout)
            }
        }
    }

    private func sweep(
        _ state: UnsafeMutablePointer<ConnectionState>,
        _ authentication: ConnectionPhase.Authentication,
        at now: UInt64,
        enforcingSilenceTimeout: Bool
    ) {
        if authentication == .pending, now &- state.pointee.openedAt > settings.signInTimeout.wholeMilliseconds {
            counterMemory.pointee.signInTimeouts &+= 1
            return connections.close(
                state,
                code: 1008,
                reason: "Sign in with session.open first.",
                end: .closedByHub
            )
        }
        let silence = now &- state.pointee.receivedAt
        if silence > settings.silenceTimeout.wholeMilliseconds, enforcingSilenceTimeout {
            counterMemory.pointee.silent &+= 1
            connections.reset(state, end: .lost)
        } else if silence > settings.pingInterval.wholeMilliseconds, !state.pointee.isPinged,
            !state.pointee.isBlocked
        {
            connections.ping(state)
        }
    }

    /// Sends every peer a close frame with code 1001, as far as its socket accepts it.
    func closeAll() {
        for slot in 0..<connections.limits.capacity {
            let state = connections.states + slot
            guard !state.pointee.phase.isFree else { continue }
            connections.close(state, code: 1001, reason: "The hub stops.", end: .closedByHub)
            connections.flush(state)
        }
    }
}
