/// The receiver of whole messages; called on the loop's thread, never from inside a call of its own.
protocol MessageReceiver: AnyObject {
    /// Called for a whole text message, valid UTF-8; the bytes are invalid after the call.
    func received(text: UnsafeRawBufferPointer, from id: ConnectionID)

    /// Called for a whole binary message of at most `maximumAudioBytes`; the bytes are invalid after the call.
    ///
    /// `nanoseconds` is the start of the loop's iteration, by ``ServerLoop/now``: the clock is read once an iteration.
    func received(audio: UnsafeRawBufferPointer, from id: ConnectionID, at nanoseconds: UInt64)

    /// Called for a binary message of more than `maximumAudioBytes`, which was discarded.
    func receivedOversizeAudio(byteCount: Int, from id: ConnectionID)
}

/// Assembles whole messages of the pieces that libwebsockets reads, and passes them to a receiver.
///
/// A trivial view like ``Connections``: the packet path touches no reference count. A message that comes in one piece
/// is passed on where the library has it; only of fragments, or of one that TCP has cut in two, a copy is kept.
struct MessageAssembler {
    private let connections: Connections
    private let iteration: LoopIteration
    private let maximumMessage: Int
    private let maximumAudio: Int

    /// Creates an assembler.
    ///
    /// - Parameters:
    ///   - connections: The table of connections.
    ///   - iteration: The iterations of the loop.
    ///   - settings: The maximum sizes of messages and packets.
    init(connections: Connections, iteration: LoopIteration, settings: TransportSettings) {
        self.connections = connections
        self.iteration = iteration
        maximumMessage = max(settings.maximumMessageBytes, 1)
        maximumAudio = settings.largestAudio
    }

    /// Processes a piece of a message, or a whole one.
    ///
    /// - Parameters:
    ///   - piece: The payload; empty for an empty message.
    ///   - fragment: The position of the piece in its message.
    ///   - state: The connection that has sent it.
    ///   - receiver: The receiver of whole messages.
    @inline(__always)
    func receive(
        _ piece: UnsafeRawBufferPointer,
        _ fragment: LWSFragment,
        from state: UnsafeMutablePointer<ConnectionState>,
        _ receiver: borrowing any MessageReceiver
    ) {
        state.pointee.receivedAt = connections.now
        state.pointee.isPinged = false
        guard state.pointee.phase.isOpen else { return }
        if fragment.isFirst, fragment.isLast {
            deliver(piece, isText: fragment.isText, from: state, receiver)
        } else {
            assemble(piece, fragment, from: state, receiver)
        }
    }

    /// Passes a whole message to the receiver.
    @inline(__always)
    private func deliver(
        _ message: UnsafeRawBufferPointer,
        isText: Bool,
        from state: UnsafeMutablePointer<ConnectionState>,
        _ receiver: borrowing any MessageReceiver
    ) {
        let id = connections.id(of: state)
        iteration.notePacket()
        if isText {
            guard message.count <= maximumMessage else { return closeTooLarge(state) }
            connections.counters.pointee.textsReceived &+= 1
            connections.counters.pointee.textBytesReceived &+= message.count
            receiver.received(text: message, from: id)
        } else if message.count > maximumAudio {
            guard message.count <= maximumMessage else { return closeTooLarge(state) }
            receiver.receivedOversizeAudio(byteCount: message.count, from: id)
        } else {
            connections.counters.pointee.audioReceived &+= 1
            receiver.received(audio: message, from: id, at: iteration.now)
        }
    }

    /// Adds a piece to a message, and delivers the message when it is complete.
    private func assemble(
        _ piece: UnsafeRawBufferPointer,
        _ fragment: LWSFragment,
        from state: UnsafeMutablePointer<ConnectionState>,
        _ receiver: borrowing any MessageReceiver
    ) {
        if fragment.isFirst { state.pointee.assembly = .none }
        let total = state.pointee.assembly.count + piece.count
        // The frame's head announces what is still to come: no need to wait for it.
        let announced = total.addingReportingOverflow(fragment.announced)
        guard !announced.overflow, announced.partialValue <= maximumMessage else { return closeTooLarge(state) }
        if !fragment.isText, announced.partialValue > maximumAudio { connections.stopBuffering(of: state) }
        guard connections.append(piece, to: state, atMost: maximumMessage) else {
            let reason = "The hub's queues are full; try again later."
            return connections.close(state, code: 1013, reason: reason, end: .lost)
        }
        guard fragment.isLast else { return }
        // Kept apart from the connection during the call, which may release it.
        switch connections.takeAssembly(of: state) {
        case .none: return
        case .discarding(let count): receiver.receivedOversizeAudio(byteCount: count, from: connections.id(of: state))
        case .buffering(let buffer): deliver(buffer, isText: fragment.isText, from: state, receiver)
        }
    }

    private func deliver(
        _ buffer: borrowing MessageBuffer,
        isText: Bool,
        from state: UnsafeMutablePointer<ConnectionState>,
        _ receiver: borrowing any MessageReceiver
    ) {
        let message = buffer.bytes
        // The library does not detect a character that is cut off by an empty last fragment.
        guard !isText || message.isValidUTF8 else {
            return connections.close(state, code: 1007, reason: "Text is UTF-8.", end: .lost)
        }
        deliver(message, isText: isText, from: state, receiver)
    }

    private func closeTooLarge(_ state: UnsafeMutablePointer<ConnectionState>) {
        connections.counters.pointee.messagesTooLong &+= 1
        let reason = "A message has at most \(maximumMessage) bytes."
        connections.close(state, code: 1009, reason: reason, end: .lost)
    }
}
