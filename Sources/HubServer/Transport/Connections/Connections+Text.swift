extension Connections {
    /// The result of sending a text.
    package enum TextOutcome: Equatable {
        /// Written to the socket, or queued in order.
        case accepted

        /// Discarded, as too much is queued; `first` is true the first time for this connection.
        case overflow(first: Bool)

        /// Discarded, as the connection does not exist or is closing.
        case gone
    }

    /// Sends a text at once, or queues it until the socket is writable; in order, ahead of audio.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; copied.
    ///   - id: The receiving connection; may be closed already.
    ///   - number: The sender's number of the text, for `dropTexts`; 0: none.
    ///   - isLast: True for a last text, sent even after an earlier one was discarded.
    /// - Returns: The outcome.
    package func sendText(
        _ bytes: UnsafeRawBufferPointer,
        to id: ConnectionID,
        number: UInt64,
        isLast: Bool = false
    ) -> TextOutcome {
        guard let state = stateIfOpen(id) else { return .gone }
        let limit = limits.maximumQueuedText
        // No text may follow a discarded one: the client would not notice the gap.
        guard isLast || !state.pointee.hasOverflowed, bytes.count <= limit,
            state.pointee.queuedTextBytes <= limit - bytes.count,
            !state.pointee.isBlocked || queues.reserve(bytes.count)
        else {
            let first = !state.pointee.hasOverflowed
            state.pointee.hasOverflowed = true
            if first { counters.pointee.slowConsumers &+= 1 }
            return .overflow(first: first)
        }
        counters.pointee.textsSent &+= 1
        counters.pointee.textBytesSent &+= bytes.count
        let text = QueuedText(bytes, number: number)
        if state.pointee.isBlocked {
            append(text, to: state)
        } else {
            write(text, to: state)
        }
        return .accepted
    }

    /// Queues a close frame behind the queued texts, even if the memory limit is exceeded.
    ///
    /// - Parameters:
    ///   - payload: A status code and a reason; copied.
    ///   - state: A connection that has begun to close.
    func queueClose(_ payload: UnsafeRawBufferPointer, to state: UnsafeMutablePointer<ConnectionState>) {
        _ = queues.add(payload.count)
        append(QueuedText(payload, isClose: true), to: state)
        state.pointee.socket?.requestWritable()
    }

    /// Writes the queued frames, texts and close before audio, until the socket is full again.
    ///
    /// - Parameter state: A connection whose socket has just become writable.
    func flush(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let socket = state.pointee.socket, !socket.hasBufferedOutput, state.pointee.phase.maySend else { return }
        var wasBlockedFor: UInt64?
        if case .blocked(let since) = state.pointee.output {
            wasBlockedFor = now &- since
            state.pointee.output = .writable
        }
        while !state.pointee.isBlocked, state.pointee.phase.maySend, let text = takeOldestText(of: state) {
            write(text, to: state)
        }
        guard !state.pointee.isBlocked, state.pointee.phase.isOpen else { return }
        flushAudio(of: state, wasBlockedFor: wasBlockedFor)
    }

    /// Writes a text or a close frame.
    private func write(_ text: borrowing QueuedText, to state: UnsafeMutablePointer<ConnectionState>) {
        let (payload, count) = (text.payload, text.count)
        guard text.isClose else { return write(payload, count, .text, to: state) }
        let head = ServerFrame.writeHead(.close, of: count, endingAt: payload)
        write(payload - head, head + count, .frames, to: state)
        markCloseSent(state)
    }

    /// Passes bytes to libwebsockets, which writes them at once and keeps what the kernel does not accept.
    ///
    /// After a partial write the connection is blocked: libwebsockets then holds exactly these bytes and calls back
    /// when they are written. Writing more before that would grow its buffer and break the framing.
    ///
    /// - Parameters:
    ///   - bytes: The first byte, with ``LWSSocket/headRoom`` in front.
    ///   - count: The number of bytes.
    ///   - content: The form of the bytes.
    ///   - state: A connection that is not blocked.
    @inline(__always)
    func write(
        _ bytes: UnsafeMutableRawPointer,
        _ count: Int,
        _ content: LWSSocket.Content,
        to state: UnsafeMutablePointer<ConnectionState>
    ) {
        guard let socket = state.pointee.socket else { return }
        guard socket.write(bytes, count, content) else { return reset(state, end: .lost) }
        if socket.hasBufferedOutput { state.pointee.output = .blocked(since: now) }
    }

    /// Removes the oldest queued text or close frame.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The text; nil: none is queued.
    package func takeOldestText(of state: UnsafeMutablePointer<ConnectionState>) -> QueuedText? {
        guard let node = state.pointee.firstText else { return nil }
        state.pointee.firstText = node.pointee.next
        if node.pointee.next == nil { state.pointee.lastText = nil }
        state.pointee.queuedTextBytes -= node.pointee.count
        queues.release(node.pointee.count)
        return QueuedText(unlinked: node)
    }

    /// Drops all queued texts.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The number of the first numbered text; nil: there was none.
    @discardableResult
    package func dropTexts(of state: UnsafeMutablePointer<ConnectionState>) -> UInt64? {
        var first: UInt64?
        while let text = takeOldestText(of: state) {
            if first == nil, text.number > 0 { first = text.number }
        }
        return first
    }

    private func append(_ text: consuming QueuedText, to state: UnsafeMutablePointer<ConnectionState>) {
        let node = text.intoQueue()
        if let last = state.pointee.lastText {
            last.pointee.next = node
        } else {
            state.pointee.firstText = node
        }
        state.pointee.lastText = node
        state.pointee.queuedTextBytes += node.pointee.count
    }
}
