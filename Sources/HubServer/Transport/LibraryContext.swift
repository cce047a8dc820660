import CLibWebSockets
import Foundation

/// A libwebsockets context on a libuv loop, with its one virtual host and the C memory both point into.
///
/// The context is destroyed in three steps, since libuv closes handles only in its loop: `beginDestroy()`, run the
/// loop until nothing is left, `finishDestroy()`.
final class LibraryContext {
    /// What the library hands from C back to Swift.
    struct User {
        /// The loop the callbacks are for: filled in when it is complete.
        var owner: Unmanaged<ServerLoop>?

        /// OpenSSL's context of the virtual host: filled in by a callback while that is made, where it speaks TLS.
        var security: OpaquePointer?
    }

    /// Bytes of the library's receive buffer, which all connections share.
    static let serviceBufferBytes = 16_384

    /// Bytes of headers that a request may have; a longer one is cut off.
    ///
    /// More: larger cookies pass; more memory for each socket in its handshake.
    static let headerBytes: UInt32 = 8_192

    /// The library's object; used by nobody after `finishDestroy()`.
    let pointer: OpaquePointer

    /// The virtual host new sockets are given to.
    let host: OpaquePointer

    /// What the callbacks are for.
    let user: UnsafeMutablePointer<User>

    private let memory: LibraryMemory
    private let wakeUpDescriptor: Int32

    /// Contexts are made and freed one at a time: the library's plugin loader was not written for threads.
    static let creationLock = NSLock()

    /// A context that serves sockets given to it.
    ///
    /// - Parameters:
    ///   - settings: Names, sizes and times.
    ///   - loop: Where its sockets and timers go.
    /// - Throws: When the certificate is none, the libuv plugin is missing or the library refuses.
    init(
        settings: TransportSettings,
        loop: EventLoop
    ) throws(TransportError) {
        LibraryLog.install()
        let certificate = try settings.certificateFiles.map { files throws(TransportError) in
            try CertificatePair(certificate: files.certificate, key: files.key)
        }
        let memory = LibraryMemory(settings: settings)
        self.memory = memory
        let user = memory.user
        self.user = user

        var info = lws_context_creation_info()
        info.options = hub_lws_server_options | (certificate == nil ? 0 : hub_lws_server_tls_options)
        // Else the library would offer HTTP/2, which brings no WebSocket here.
        info.alpn = memory.applicationProtocols
        info.port = hub_lws_port_no_listen_server
        info.uid = -1
        info.gid = -1
        info.user = UnsafeMutableRawPointer(user)
        info.pt_serv_buf_size = UInt32(Self.serviceBufferBytes)
        info.timeout_secs = UInt32(settings.handshakeTimeout.wholeSeconds)
        info.timeout_secs_ah_idle = UInt32(settings.handshakeTimeout.wholeSeconds)
        // One for each socket, made when a request begins and freed when it is read: nobody waits for a slow one.
        // Browsers send the cookies of all that is on the host.
        info.max_http_header_data2 = Self.headerBytes
        info.max_http_header_pool2 = UInt32(clamping: max(settings.maximumConnections, 1)) + UInt32(Door.reserve)
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
                guard let host = lws_create_vhost(context, &info), Self.secure(user, with: certificate) else {
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
        // On its own poll loop the library would watch nothing on ours; here it watches its wake-up descriptor.
        let watched = loop.watchedDescriptors.filter { !watchedBefore.contains($0) }
        precondition(watched.count == 1, "libwebsockets runs, but not on the libuv loop it was given")
        wakeUpDescriptor = watched[0]
        pointer = made.context
        host = made.host
    }

    /// Has new handshakes show another certificate; open connections do not notice.
    ///
    /// - Parameter certificate: Complete.
    /// - Returns: False where this context speaks no TLS, or OpenSSL would not.
    func show(_ certificate: CertificatePair) -> Bool {
        user.pointee.security.map { certificate.install(in: $0) } ?? false
    }

    private static func secure(_ user: UnsafeMutablePointer<User>, with certificate: CertificatePair?) -> Bool {
        guard let certificate else { return true }
        return user.pointee.security.map { TransportSecurity.setUp($0, with: certificate) } ?? false
    }

    /// Starts to close all that is the library's; callbacks still come.
    func beginDestroy() {
        lws_context_destroy(pointer)
    }

    /// Takes the number of the library's wake-up descriptor, to be called right after `beginDestroy()`.
    ///
    /// The library closes that descriptor twice, once in `beginDestroy()` and once more when the loop runs on
    /// (`lws_destroy_event_pipe` of 4.1.6, with libuv). What another thread had opened under that number in between
    /// would be closed under its feet; so it is made ours in between.
    ///
    /// - Returns: False when another thread has it: then the loop must not run on.
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

    /// Frees the library's object; the loop must have run empty since `beginDestroy()`.
    func finishDestroy() {
        Self.creationLock.withLock { lws_context_destroy(pointer) }
    }
}
