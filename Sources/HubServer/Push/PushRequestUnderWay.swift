import CLibWebSockets
import Glibc
import HubEngine

/// One HTTPS request to a push service.
final class PushRequestUnderWay {
    /// Of the post.
    let id: UInt64
    private let post: PushPost
    private let headers: String
    private var connection: OpaquePointer?

    /// The library's name for requests; lives as long as the process.
    static nonisolated(unsafe) let protocolName = UnsafePointer(strdup("push"))

    init(_ id: UInt64, _ post: PushPost, at now: Instant) {
        self.id = id
        self.post = post
        headers = post.headers(at: now)
    }

    /// Begins it; what becomes of it the callbacks say, perhaps from within this call.
    ///
    /// - Parameters:
    ///   - context: The sender's.
    ///   - number: The thread's name for it.
    /// - Returns: False if not even that was possible.
    func begin(in context: OpaquePointer?, number: UInt) -> Bool {
        post.host.withCString { host in
            post.authority.withCString { authority in
                post.path.withCString { path in
                    var info = lws_client_connect_info()
                    info.context = context
                    info.address = host
                    info.port = CInt(post.port)
                    info.path = path
                    info.host = authority
                    info.ssl_connection = hub_lws_push_tls
                    info.local_protocol_name = Self.protocolName
                    info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: number)
                    return "POST".withCString { method in
                        "http/1.1".withCString { http in
                            info.method = method
                            info.alpn = http
                            connection = lws_client_connect_via_info(&info)
                            return connection != nil
                        }
                    }
                }
            }
        }
    }

    /// Breaks it off; nobody hears of it.
    func kill() {
        if let connection { hub_lws_client_kill(connection) }
    }

    /// Writes the headers that are the post's own.
    ///
    /// - Parameters:
    ///   - place: Where they go; moved on behind them.
    ///   - room: Bytes there.
    ///   - connection: Whose request it is.
    /// - Returns: Other than 0 where there is no room.
    func writeHeaders(
        to place: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>,
        room: Int,
        on connection: OpaquePointer
    ) -> CInt {
        let bytes = Array(headers.utf8)
        guard bytes.count <= room else { return -1 }
        place.pointee.update(from: bytes, count: bytes.count)
        place.pointee += bytes.count
        lws_client_http_body_pending(connection, 1)
        lws_callback_on_writable(connection)
        return 0
    }

    /// Writes the message; the library keeps what the socket does not take.
    func writeBody(on connection: OpaquePointer) -> CInt {
        lws_client_http_body_pending(connection, 0)
        let headRoom = hub_lws_client_head_room
        return withUnsafeTemporaryAllocation(byteCount: headRoom + post.body.count, alignment: 8) { buffer in
            UnsafeMutableRawBufferPointer(rebasing: buffer[headRoom...]).copyBytes(from: post.body)
            guard let start = buffer.baseAddress?.advanced(by: headRoom) else { return -1 }
            let bytes = start.assumingMemoryBound(to: UInt8.self)
            return lws_write(connection, bytes, post.body.count, LWS_WRITE_HTTP_FINAL) < 0 ? -1 : 0
        }
    }
}

/// Every event of every request: finds it and carries it on.
///
/// - Returns: What libwebsockets wants: other than 0 ends the connection.
func onPushEvent(
    _ connection: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
) -> CInt {
    guard let connection, let owner = lws_context_user(lws_get_context(connection)) else { return 0 }
    let thread = Unmanaged<PushThread>.fromOpaque(owner).takeUnretainedValue()
    let number = UInt(bitPattern: lws_get_opaque_user_data(connection))
    guard let request = thread.request(number) else { return 0 }
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        guard let place = bytes?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self) else { return -1 }
        return request.writeHeaders(to: place, room: count, on: connection)
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
        return request.writeBody(on: connection)
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        let status = Int(lws_http_client_http_response(connection))
        thread.over(number, .status(status, retryAfter: secondsToWait(connection)), "\(status)")
        // What else the service says is of no use.
        return -1
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        let words = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : min(count, 100))
        thread.over(number, .none, String(decoding: words, as: UTF8.self))
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP, LWS_CALLBACK_WSI_DESTROY:
        thread.over(number, .none, "it broke off")
    default:
        break
    }
    return 0
}

/// `Retry-After` in seconds (RFC 9110 section 10.2.3); nil where there is none, or a date.
private func secondsToWait(_ connection: OpaquePointer) -> Int? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { text in
        let length = lws_hdr_copy(connection, text.baseAddress, CInt(text.count), WSI_TOKEN_HTTP_RETRY_AFTER)
        guard length > 0 else { return nil }
        let digits = String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Int(digits).flatMap { (0...86_400).contains($0) ? $0 : nil }
    }
}
