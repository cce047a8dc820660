import CLibWebSockets

extension Connections {
    /// The result of sending a text.
    enum TextOutcome: Equatable {
        /// Written to the socket, or queued in order.
        case taken

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
    func sendText(
        _ bytes: UnsafeRawBufferPointer,
        to id: ConnectionID,
        number: UInt64,
        isLast: Bool = false
    ) -> TextOutcome {
        guard let state = live(id) else { return .gone }
        let limit = limits.maximumQueuedText
        // None may follow a discarded one: the client would miss it without noticing.
        guard isLast || !state.pointee.flags.contains(.overflowed), bytes.count <= limit,
            state.pointee.textBytes <= limit - bytes.count,
            !state.pointee.flags.contains(.blocked) || queues.take(bytes.count)
        else {
            let first = !state.pointee.flags.contains(.overflowed)
            state.pointee.flags.insert(.overflowed)
            if first { counters.pointee.slowConsumers &+= 1 }
            return .overflow(first: first)
        }
        counters.pointee.textsSent &+= 1
        counters.pointee.textBytesSent &+= bytes.count
        let node = TextNode.make(bytes, number: number)
        if state.pointee.flags.contains(.blocked) {
            append(node, to: state)
        } else {
            write(TextNode.payload(of: node), node.pointee.count, hub_lws_write_text, to: state)
            node.deallocate()
        }
        return .taken
    }

    /// Queues a close frame behind the queued texts, and drops the queued audio.
    ///
    /// - Parameters:
    ///   - state: A connection that is not closing yet.
    ///   - code: The status code, 1000 to 4999.
    ///   - reason: The reason in UTF-8, truncated to 123 bytes.
    func queueClose(of state: UnsafeMutablePointer<ConnectionState>, code: UInt16, reason: String) {
        var reason = reason
        var payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        reason.withUTF8 { payload += $0.prefixOnCharacter(123) }
        payload.withUnsafeBytes { queueClose(of: state, payload: $0) }
    }

    /// Queues a close frame with a given payload behind the queued texts, and drops the queued audio.
    ///
    /// - Parameters:
    ///   - state: A connection that is not closing yet.
    ///   - payload: Empty, or a status code and a reason; copied.
    func queueClose(of state: UnsafeMutablePointer<ConnectionState>, payload: UnsafeRawBufferPointer) {
        dropAudio(of: state)
        // A close frame is queued even if the memory limit is exceeded.
        _ = queues.add(payload.count)
        append(TextNode.make(payload, isClose: true), to: state)
        state.pointee.flags.insert(.closing)
        state.pointee.closeBy = now &+ limits.closeTimeout
        if let wsi = state.pointee.wsi { lws_callback_on_writable(wsi) }
    }

    /// Writes the queued frames, texts and close before audio, until the socket is full again.
    ///
    /// The close frame is written like any other. The library's own way, -1 from its callback with a reason set, cuts
    /// the connection off instead: Debian's build closes twice then, as a self-test (`_DEBUG` is defined in it), and
    /// the second close does not wait for the frame of the first.
    ///
    /// - Parameter state: A connection whose socket has just become writable.
    func flush(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard let wsi = state.pointee.wsi, lws_partial_buffered(wsi) == 0,
            state.pointee.flags.isDisjoint(with: [.killed, .closeSent])
        else { return }
        let wasBlockedFor = state.pointee.flags.contains(.blocked) ? now &- state.pointee.blockedAt : nil
        state.pointee.flags.remove(.blocked)
        while !state.pointee.flags.contains(.blocked), let node = takeOldestText(of: state) {
            if node.pointee.isClose { state.pointee.flags.insert(.closeSent) }
            let kind = node.pointee.isClose ? hub_lws_write_close : hub_lws_write_text
            write(TextNode.payload(of: node), node.pointee.count, kind, to: state)
            node.deallocate()
        }
        guard !state.pointee.flags.contains(.blocked) else { return }
        if state.pointee.frame.pongCount > 0 { answerPing(of: state) }
        guard !state.pointee.flags.contains(.blocked) else { return }
        flushAudio(of: state, wasBlockedFor: wasBlockedFor)
    }

    /// Passes one whole frame to libwebsockets, which writes it at once and keeps what the kernel does not accept.
    ///
    /// After a partial write the connection is blocked: libwebsockets then holds exactly this message and calls back
    /// when it is written. Writing more before that would grow its buffer and break the framing.
    ///
    /// - Parameters:
    ///   - payload: The first byte of the payload, with head room in front.
    ///   - count: The length of the payload in bytes.
    ///   - kind: The type of the frame, as libwebsockets numbers it.
    ///   - state: A connection that is open and not blocked.
    @inline(__always)
    func write(
        _ payload: UnsafeMutableRawPointer,
        _ count: Int,
        _ kind: lws_write_protocol,
        to state: UnsafeMutablePointer<ConnectionState>
    ) {
        guard let wsi = state.pointee.wsi else { return }
        guard lws_write(wsi, payload.assumingMemoryBound(to: UInt8.self), count, kind) >= 0 else {
            kill(state)
            return
        }
        if lws_partial_buffered(wsi) != 0 {
            state.pointee.flags.insert(.blocked)
            state.pointee.blockedAt = now
        }
    }

    /// Removes the oldest queued text or close frame.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The text, which the caller deallocates; nil: none is queued.
    func takeOldestText(of state: UnsafeMutablePointer<ConnectionState>) -> UnsafeMutablePointer<TextNode>? {
        guard let node = state.pointee.firstText else { return nil }
        state.pointee.firstText = node.pointee.next
        if node.pointee.next == nil { state.pointee.lastText = nil }
        state.pointee.textBytes -= node.pointee.count
        queues.giveBack(node.pointee.count)
        return node
    }

    private func append(_ node: UnsafeMutablePointer<TextNode>, to state: UnsafeMutablePointer<ConnectionState>) {
        if let last = state.pointee.lastText {
            last.pointee.next = node
        } else {
            state.pointee.firstText = node
        }
        state.pointee.lastText = node
        state.pointee.textBytes += node.pointee.count
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Computes the longest prefix of at most `limit` bytes that ends between characters.
    ///
    /// - Parameter limit: The maximum length in bytes.
    /// - Returns: A slice of this buffer.
    func prefixOnCharacter(_ limit: Int) -> UnsafeBufferPointer<UInt8> {
        guard count > limit else { return self }
        var end = limit
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}
