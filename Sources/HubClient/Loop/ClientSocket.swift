import CLibWebSockets

/// The delegate of a socket; called on the loop's thread.
package protocol ClientSocketDelegate: AnyObject {
    /// The WebSocket handshake is complete.
    func socketOpened(_ socket: ClientSocket)
    /// A whole text message was received.
    func socket(_ socket: ClientSocket, receivedText text: [UInt8])
    /// A whole binary message was received; the bytes are valid until the method returns.
    func socket(_ socket: ClientSocket, receivedBinary bytes: UnsafeRawBufferPointer)
    /// Data other than a whole message was received: a pong, or a fragment.
    func socketIsAlive(_ socket: ClientSocket)
    /// The connection was closed or could not be established; no further method is called.
    func socketEnded(_ socket: ClientSocket, reason: String)
}

/// One WebSocket connection: reassembles messages, and writes control messages in order, ahead of audio.
package final class ClientSocket {
    /// The number of the socket in its loop; another one for each address that is tried.
    package private(set) var number: UInt
    /// The owner's number for the socket.
    package let tag: Int
    private weak var delegate: (any ClientSocketDelegate)?
    private let destination: Destination
    /// The addresses of the host that were not tried yet.
    private var addresses: [String]
    private var connection: OpaquePointer?
    private var isEstablished = false
    private var control: [[UInt8]] = []
    private var audio: [[UInt8]] = []
    private var pingIsDue = false
    private var closesAfterFlush = false
    private var incoming: [UInt8] = []
    private(set) var closeReason = "the connection was closed without a close frame"

    /// The hub that a socket connects to.
    struct Destination {
        /// The address of the hub.
        let address: HubAddress
        /// The accepted certificates of the hub.
        let trust: CertificateTrust
        /// A virtual host of the context; nil: its first one.
        let virtualHost: OpaquePointer?
    }

    init(number: UInt, tag: Int, to destination: Destination, delegate: any ClientSocketDelegate) {
        self.number = number
        self.tag = tag
        self.destination = destination
        self.delegate = delegate
        addresses = HostAddresses.resolve(destination.address.host)
    }

    /// Indicates that the owner waits for the connection, and the host has an address that was not tried.
    var canRetry: Bool { delegate != nil && !isEstablished && !addresses.isEmpty }

    /// Prepares for the next address, after a failed attempt.
    ///
    /// - Parameter number: The new number of the socket, as the connection of before still has the old one.
    func retry(as number: UInt) {
        self.number = number
        connection = nil
    }

    /// Starts to connect to the next address of the host.
    ///
    /// - Parameter context: The libwebsockets context of the loop.
    /// - Returns: False if the attempt could not be started.
    func connect(context: OpaquePointer?) -> Bool {
        let address = destination.address
        // A host that was not resolved is left to the library, which says so.
        let next = addresses.isEmpty ? address.host : addresses.removeFirst()
        return next.withCString { host in
            address.authority.withCString { authority in
                address.path.withCString { path in
                    var info = lws_client_connect_info()
                    info.context = context
                    info.vhost = destination.virtualHost
                    info.address = host
                    info.port = CInt(address.port)
                    info.path = path
                    // Also the name that the certificate must have.
                    info.host = authority
                    // No Origin: that is for web pages, and the library would send http:// over TLS, too.
                    info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: number)
                    if address.isSecure {
                        info.ssl_connection = destination.trust.connectionFlags
                    }
                    return "callhub.v1".withCString { name in
                        "http/1.1".withCString { http in
                            info.protocol = name
                            info.local_protocol_name = name
                            info.alpn = http
                            connection = lws_client_connect_via_info(&info)
                            return connection != nil
                        }
                    }
                }
            }
        }
    }

    /// Clears the owner and the pointer of the connection, which is invalid from now on; returns the owner.
    func detach() -> (any ClientSocketDelegate)? {
        defer {
            delegate = nil
            connection = nil
            isEstablished = false
        }
        return delegate
    }
}

// MARK: - Writing

extension ClientSocket {
    /// Sends a text message, after those before it and ahead of all audio.
    package func send(text: [UInt8]) {
        control.append(text)
        flush()
    }

    /// Queues and sends a binary message; a full queue discards its oldest packet, and never a control message.
    package func send(binary: [UInt8]) {
        if audio.count >= maximumQueuedAudioPackets { audio.removeFirst() }
        audio.append(binary)
        flush()
    }

    /// Sends a WebSocket ping; the pong is reported by `socketIsAlive`.
    func ping() {
        pingIsDue = true
        flush()
    }

    /// Closes the connection: writes the queued texts, then a close frame with code 1000, which ends the session.
    package func close() {
        closesAfterFlush = true
        audio = []
        if let connection { lws_callback_on_writable(connection) }
    }

    /// Breaks the connection without a close frame, as a failing network would; the owner is not notified any more.
    package func drop() {
        delegate = nil
        if let connection { hub_lws_client_kill(connection) }
    }

    /// Pauses or resumes reading; meanwhile the hub's data is queued in the kernel, and then in the hub.
    package func setReading(_ reads: Bool) {
        if let connection { lws_rx_flow_control(connection, reads ? 1 : 0) }
    }

    /// Writes as much as the kernel accepts; the rest follows when the socket is writeable.
    ///
    /// Outside a writeable callback too: that saves an iteration of the event loop for each packet.
    private func flush() {
        guard isEstablished, let connection else { return }
        while let (bytes, kind) = next() {
            // libwebsockets buffers the rest of a partial write, and accepts no more until that is written.
            guard lws_partial_buffered(connection) == 0 else {
                lws_callback_on_writable(connection)
                return
            }
            remove(kind)
            guard write(bytes, kind, on: connection) else {
                hub_lws_client_kill(connection)
                return
            }
        }
    }

    /// Continues writing when the socket is writeable; a result other than 0 closes the connection.
    func writeable() -> CInt {
        flush()
        guard closesAfterFlush, next() == nil, let connection else { return 0 }
        lws_close_reason(connection, LWS_CLOSE_STATUS_NORMAL, nil, 0)
        return -1
    }

    private func next() -> ([UInt8], lws_write_protocol)? {
        if pingIsDue { return ([], LWS_WRITE_PING) }
        if let text = control.first { return (text, LWS_WRITE_TEXT) }
        if let packet = audio.first { return (packet, LWS_WRITE_BINARY) }
        return nil
    }

    private func remove(_ kind: lws_write_protocol) {
        switch kind {
        case LWS_WRITE_PING: pingIsDue = false
        case LWS_WRITE_TEXT: control.removeFirst()
        default: audio.removeFirst()
        }
    }

    /// Writes a copy of a message: libwebsockets masks a client's frames in place and requires room in front.
    private func write(_ bytes: [UInt8], _ kind: lws_write_protocol, on connection: OpaquePointer) -> Bool {
        let headRoom = hub_lws_client_head_room
        return withUnsafeTemporaryAllocation(byteCount: headRoom + bytes.count, alignment: 8) { buffer in
            let payload = UnsafeMutableRawBufferPointer(rebasing: buffer[headRoom...])
            payload.copyBytes(from: bytes)
            guard let start = buffer.baseAddress?.advanced(by: headRoom) else { return false }
            return lws_write(connection, start.assumingMemoryBound(to: UInt8.self), bytes.count, kind) >= 0
        }
    }
}

// MARK: - Reading

extension ClientSocket {
    func established(_ connection: OpaquePointer) {
        self.connection = connection
        isEstablished = true
        guard let delegate else { return hub_lws_client_kill(connection) }
        delegate.socketOpened(self)
    }

    /// Receives a fragment or a whole message; a result other than 0 closes the connection.
    func received(_ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer) -> CInt {
        guard let delegate else { return -1 }
        let isBinary = lws_frame_is_binary(connection) != 0
        let isFirst = lws_is_first_fragment(connection) != 0
        let isLast = lws_is_final_fragment(connection) != 0
        if isFirst, isLast, isBinary {
            delegate.socket(self, receivedBinary: bytes)
            return 0
        }
        if isFirst { incoming.removeAll(keepingCapacity: true) }
        guard incoming.count + bytes.count <= maximumReceivedMessageBytes else {
            closeReason = "the hub sent a message of more than \(maximumReceivedMessageBytes) bytes"
            return -1
        }
        incoming.append(contentsOf: bytes)
        guard isLast else {
            delegate.socketIsAlive(self)
            return 0
        }
        let message = incoming
        if isBinary {
            message.withUnsafeBytes { delegate.socket(self, receivedBinary: $0) }
        } else {
            delegate.socket(self, receivedText: message)
        }
        return 0
    }

    func receivedPong() { delegate?.socketIsAlive(self) }

    /// Stores the reason of the hub's close frame: two bytes of code, then text.
    func receivedClose(_ content: UnsafeRawBufferPointer) {
        guard content.count >= 2 else { return }
        let code = Int(content[0]) << 8 | Int(content[1])
        let words = String(decoding: content.dropFirst(2), as: UTF8.self)
        closeReason = "the hub closed the connection (\(code)\(words.isEmpty ? "" : ": \(words)"))"
    }
}

/// The maximum number of queued audio packets of a connection.
///
/// More: a longer stall causes no loss; fewer: audio after a stall is fresher. 10 are 200 ms.
private let maximumQueuedAudioPackets = 10

/// The maximum size of a received message, in bytes.
///
/// Longer: a hub may list more calls or recents; shorter: a broken hub uses less memory of the client.
private let maximumReceivedMessageBytes = 4 << 20
