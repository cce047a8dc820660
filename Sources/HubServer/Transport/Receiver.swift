import CLibWebSockets

/// Assembles whole messages, read by libwebsockets or by the hub itself, and passes them to the handler.
///
/// A trivial view like ``Connections``: the packet path touches no reference count. If a whole packet is in the
/// receive buffer with its own frame header in front, that header's bytes are the head room: a client's header (6 or 8
/// bytes, with the masking key) is always four longer than a server's. Only fragmented packets are copied.
struct Receiver {
    /// The head room in bytes that a packet of less than 64 KB needs for a server's frame header.
    static let neededHeadRoom = 4

    /// The head room in bytes in front of what is read: a multiple of the alignment.
    private static let inputHeadRoom = 16

    /// The maximum size of a packet in bytes: from 64 KB on a frame header is longer than the head room.
    static let largestAudio = 65_535

    let connections: Connections
    private let turn: LoopTurn
    let maximumMessage: Int
    private let maximumAudio: Int
    private let scratch: UnsafeMutableRawPointer
    let serviceBuffer: UnsafeMutablePointer<UInt>
    /// The memory that sockets are read into, with head room in front.
    private(set) var input: UnsafeMutableRawPointer
    /// The maximum number of bytes read at once.
    let readBytes: Int

    /// A piece of a message.
    struct Piece {
        /// The first byte.
        var start: UnsafeMutableRawPointer
        /// The length in bytes.
        var count: Int
        /// True for a text message.
        var isText: Bool
        /// True if the message ends with this piece.
        var isLast: Bool
        /// The bytes of the piece's frame that are still to come, as its head announces.
        var remaining: Int
    }

    /// Creates a receiver, to be freed with `deallocate()`.
    ///
    /// - Parameters:
    ///   - connections: The table of connections.
    ///   - turn: The iterations of the loop.
    ///   - settings: The maximum sizes of messages, packets and reads.
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

    /// Records the location of the library's receive buffer: only inside it is head room in front of a packet.
    ///
    /// - Parameter end: One past its last byte.
    func learnServiceBuffer(end: UnsafeMutableRawPointer) {
        serviceBuffer.pointee = UInt(bitPattern: end) &- UInt(LibraryContext.serviceBufferBytes)
    }

    /// Processes a piece of a message, or a whole one, read by libwebsockets.
    ///
    /// - Parameters:
    ///   - piece: The unmasked payload; nil for none.
    ///   - count: The length of the payload in bytes.
    ///   - wsi: The libwebsockets object of the connection.
    ///   - state: The connection that has sent it.
    ///   - handler: The handler that receives whole messages.
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

    /// Passes a whole message to the handler.
    ///
    /// - Parameters:
    ///   - message: The first byte of the message.
    ///   - count: The length of the message in bytes.
    ///   - isText: True for a text message, which is valid UTF-8; false for a binary one.
    ///   - state: The connection that has sent it.
    ///   - handler: The handler that receives the message.
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

    /// The packet itself if there is head room in front of it, else a copy with head room.
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

    /// Appends a piece to a fragmented message, and delivers the message when it is complete.
    ///
    /// - Parameters:
    ///   - piece: The next piece.
    ///   - state: The connection that has sent it.
    ///   - handler: The handler that receives the whole message.
    func assemble(
        _ piece: Piece,
        state: UnsafeMutablePointer<ConnectionState>,
        handler: borrowing any TransportHandler
    ) {
        state.pointee.flags.insert(.assembling)
        let total = state.pointee.assemblyCount + piece.count
        // The frame's header announces what is still to come: no need to wait for it.
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
        // Kept apart from the connection during the call, which may release it.
        let (memory, capacity) = (state.pointee.assembly, state.pointee.assemblyCapacity)
        (state.pointee.assembly, state.pointee.assemblyCapacity) = (nil, 0)
        defer {
            memory?.deallocate()
            connections.queues.giveBack(capacity)
        }
        let start = (memory ?? scratch) + hub_lws_pre
        if isText {
            let text = UnsafeRawBufferPointer(start: start, count: count)
            // The library does not detect a character that is cut off by an empty last fragment.
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

    /// Provides memory for a message being assembled; nil if the memory budget is exhausted.
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
