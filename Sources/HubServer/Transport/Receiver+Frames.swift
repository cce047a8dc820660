import CLibWebSockets
import Glibc

/// What is to become of a socket that was read.
enum ReadOutcome {
    /// Its next bytes are told of.
    case goesOn
    /// There may be more in it.
    case hasMore
    /// It has ended, or is to be.
    case ended
}

/// The frames of sockets that the hub reads itself (``ServerLoop/takeOver(_:_:)``): RFC 6455 section 5.
extension Receiver {
    /// Reads what a socket has, once, and takes the frames in it.
    ///
    /// - Parameters:
    ///   - state: Open, read here.
    ///   - handler: Hears of whole messages.
    /// - Returns: What is to become of the socket.
    func read(
        _ state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) -> ReadOutcome {
        guard state.pointee.flags.isDisjoint(with: [.killed, .paused]) else { return .goesOn }
        let kept = state.pointee.takeUnread(to: input)
        var (count, hasMore) = (0, true)
        // What a pause has left is taken first: there is room for one read behind a head.
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

    /// Takes frames.
    ///
    /// - Returns: Where it has stopped: at the end, before a head that is not whole, or where no more is wanted now.
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
            // Of a frame that has a payload its head alone says nothing yet.
            guard count > 0 || state.pointee.frame.remaining == 0 else { return next }
            takePiece(next, count: count, of: state, handler: handler)
            next += count
            if !state.pointee.flags.isDisjoint(with: [.killed, .paused, .deaf]) {
                return state.pointee.flags.contains(.paused) ? next : end
            }
        }
        return end
    }

    /// Takes what there is of a frame's payload.
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

    /// Takes what there is of a close, a ping or a pong.
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

    /// Closes for what breaks the protocol: where the next frame begins nobody can say any more.
    private func fail(_ state: UnsafeMutablePointer<ConnectionState>, code: UInt16, reason: String) {
        state.pointee.flags.insert(.deaf)
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return }
        connections.queueClose(of: state, code: code, reason: reason)
    }
}

extension FrameProgress {
    /// Begins a frame.
    ///
    /// - Parameter head: Of it.
    /// - Returns: Why it may not stand here; nil: it may.
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
