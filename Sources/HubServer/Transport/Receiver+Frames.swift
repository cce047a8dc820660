import CLibWebSockets
import Glibc

/// The result of reading a socket.
enum ReadOutcome {
    /// All was read; the poller reports further bytes.
    case goesOn
    /// More may be left in the socket.
    case hasMore
    /// The connection has ended, or is to be closed.
    case ended
}

/// The frames of sockets that the hub reads itself (``ServerLoop/takeOver(_:_:)``): RFC 6455 section 5.
extension Receiver {
    /// Reads a socket once, and processes the frames in the bytes read.
    ///
    /// - Parameters:
    ///   - state: An open connection whose socket the hub reads.
    ///   - handler: The handler that receives whole messages.
    /// - Returns: The result, for the poller.
    func read(
        _ state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) -> ReadOutcome {
        guard state.pointee.flags.isDisjoint(with: [.killed, .paused]) else { return .goesOn }
        let kept = state.pointee.takeUnread(to: input)
        var (count, hasMore) = (0, true)
        // Bytes left by a pause are processed first: there is room for one read behind a head.
        if kept <= FrameHead.longest {
            count = recv(state.pointee.descriptor, input + kept, readBytes, 0)
            if count <= 0 {
                guard count < 0, errno == EAGAIN || errno == EINTR else { return .ended }
                count = 0
            }
            hasMore = count == readBytes
        }
        guard !state.pointee.flags.contains(.deaf) else { return hasMore ? .hasMore : .goesOn }
        let end = input + kept + count
        let rest = take(input, end, of: state, handler: handler)
        if rest < end { state.pointee.keepUnread(rest, count: end - rest) }
        if state.pointee.frame.pongCount > 0 { connections.answerPing(of: state) }
        if connections.hasEnded(state) { return .ended }
        return hasMore ? .hasMore : .goesOn
    }

    /// Processes frames.
    ///
    /// - Returns: The first byte not processed: the end, an incomplete head, or the byte at which reading was paused.
    @inline(__always)
    private func take(
        _ start: UnsafeMutableRawPointer,
        _ end: UnsafeMutableRawPointer,
        of state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) -> UnsafeMutableRawPointer {
        var next = start
        while next < end {
            if !state.pointee.frame.isInside {
                switch FrameHead.look(at: next, available: end - next) {
                case .incomplete: return next
                case .broken(let fault):
                    fail(state, code: 1002, reason: fault.reason)
                    return end
                case .head(let head):
                    if let fault = state.pointee.frame.begin(head) {
                        fail(state, code: 1002, reason: fault.reason)
                        return end
                    }
                    next += head.length
                }
            }
            let count = min(state.pointee.frame.remaining, end - next)
            // The head alone of a frame with a payload is nothing to be processed yet.
            guard count > 0 || state.pointee.frame.remaining == 0 else { return next }
            takePiece(next, count: count, of: state, handler: handler)
            next += count
            if !state.pointee.flags.isDisjoint(with: [.killed, .paused, .deaf]) {
                return state.pointee.flags.contains(.paused) ? next : end
            }
        }
        return end
    }

    /// Processes the available part of a frame's payload.
    @inline(__always)
    private func takePiece(
        _ piece: UnsafeMutableRawPointer,
        count: Int,
        of state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        unmask(piece, count: count, with: &state.pointee.frame.mask)
        state.pointee.frame.remaining &-= count
        let isWhole = state.pointee.frame.remaining == 0
        state.pointee.frame.isInside = !isWhole
        guard !state.pointee.frame.opcode.isControl else {
            return takeControl(piece, count: count, isWhole: isWhole, of: state)
        }
        state.pointee.receivedAt = connections.now
        state.pointee.flags.remove(.pinged)
        let isText = state.pointee.frame.message == .text
        let isFirst = state.pointee.frame.isFirst
        let isLast = isWhole && state.pointee.frame.isFinal
        state.pointee.frame.isFirst = false
        if isLast { state.pointee.frame.message = .continuation }
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return }
        if isFirst, isLast {
            guard !isText || count > maximumMessage || UnsafeRawBufferPointer(start: piece, count: count).isValidUTF8
            else {
                return connections.queueClose(of: state, code: 1007, reason: "Text is UTF-8.")
            }
            return deliver(piece, count: count, isText: isText, state: state, handler: handler)
        }
        if isFirst {
            state.pointee.flags.remove([.assembling, .discarding])
            state.pointee.assemblyCount = 0
        }
        let remaining = state.pointee.frame.remaining
        assemble(
            Piece(start: piece, count: count, isText: isText, isLast: isLast, remaining: remaining),
            state: state,
            handler: handler
        )
    }

    /// Processes the available part of a close, ping or pong frame.
    private func takeControl(
        _ piece: UnsafeMutableRawPointer,
        count: Int,
        isWhole: Bool,
        of state: UnsafeMutablePointer<ConnectionState>
    ) {
        let bytes = state.pointee.controlBytes()
        (bytes + Int(state.pointee.frame.controlCount)).copyMemory(from: piece, byteCount: count)
        state.pointee.frame.controlCount &+= UInt8(truncatingIfNeeded: count)
        guard isWhole else { return }
        let payload = UnsafeRawBufferPointer(start: bytes, count: Int(state.pointee.frame.controlCount))
        switch state.pointee.frame.opcode {
        case .ping: state.pointee.keepPing(payload)
        case .pong:
            state.pointee.receivedAt = connections.now
            state.pointee.flags.remove(.pinged)
        default: connections.peerCloses(state, payload)
        }
    }

    /// Closes a connection that has violated the protocol, as the start of the next frame is unknown.
    private func fail(_ state: UnsafeMutablePointer<ConnectionState>, code: UInt16, reason: String) {
        state.pointee.flags.insert(.deaf)
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return }
        connections.queueClose(of: state, code: code, reason: reason)
    }
}

extension FrameProgress {
    /// Begins a frame.
    ///
    /// - Parameter head: The head of the frame.
    /// - Returns: The fault if such a frame is not allowed here; nil if it is.
    @inline(__always)
    mutating func begin(_ head: FrameHead) -> FrameFault? {
        switch head.opcode {
        case .text, .binary:
            guard message == .continuation else { return .interrupted }
            message = head.opcode
            isFirst = true
        case .continuation:
            guard message != .continuation else { return .continuation }
        case .close, .ping, .pong:
            controlCount = 0
        }
        opcode = head.opcode
        isFinal = head.isFinal
        remaining = head.count
        mask = head.mask
        isInside = true
        return nil
    }
}
