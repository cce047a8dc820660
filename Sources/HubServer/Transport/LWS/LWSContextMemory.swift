import CLibWebSockets
import Glibc

/// C memory that libwebsockets keeps pointers into for as long as its context lives.
final class LWSContextMemory {
    /// The user data that libwebsockets passes to callbacks.
    let user: UnsafeMutablePointer<LWSContext.User>

    /// The hub's only protocol, and the empty entry that ends the list.
    let protocols: UnsafeMutablePointer<lws_protocols>

    /// The retry policy, all zero: the library sends no pings itself.
    ///
    /// It keeps one sorted list of all timers and walks it at each pong.
    let retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>

    /// The headers of every HTTP response; nil for none.
    let headers: UnsafeMutablePointer<lws_protocol_vhost_options>?

    /// The name of the virtual host, which appears in the library's log only.
    let hostName: UnsafePointer<CChar>?

    /// The protocols offered to TLS clients (ALPN).
    let applicationProtocols: UnsafePointer<CChar>?

    private var strings: [UnsafeMutablePointer<CChar>] = []

    /// Allocates and fills the memory.
    ///
    /// - Parameters:
    ///   - settings: Names and sizes.
    ///   - callback: The callback for all events.
    init(settings: TransportSettings, callback: @escaping LWSContext.Callback) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        func keep(_ text: String) -> UnsafePointer<CChar>? {
            guard let copy = strdup(text) else { return nil }
            strings.append(copy)
            return UnsafePointer(copy)
        }
        user = .allocate(capacity: 1)
        user.initialize(to: LWSContext.User())

        protocols = .allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        protocols[0].name = keep(settings.subprotocol)
        protocols[0].callback = callback
        protocols[0].per_session_data_size = LWSSession.byteCount
        // The most read at once; control frames need 125 bytes of it.
        let largest = LWSContext.serviceBufferBytes - hub_lws_pre
        protocols[0].rx_buffer_size = min(max(settings.receiveBufferBytes, 256), largest)
        // Without this a message of more than rx_buffer_size would be sent, and copied, in pieces.
        protocols[0].tx_packet_size = 1 << 24

        retryPolicy = .allocate(capacity: 1)
        retryPolicy.initialize(to: lws_retry_bo_t())

        let count = settings.httpHeaders.count
        let list = UnsafeMutablePointer<lws_protocol_vhost_options>.allocate(capacity: max(count, 1))
        list.initialize(repeating: lws_protocol_vhost_options(), count: max(count, 1))
        for (index, header) in settings.httpHeaders.enumerated() {
            list[index].name = keep(header.name.lowercased() + ":")
            list[index].value = keep(header.value)
            list[index].next = index + 1 < count ? UnsafePointer(list + index + 1) : nil
        }
        headers = count > 0 ? list : nil
        if count == 0 { list.deallocate() }
        hostName = keep("hub")
        applicationProtocols = keep("http/1.1")
        self.strings = strings
    }

    deinit {
        user.deallocate()
        protocols.deallocate()
        retryPolicy.deallocate()
        headers?.deallocate()
        for string in strings { free(string) }
    }
}
