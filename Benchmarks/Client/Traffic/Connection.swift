package import BenchmarkSupport

/// One client's WebSocket connection.
package final class Connection {
    /// The result of sending a packet.
    package enum SendResult {
        case sent
        /// The socket took nothing or too little: the program under test reads too slowly.
        case full
    }

    /// The index, in the list of connections, of the other party of this connection's call.
    package let peer: Int
    /// The frame of the packets it sends; nil until its SSRC is known.
    package var audio: AudioFrame?
    /// The SSRC it sends with.
    package private(set) var ssrc: UInt32?

    private let stream: ByteStream
    private var reader = MessageReader()
    /// The rest of a frame that the socket has taken in part.
    private var unsent: [UInt8] = []

    /// A connection to the program under test, reported by `poller` as `number`.
    package init(
        to address: ListeningAddress,
        path: String,
        subprotocol: String?,
        number: Int,
        peer: Int,
        poller: Poller,
        tls: TLSClient? = nil,
        from source: String? = nil,
        receiveBuffer: Int? = nil
    ) throws(BenchmarkError) {
        self.peer = peer
        stream = try ByteStream(to: address, tls: tls, from: source, receiveBuffer: receiveBuffer)
        try OpeningHandshake.open(stream, path: path, subprotocol: subprotocol)
        try stream.stopBlocking()
        try poller.add(stream.descriptor, number: number)
    }

    /// The version of TLS and the cipher; nil in clear.
    package var encryption: String? { stream.encryption }

    /// The socket's file descriptor.
    package var descriptor: CInt { stream.descriptor }

    /// Makes the connection end with an RST when it is closed.
    package func abort() {
        stream.abort()
    }

    /// Sends with that SSRC from now on.
    package func beginAudio(ssrc: UInt32) {
        self.ssrc = ssrc
        audio = AudioFrame(ssrc: ssrc)
    }

    /// Sends a text message.
    package func send(text: String) throws(BenchmarkError) {
        guard try write(ClientFrame.encode(.text, text.utf8)) == .sent else {
            throw BenchmarkError("the program under test does not read its messages")
        }
    }

    /// Sends the next audio packet, stamped with `now`.
    package func sendAudio(now: UInt64) throws(BenchmarkError) -> SendResult {
        guard try flush() else {
            audio?.skip()
            return .full
        }
        audio?.advance(sentAt: now)
        guard let bytes = audio?.bytes else {
            return .full
        }
        return try write(bytes)
    }

    /// Reads once and hands the messages to `deliver`; answers pings.
    package func receive(
        into buffer: UnsafeMutableRawBufferPointer,
        deliver: (Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        repeat {
            let length = try stream.receive(into: buffer)
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[0..<length])
            try reader.read(chunk) { opcode, payload throws(BenchmarkError) in
                switch opcode {
                case .ping:
                    _ = try write(ClientFrame.encode(.pong, payload))
                case .close:
                    throw BenchmarkError("the program under test closed a connection: \(closeReason(payload))")
                case .text, .binary, .pong, .continuation:
                    try deliver(opcode, payload)
                }
            }
        } while stream.hasPending
    }

    /// Writes a frame; the part that a full socket does not take is sent before the next frame.
    private func write(_ bytes: [UInt8]) throws(BenchmarkError) -> SendResult {
        guard try flush() else {
            return .full
        }
        let sent = try stream.send(bytes)
        if sent == bytes.count {
            return .sent
        }
        guard sent > 0 || stream.isSecure else {
            return .full
        }
        unsent = Array(bytes[sent...])
        return .sent
    }

    /// Writes the rest of a frame, and returns true if nothing of it is left.
    private func flush() throws(BenchmarkError) -> Bool {
        if unsent.isEmpty {
            return true
        }
        unsent.removeFirst(try stream.send(unsent))
        return unsent.isEmpty
    }

    /// Code and reason of a close frame, as text.
    private func closeReason(_ payload: UnsafeRawBufferPointer) -> String {
        guard payload.count >= 2 else {
            return "without a code"
        }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        return "\(code) \(String(decoding: payload[2...], as: UTF8.self))"
    }
}
