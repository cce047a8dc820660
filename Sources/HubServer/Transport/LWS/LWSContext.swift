import CLibWebSockets
import Foundation

/// A libwebsockets context on a libuv loop, with its only virtual host and the C memory both point into.
///
/// The context is destroyed in three steps, since libuv closes handles only in its loop: `beginDestroy()`, run the
/// loop until nothing is left, `finishDestroy()`.
final class LWSContext {
    /// The signature of the callback for all events of the library.
    typealias Callback =
        @convention(c) (
            _ wsi: OpaquePointer?,
            _ event: LWSEvent.Number,
            _ session: UnsafeMutableRawPointer?,
            _ input: UnsafeMutableRawPointer?,
            _ count: Int
        ) -> Int32

    /// The user data that libwebsockets passes to callbacks.
    struct User {
        /// The object that callbacks are for, not retained; set once it is complete.
        var owner: UnsafeMutableRawPointer?

        /// The `SSL_CTX` of the virtual host; set by a callback while that is being made with TLS.
        var security: OpaquePointer?

        /// The `SSL_CTX` of the certificate for new handshakes; nil without TLS.
        var shown: OpaquePointer?
    }

    /// The size in bytes of the library's receive buffer, which all connections share: the most read at once.
    static let serviceBufferBytes = 16_384

    /// The maximum size of a request's headers in bytes; longer ones are cut off.
    ///
    /// More: larger cookies pass; more memory for each socket in its handshake.
    static let headerBytes: UInt32 = 8_192

    // Invalid after `finishDestroy()`.
    private let pointer: OpaquePointer

    private let host: OpaquePointer

    /// The user data that libwebsockets passes to callbacks.
    let user: UnsafeMutablePointer<User>

    private let memory: LWSContextMemory
    private let wakeUpDescriptor: Int32
    private let challenges: ALPNChallenges?

    /// The certificate of new handshakes; nil without TLS.
    private(set) var certificate: CertificatePair?

    /// A lock held while a context is made or freed, as the library's plugin loader is not thread-safe.
    static let creationLock = NSLock()

    /// Creates a context that serves sockets given to it.
    ///
    /// - Parameters:
    ///   - settings: Names, sizes and times.
    ///   - maximumSockets: The maximum number of sockets at once.
    ///   - loop: The libuv loop for its sockets and timers.
    ///   - callback: The callback for all events.
    /// - Throws: ``TransportError/certificate(_:)``, ``TransportError/eventLibraryMissing(directory:)`` or
    ///   ``TransportError/libraryRefused(_:)``.
    init(
        settings: TransportSettings,
        maximumSockets: Int,
        loop: EventLoop,
        callback: @escaping Callback
    ) throws(TransportError) {
        LWSLog.install()
        let certificate = try settings.serverCertificate.map { origin throws(TransportError) in
            try CertificatePair(origin)
        }
        self.certificate = certificate
        let challenges = settings.challenges.map { ALPNChallenges($0) }
        self.challenges = challenges
        let memory = LWSContextMemory(settings: settings, callback: callback)
        self.memory = memory
        let user = memory.user
        self.user = user

        var info = lws_context_creation_info()
        info.options = hub_lws_server_options | (certificate == nil ? 0 : hub_lws_server_tls_options)
        // Else the library would offer HTTP/2, over which the hub takes no WebSocket.
        info.alpn = memory.applicationProtocols
        info.port = hub_lws_port_no_listen_server
        info.uid = -1
        info.gid = -1
        info.user = UnsafeMutableRawPointer(user)
        info.pt_serv_buf_size = UInt32(Self.serviceBufferBytes)
        info.timeout_secs = UInt32(settings.handshakeTimeout.wholeSeconds)
        info.timeout_secs_ah_idle = UInt32(settings.handshakeTimeout.wholeSeconds)
        // One for each socket, allocated when a request begins and freed when it is read: slow clients delay no others.
        // Browsers send the cookies of everything on the host.
        info.max_http_header_data2 = Self.headerBytes
        info.max_http_header_pool2 = UInt32(clamping: max(maximumSockets, 1))
        info.retry_and_idle_policy = UnsafePointer(memory.retryPolicy)
        info.headers = memory.headers.map { UnsafePointer($0) }
        info.protocols = UnsafePointer(memory.protocols)
        info.vhost_name = memory.hostName

        var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(loop.uv)]
        let watchedBefore = loop.watchedDescriptors
        let made: (context: OpaquePointer, host: OpaquePointer)? = Self.creationLock.withLock {
            loops.withUnsafeMutableBufferPointer { loops in
                info.foreign_loops = loops.baseAddress
                guard let context = lws_create_context(&info) else { return nil }
                guard let host = lws_create_vhost(context, &info), Self.secure(user, with: certificate, challenges)
                else {
                    lws_context_destroy(context)
                    return nil
                }
                return (context, host)
            }
        }
        let directory = String(cString: hub_lws_plugin_directory())
        guard let made else {
            let hasPlugin = access(directory + "/libwebsockets-evlib_uv.so", R_OK) == 0
            throw hasPlugin ? .libraryRefused("make a context") : .eventLibraryMissing(directory: directory)
        }
        // With a poll loop of its own the library would watch nothing here; on this one it watches one descriptor.
        let watched = loop.watchedDescriptors.filter { !watchedBefore.contains($0) }
        precondition(watched.count == 1, "libwebsockets runs, but not on the libuv loop it was given")
        wakeUpDescriptor = watched[0]
        pointer = made.context
        host = made.host
    }

    /// Gives an accepted socket to the library, which reads its request.
    ///
    /// - Parameters:
    ///   - descriptor: The socket, which the library owns from now on.
    ///   - number: The number that identifies the socket in callbacks.
    ///   - isEncrypted: True to begin with a TLS handshake, if this context has TLS.
    /// - Returns: False if the library has closed the socket, perhaps without a callback.
    func adopt(_ descriptor: Int32, number: UInt, isEncrypted: Bool) -> Bool {
        hub_lws_adopt(host, descriptor, number, isEncrypted ? 1 : 0) != nil
    }

    /// Gives an accepted socket to the library whose request is not to be parsed: it is only to be answered.
    ///
    /// - Parameters:
    ///   - descriptor: The socket, which the library owns from now on.
    ///   - number: The number that identifies the socket in callbacks.
    /// - Returns: False if the library has closed the socket, perhaps without a callback.
    func adoptRaw(_ descriptor: Int32, number: UInt) -> Bool {
        hub_lws_adopt_unread(host, descriptor, number) != nil
    }

    /// Uses another certificate for new handshakes; open connections are not affected.
    ///
    /// - Parameter certificate: The certificate with its key; ignored by a context without TLS.
    func installCertificate(_ certificate: CertificatePair) {
        guard let security = user.pointee.security else { return }
        user.pointee.shown = certificate.pair
        certificate.install(in: security)
        self.certificate = certificate
    }

    private static func secure(
        _ user: UnsafeMutablePointer<User>,
        with certificate: CertificatePair?,
        _ challenges: ALPNChallenges?
    ) -> Bool {
        guard let certificate else { return true }
        guard let security = user.pointee.security, let place = user.pointer(to: \.shown) else { return false }
        place.pointee = certificate.pair
        certificate.install(in: security)
        TransportSecurity.setUp(security, showing: place, challenges)
        return true
    }

    /// Starts to close all that the library owns; callbacks are still called.
    func beginDestroy() {
        lws_context_destroy(pointer)
    }

    /// Takes the number of the library's wake-up descriptor; to be called right after `beginDestroy()`.
    ///
    /// The library closes that descriptor twice, once in `beginDestroy()` and once more when the loop runs on
    /// (`lws_destroy_event_pipe` of 4.1.6, with libuv). If another thread opened a file under that number in between,
    /// that file would be closed; so the hub takes the number itself.
    ///
    /// - Returns: False if another thread has it: then the loop must not run on.
    func occupyWakeUpDescriptor() -> Bool {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard null >= 0 else { return false }
        defer { if null != wakeUpDescriptor { close(null) } }
        if null == wakeUpDescriptor { return true }
        for _ in 0..<1000 {
            // The lowest free number from there on: another one means that this one is taken.
            let copy = fcntl(null, F_DUPFD_CLOEXEC, wakeUpDescriptor)
            if copy == wakeUpDescriptor { return true }
            if copy >= 0 { close(copy) }
            usleep(1000)
        }
        return false
    }

    /// Frees the context; the loop must have run until nothing was left since `beginDestroy()`.
    func finishDestroy() {
        Self.creationLock.withLock { lws_context_destroy(pointer) }
    }
}
