import CLibWebSockets
import CUV

/// The WebSocket subprotocol of the hub (protocol.md, Connection).
private let subprotocol = "callhub.v1"

/// Creates a libwebsockets context for outgoing connections on `loop`; each callback receives `delegate`.
///
/// The strings and tables allocated here belong to the context, and like it live as long as the process.
func makeClientContext(
    on loop: UnsafeMutablePointer<uv_loop_t>,
    delegate: UnsafeMutableRawPointer
) -> OpaquePointer? {
    // The library's notices and warnings are about its internals; the owner receives errors as reasons.
    // A program that has set its own log levels (the hub does) keeps them.
    if lwsl_visible(LLL_NOTICE) != 0 { lws_set_log_level(0, nil) }

    let loops = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    loops.initialize(to: UnsafeMutableRawPointer(loop))

    var info = clientContextInformation()
    info.foreign_loops = loops
    info.user = delegate
    // An empty proxy: libwebsockets would take `http_proxy` from the environment even for localhost.
    return "".withCString { empty in
        info.http_proxy_address = empty
        return lws_create_context(&info)
    }
}

/// Returns the creation parameters of a context and of each of its virtual hosts.
func clientContextInformation() -> lws_context_creation_info {
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = UnsafePointer(strdup(subprotocol))
    protocols[0].callback = { connection, reason, _, bytes, count in
        onClientEvent(connection, reason, bytes, count)
    }

    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = hub_lws_client_options
    info.protocols = UnsafePointer(protocols)
    info.gid = -1
    info.uid = -1
    // The library's timeouts have a resolution of whole seconds; those of SessionCore are finer and always shorter.
    info.timeout_secs = 30
    return info
}

/// Dispatches every event of every connection to its socket.
///
/// - Returns: The callback result of libwebsockets: any value other than 0 closes the connection.
private func onClientEvent(
    _ connection: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
) -> CInt {
    guard let connection, let loop = loopThread(of: lws_context_user(lws_get_context(connection))),
        let socket = loop.socket(number: UInt(bitPattern: lws_get_opaque_user_data(connection)))
    else { return 0 }
    let content = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    switch reason {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        socket.established(connection)
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return socket.received(content, on: connection)
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        socket.receivedPong()
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return socket.writeable()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        socket.receivedClose(content)
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        let words = String(decoding: content, as: UTF8.self)
        let reason =
            words.contains("HS:")
            ? sentence(forRefusal: words, status: lws_http_client_http_response(connection))
            : sentence(forConnectionError: words)
        // A server that has answered is the host's.
        if words.contains("HS:") {
            loop.removeSocket(socket, reason: reason)
        } else {
            loop.connectionFailed(socket, reason: reason)
        }
    case LWS_CALLBACK_CLIENT_CLOSED:
        loop.removeSocket(socket, reason: socket.closeReason)
    case LWS_CALLBACK_WSI_DESTROY:
        loop.removeSocket(socket, reason: "the connection was closed without a close frame")
    default:
        break
    }
    return 0
}

/// Returns a sentence for a server that has answered the handshake otherwise than a hub that lets the client in.
///
/// - Parameters:
///   - words: The library's message.
///   - status: The HTTP status of the answer; 0: it had none.
/// - Returns: The sentence, without a full stop.
private func sentence(forRefusal words: String, status: UInt32) -> String {
    guard words.contains("HS: ws upgrade") else {
        return "the server at this address is no hub; it must be that of a hub, such as ws://host:8080/v1"
    }
    switch status {
    case 403: return "the server refuses this program (HTTP 403); a hub does so for a name that is none of its own"
    case 429: return "the server has too many connections from here (HTTP 429); try again in a minute"
    case 503: return "the server takes no more connections at present (HTTP 503); try again in a minute"
    default:
        let answer = (100...599).contains(status) ? " (HTTP \(status))" : ""
        return "the server at this address is no hub\(answer); a hub's address ends in /v1, as in ws://host:8080/v1"
    }
}

/// Returns a sentence for the library's message about a failed connection.
private func sentence(forConnectionError words: String) -> String {
    if words.hasPrefix("closed before established") { return "nothing listens there, or it broke off at once" }
    if words.contains("SSL") || words.contains("TLS") { return "it supports no TLS, or its certificate is not valid" }
    if words.isEmpty { return "the connection failed" }
    return words
}
