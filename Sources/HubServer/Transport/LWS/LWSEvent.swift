import CLibWebSockets

/// An event of libwebsockets that the hub handles.
enum LWSEvent {
    /// Bytes of a text or binary message have been received.
    case received(LWSFragment)
    /// A WebSocket can be written to.
    case writable
    /// A pong with a payload has been received.
    case pong
    /// A handshake is complete.
    case established(LWSSocket, LWSRequest)
    /// A close frame has been received; its payload is the input.
    case peerClosed
    /// The library closes a WebSocket now; nothing may be written any more.
    case closing
    /// A WebSocket is closed.
    case closed
    /// A socket of any protocol was created.
    case socketCreated
    /// A socket of any protocol is gone.
    case socketDestroyed(LWSRequest)
    /// A request to upgrade is complete: 0 to go on, -1 to close.
    case upgrade(LWSRequest)
    /// A request's head is complete: 0 to go on, -1 to close.
    case requestHead(LWSRequest)
    /// A GET or HEAD without a body is to be answered.
    case request(LWSRequest)
    /// An HTTP connection can be written to.
    case requestWritable(LWSRequest)
    /// A file has been sent.
    case fileSent(LWSRequest)
    /// A socket whose request is not parsed was created.
    case rawAdopted(LWSRequest)
    /// Bytes of a request that is not parsed have been received.
    case rawReceived(LWSRequest)
    /// A socket whose request is not parsed can be written to.
    case rawWritable(LWSRequest)
    /// A request's body has been received.
    case requestBody
    /// Any other event.
    case other
}

extension LWSEvent {
    /// The library's number of an event.
    typealias Number = lws_callback_reasons

    /// Translates the library's number of an event.
    ///
    /// - Parameters:
    ///   - reason: The library's number.
    ///   - wsi: The library's object that the event is about.
    @inline(__always)
    init(_ reason: Number, _ wsi: OpaquePointer) {
        self =
            switch reason {
            case LWS_CALLBACK_RECEIVE: .received(LWSFragment(wsi))
            case LWS_CALLBACK_SERVER_WRITEABLE: .writable
            case LWS_CALLBACK_RECEIVE_PONG: .pong
            case LWS_CALLBACK_ESTABLISHED: .established(LWSSocket(wsi), LWSRequest(wsi))
            case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: .peerClosed
            case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL: .closing
            case LWS_CALLBACK_CLOSED: .closed
            case LWS_CALLBACK_WSI_CREATE: .socketCreated
            case LWS_CALLBACK_WSI_DESTROY: .socketDestroyed(LWSRequest(wsi))
            case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: .upgrade(LWSRequest(wsi))
            case LWS_CALLBACK_FILTER_HTTP_CONNECTION: .requestHead(LWSRequest(wsi))
            case LWS_CALLBACK_HTTP: .request(LWSRequest(wsi))
            case LWS_CALLBACK_HTTP_WRITEABLE: .requestWritable(LWSRequest(wsi))
            case LWS_CALLBACK_HTTP_FILE_COMPLETION: .fileSent(LWSRequest(wsi))
            case LWS_CALLBACK_RAW_ADOPT: .rawAdopted(LWSRequest(wsi))
            case LWS_CALLBACK_RAW_RX: .rawReceived(LWSRequest(wsi))
            case LWS_CALLBACK_RAW_WRITEABLE: .rawWritable(LWSRequest(wsi))
            case LWS_CALLBACK_HTTP_BODY: .requestBody
            default: .other
            }
    }
}

extension LWSContext {
    /// Finds the object that an event is for.
    ///
    /// Before there is one, while a context is being made, the library passes the `SSL_CTX` of the virtual host: the
    /// only way to get it. It is noted.
    ///
    /// - Parameters:
    ///   - wsi: The library's object that the event is about.
    ///   - reason: The library's number of the event.
    ///   - session: The second argument of the callback.
    /// - Returns: The object; nil: there is none yet.
    @inline(__always)
    static func owner(
        of wsi: OpaquePointer,
        _ reason: LWSEvent.Number,
        _ session: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let user = lws_context_user(lws_get_context(wsi))?.assumingMemoryBound(to: User.self) else { return nil }
        if let owner = user.pointee.owner { return owner }
        if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS {
            user.pointee.security = session.map { OpaquePointer($0) }
        }
        return nil
    }
}
