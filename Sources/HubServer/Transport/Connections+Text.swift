import CLibWebSockets

extension Connections {
    /// What became of a text.
    enum TextOutcome: Equatable {
        /// Handed to the socket, or waiting in order.
        case taken

        /// Too much waits already; the text is lost. `first` the first time for this connection.
        case overflow(first: Bool)

        /// No such connection, or it is closing.
        case gone
    }

    /// Sends a text at once, or keeps it until the socket takes it; in order, ahead of audio.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; copied.
    ///   - id: Any name.
    ///   - number: The sender's own, for `dropTexts`; 0: none.
    ///   - isLast: Whether it goes out also where others are lost.
    /// - Returns: What became of it.
    func sendText(
        _ bytes: UnsafeRawBufferPointer,
        to id: ConnectionID,
        number: UInt64,
        isLast: Bool = false
    ) -> TextOutcome {
        guard let state = live(id) else { return .gone }
        let limit = limits.maximumQueuedText
        // After one that is lost none may follow: the client would miss it and not know.
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

    /// Queues the close frame behind the texts that wait; audio that waits is dropped.
    ///
    /// - Parameters:
    ///   - state: Not closing yet.
    ///   - code: 1000 to 4999.
    ///   - reason: UTF-8, cut to 123 bytes.
    func queueClose(of state: UnsafeMutablePointer<ConnectionState>, code: UInt16, reason: String) {
        var reason = reason
        var payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        reason.withUTF8 { payload += $0.prefixOnCharacter(123) }
        payload.withUnsafeBytes { queueClose(of: state, payload: $0) }
    }

    /// Queues a close frame, see the other one.
    ///
    /// - Parameters:
    ///   - state: Not closing yet.
    ///   - payload: Nothing, or a code and a reason; copied.
    func queueClose(of state: UnsafeMutablePointer<ConnectionState>, payload: UnsafeRawBufferPointer) {
        dropAudio(of: state)
        // A last word is always kept.
        _ = queues.add(payload.count)
        append(TextNode.make(payload, isClose: true), to: state)
        state.pointee.flags.insert(.closing)
        state.pointee.closeBy = now &+ limits.closeTimeout
        if let wsi = state.pointee.wsi { lws_callback_on_writable(wsi) }
    }

    /// Writes what waits, control first, until the socket is full again.
    ///
    /// The close frame is written like any other. The library's own way, -1 from its callback with a reason set, cuts
    /// the connection off instead: Debian's build closes twice then, as a self-test (`_DEBUG` is defined in it), and
    /// the second close does not wait for the frame of the first.
    ///
    /// - Parameter state: Its socket has just said that it is writable.
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

    /// Gives one whole frame to libwebsockets, which writes it at once and keeps what the kernel does not take.
    ///
    /// After a partial write the connection is blocked: libwebsockets then holds exactly this message and calls back
    /// when it is gone. Writing on before that would grow its buffer and break the framing.
    ///
    /// - Parameters:
    ///   - payload: With head room in front.
    ///   - count: Its length.
    ///   - kind: Text, binary or ping.
    ///   - state: Open and not blocked.
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

    /// Takes the text, or the close, that has waited longest.
    ///
    /// - Parameter state: In this table.
    /// - Returns: It is to be deallocated; nil: none waits.
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
    /// The longest beginning of at most `limit` bytes that ends between characters.
    ///
    /// - Parameter limit: In bytes.
    /// - Returns: A part of this buffer.
    func prefixOnCharacter(_ limit: Int) -> UnsafeBufferPointer<UInt8> {
        guard count > limit else { return self }
        var end = limit
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}
