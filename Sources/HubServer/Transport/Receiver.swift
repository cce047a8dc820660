import CLibWebSockets

/// Makes whole messages of what comes in pieces, from libwebsockets or from sockets that are read here, and passes them up.
///
/// A trivial view like ``Connections``: the packet path touches no reference count. Where a whole packet stands in the
/// receive buffer with its own frame header in front, that header's bytes are the head room: a client's header (6 or 8
/// bytes, it carries a mask) is always four longer than the one a server writes. Only what came in pieces is copied.
struct Receiver {
    /// Head room a packet of less than 64 KB needs for a server's frame header.
    static let neededHeadRoom = 4

    /// Room in front of what is read: a multiple of the alignment.
    private static let inputHeadRoom = 16

    /// From 64 KB on a frame header is longer than what there is room for.
    static let largestAudio = 65_535

    let connections: Connections
    private let turn: LoopTurn
    let maximumMessage: Int
    private let maximumAudio: Int
    private let scratch: UnsafeMutableRawPointer
    let serviceBuffer: UnsafeMutablePointer<UInt>
    /// Where sockets are read to, with head room in front.
    private(set) var input: UnsafeMutableRawPointer
    /// The most that is read at once.
    let readBytes: Int

    /// A piece of a message.
    struct Piece {
        /// Its first byte.
        var start: UnsafeMutableRawPointer
        /// Its length.
        var count: Int
        /// Of what message it is.
        var isText: Bool
        /// Whether the message ends with it.
        var isLast: Bool
        /// Bytes of its frame that are still to come: its head has told of them.
        var remaining: Int
    }

    /// A receiver; free it with `deallocate()`.
    ///
    /// - Parameters:
    ///   - connections: The table.
    ///   - turn: The loop's.
    ///   - settings: Its limits.
    init(connections: Connections, turn: LoopTurn, settings: TransportSettings) {
        self.connections = connections
        self.turn = turn
        maximumMessage = max(settings.maximumMessageBytes, 1)
        maximumAudio = min(max(settings.maximumAudioBytes, 1), Self.largestAudio)
        scratch = .allocate(byteCount: hub_lws_pre + maximumAudio, alignment: 16)
        serviceBuffer = .allocate(capacity: 1)
        serviceBuffer.initialize(to: 0)
        readBytes = max(settings.receiveBufferBytes, 256)
        input = .allocate(byteCount: Self.inputHeadRoom + FrameHead.longest + readBytes, alignment: 16)
        input += Self.inputHeadRoom
    }

    /// Frees its memory.
    func deallocate() {
        scratch.deallocate()
        serviceBuffer.deallocate()
        (input - Self.inputHeadRoom).deallocate()
    }

    /// Learns where the library's receive buffer is: the only head room there can be is inside it.
    ///
    /// - Parameter end: One past its last byte.
    func learnServiceBuffer(end: UnsafeMutableRawPointer) {
        serviceBuffer.pointee = UInt(bitPattern: end) &- UInt(LibraryContext.serviceBufferBytes)
    }

    /// Takes a piece of a message, or a whole one, from the library.
    ///
    /// - Parameters:
    ///   - piece: Unmasked payload; nil for none.
    ///   - count: Its length.
    ///   - wsi: Where it came from.
    ///   - state: Whose it is.
    ///   - handler: Hears of whole messages.
    func receive(
        _ piece: UnsafeMutableRawPointer?,
        count: Int,
        wsi: OpaquePointer,
        state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        state.pointee.receivedAt = connections.now
        state.pointee.flags.remove(.pinged)
        guard state.pointee.flags.isDisjoint(with: [.closing, .killed]) else { return }
        let piece = piece ?? scratch + hub_lws_pre
        let isFirst = lws_is_first_fragment(wsi) != 0
        let isLast = lws_is_final_fragment(wsi) != 0
        let isText = lws_frame_is_binary(wsi) == 0
        if isFirst {
            state.pointee.flags.remove([.assembling, .discarding])
            state.pointee.assemblyCount = 0
            if !isPlainlyMasked(piece, count: count, isText: isText), isUnmasked(piece, count: count, wsi: wsi) {
                return connections.queueClose(of: state, code: 1002, reason: "A client masks its frames.")
            }
        }
        if isFirst, isLast {
            deliver(piece, count: count, isText: isText, state: state, handler: handler)
        } else {
            let remaining = Int(clamping: lws_remaining_packet_payload(wsi))
            assemble(
                Piece(start: piece, count: count, isText: isText, isLast: isLast, remaining: remaining),
                state: state,
                handler: handler
            )
        }
    }

    /// Passes a whole message up.
    ///
    /// - Parameters:
    ///   - message: Its first byte.
    ///   - count: Its length.
    ///   - isText: Whether it is text, which is UTF-8.
    ///   - state: Whose it is.
    ///   - handler: Hears of it.
    @inline(__always)
    func deliver(
        _ message: UnsafeMutableRawPointer,
        count: Int,
        isText: Bool,
        state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        let id = connections.id(of: state)
        turn.notePacket()
        if isText {
            guard count <= maximumMessage else { return closeTooLarge(state) }
            connections.counters.pointee.textsReceived &+= 1
            connections.counters.pointee.textBytesReceived &+= count
            handler.received(text: UnsafeRawBufferPointer(start: message, count: count), from: id)
        } else if count > maximumAudio {
            guard count <= maximumMessage else { return closeTooLarge(state) }
            handler.receivedOversizeAudio(byteCount: count, from: id)
        } else {
            connections.counters.pointee.audioReceived &+= 1
            let packet = withHeadRoom(message, count: count)
            handler.received(audio: UnsafeMutableRawBufferPointer(start: packet, count: count), from: id, at: turn.now)
        }
    }

    /// The packet itself when it may be written in front of, else a copy that may.
    @inline(__always)
    private func withHeadRoom(_ packet: UnsafeMutableRawPointer, count: Int) -> UnsafeMutableRawPointer {
        let offset = UInt(bitPattern: packet) &- serviceBuffer.pointee
        if offset >= UInt(Self.neededHeadRoom), offset < UInt(LibraryContext.serviceBufferBytes) { return packet }
        if packet >= input, packet <= input + FrameHead.longest + readBytes { return packet }
        if packet == scratch + hub_lws_pre { return packet }
        connections.counters.pointee.audioCopied &+= 1
        (scratch + hub_lws_pre).copyMemory(from: packet, byteCount: count)
        return scratch + hub_lws_pre
    }

    /// Puts a message together that comes in pieces.
    ///
    /// - Parameters:
    ///   - piece: The next one.
    ///   - state: Whose it is.
    ///   - handler: Hears of the whole.
    func assemble(
        _ piece: Piece,
        state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        state.pointee.flags.insert(.assembling)
        let total = state.pointee.assemblyCount + piece.count
        // The frame's header has told how much is still to come: no need to wait for it.
        let announced = total.addingReportingOverflow(piece.remaining)
        guard !announced.overflow, announced.partialValue <= maximumMessage else { return closeTooLarge(state) }
        if !piece.isText, announced.partialValue > maximumAudio { state.pointee.flags.insert(.discarding) }
        if !state.pointee.flags.contains(.discarding) {
            guard let memory = room(for: total, in: state) else {
                return connections.queueClose(of: state, code: 1013, reason: "Too much waits at this hub; come again.")
            }
            (memory + hub_lws_pre + state.pointee.assemblyCount).copyMemory(from: piece.start, byteCount: piece.count)
        }
        state.pointee.assemblyCount = total
        guard piece.isLast else { return }
        state.pointee.flags.remove(.assembling)
        state.pointee.assemblyCount = 0
        deliverAssembled(count: total, isText: piece.isText, state: state, handler: handler)
    }

    private func deliverAssembled(
        count: Int,
        isText: Bool,
        state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        let id = connections.id(of: state)
        guard !state.pointee.flags.contains(.discarding) else {
            return handler.receivedOversizeAudio(byteCount: count, from: id)
        }
        // Kept apart from the connection during the call, which may end it.
        let (memory, capacity) = (state.pointee.assembly, state.pointee.assemblyCapacity)
        (state.pointee.assembly, state.pointee.assemblyCapacity) = (nil, 0)
        defer {
            memory?.deallocate()
            connections.queues.giveBack(capacity)
        }
        let start = (memory ?? scratch) + hub_lws_pre
        if isText {
            let text = UnsafeRawBufferPointer(start: start, count: count)
            // The library does not see a character that is cut off by an empty last fragment.
            guard text.isValidUTF8 else {
                return connections.queueClose(of: state, code: 1007, reason: "Text is UTF-8.")
            }
            connections.counters.pointee.textsReceived &+= 1
            connections.counters.pointee.textBytesReceived &+= count
            handler.received(text: text, from: id)
        } else {
            connections.counters.pointee.audioReceived &+= 1
            handler.received(audio: UnsafeMutableRawBufferPointer(start: start, count: count), from: id, at: turn.now)
        }
    }

    /// Nil: the memory for all that waits is in use.
    private func room(for count: Int, in state: UnsafeMutablePointer<ConnectionState>) -> UnsafeMutableRawPointer? {
        if let memory = state.pointee.assembly, count <= state.pointee.assemblyCapacity { return memory }
        let capacity = min(max(count * 2, 512), max(maximumMessage, count))
        guard connections.queues.take(capacity - state.pointee.assemblyCapacity) else { return nil }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: hub_lws_pre + capacity, alignment: 16)
        if let memory = state.pointee.assembly {
            (larger + hub_lws_pre).copyMemory(from: memory + hub_lws_pre, byteCount: state.pointee.assemblyCount)
            memory.deallocate()
        }
        state.pointee.assembly = larger
        state.pointee.assemblyCapacity = capacity
        return larger
    }

    private func closeTooLarge(_ state: UnsafeMutablePointer<ConnectionState>) {
        connections.counters.pointee.messagesTooLong &+= 1
        connections.queueClose(of: state, code: 1009, reason: "A message has at most \(maximumMessage) bytes.")
    }
}
