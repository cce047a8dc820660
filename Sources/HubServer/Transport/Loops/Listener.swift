import CUV
import Glibc

/// The listening sockets of a hub: one for each address that its host name resolves to, all on one port.
///
/// They are not the library's, so that a port in use is a typed error, `localhost` is bound on both its
/// addresses, and a process without descriptors pauses instead of spinning. Options set here are inherited by every
/// accepted socket (Linux), which saves three system calls each.
final class Listener {
    private struct Socket {
        var descriptor: Int32
        var poll: UnsafeMutablePointer<uv_poll_t>?
    }

    /// The port that all sockets listen on.
    let port: Int

    /// Receives the descriptor of a listening socket with pending connections.
    typealias Accept = (_ descriptor: Int32) -> Void

    private var sockets: [Socket]
    private var accept: Accept?

    /// Binds and listens; connections wait in the kernel until `start`.
    ///
    /// - Parameters:
    ///   - settings: Host and socket options.
    ///   - wanted: The port, 0 to 65535; 0: the kernel chooses.
    ///   - sharesPort: True if other loops of this process listen on the same port (SO_REUSEPORT): the kernel then
    ///     gives each connection to one of them.
    /// - Throws: ``TransportError``: an unknown host, a port in use or not permitted, or another error of the system.
    init(settings: TransportSettings, port wanted: Int, sharesPort: Bool = false) throws(TransportError) {
        let addresses = try resolve(settings.host)
        guard (0...65_535).contains(wanted) else {
            throw .system(call: "bind", code: EINVAL, reason: "port \(wanted) is not from 0 to 65535")
        }
        var lastError: TransportError?
        // With port 0 the kernel's choice for the first address may be taken on the second: then try another.
        for _ in 0..<(wanted == 0 ? 16 : 1) {
            switch bindAll(addresses, settings, port: wanted, sharesPort: sharesPort) {
            case .success(let bound):
                sockets = bound.descriptors.map { Socket(descriptor: $0, poll: nil) }
                port = bound.port
                return
            case .failure(let error):
                lastError = error
                guard wanted == 0, case .addressInUse = error else { throw error }
            }
        }
        throw lastError ?? .unknownHost(settings.host)
    }

    deinit {
        stop()
    }

    /// True until `stop()`.
    var isListening: Bool { !sockets.isEmpty }

    /// Starts to report new connections to a loop.
    ///
    /// - Parameters:
    ///   - uv: The libuv loop.
    ///   - accept: Called on the loop's thread until `stop()`; it must not retain this object.
    /// - Throws: ``TransportError/system(call:code:reason:)`` if the loop cannot watch a socket.
    func start(on uv: UnsafeMutablePointer<uv_loop_t>, accept: @escaping Accept) throws(TransportError) {
        self.accept = accept
        for index in sockets.indices {
            let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
            let result = uv_poll_init_socket(uv, poll, sockets[index].descriptor)
            guard result == 0 else {
                poll.deallocate()
                throw .uv("uv_poll_init", result)
            }
            poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
            sockets[index].poll = poll
        }
        resume()
    }

    /// Resumes the reporting of connections after `pause()`.
    func resume() {
        for socket in sockets {
            if let poll = socket.poll { uv_poll_start(poll, Int32(UV_READABLE.rawValue), onReadable) }
        }
    }

    fileprivate func report(_ descriptor: Int32) {
        accept?(descriptor)
    }

    /// Pauses the reporting: new connections stay in the kernel's queue.
    func pause() {
        for socket in sockets { if let poll = socket.poll { uv_poll_stop(poll) } }
    }

    /// Sets a socket option, ignoring a refusal, which affects only latency and timeouts.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - level: The option's level.
    ///   - option: The option's number.
    ///   - value: The option's value.
    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the sockets; new connections are refused by the kernel from now on.
    func stop() {
        for socket in sockets {
            if let poll = socket.poll {
                uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { closed in
                    UnsafeMutableRawPointer(closed)?.deallocate()
                }
            }
            close(socket.descriptor)
        }
        sockets = []
    }
}

private struct Address {
    var family: Int32
    var storage: sockaddr_storage
    var length: socklen_t
    var isWildcard: Bool
}

private func resolve(_ host: String) throws(TransportError) -> [Address] {
    // Both, whatever the machine's name resolution returns: browsers try ::1 first.
    if host.lowercased() == "localhost" { return try resolve("127.0.0.1") + resolve("::1") }
    let isWildcard = host == "*" || host.isEmpty
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(isWildcard ? nil : name, "0", &hints, &list) == 0 else { throw .unknownHost(host) }
    defer { freeaddrinfo(list) }
    var addresses: [Address] = []
    var next = list
    while let info = next?.pointee {
        next = info.ai_next
        guard let address = info.ai_addr, info.ai_family == AF_INET || info.ai_family == AF_INET6 else { continue }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
        }
        addresses.append(
            Address(family: info.ai_family, storage: storage, length: info.ai_addrlen, isWildcard: isWildcard)
        )
    }
    guard !addresses.isEmpty else { throw .unknownHost(host) }
    return addresses
}

private struct Bound {
    var descriptors: [Int32]
    var port: Int
}

private func bindAll(
    _ addresses: [Address],
    _ settings: TransportSettings,
    port: Int,
    sharesPort: Bool
) -> Result<Bound, TransportError> {
    var bound = Bound(descriptors: [], port: port)
    var failure: TransportError?
    for address in addresses {
        do throws(TransportError) {
            let (descriptor, port) = try bindOne(address, port: bound.port, settings, sharesPort: sharesPort)
            bound.descriptors.append(descriptor)
            bound.port = port
        } catch .system(_, EAFNOSUPPORT, _) {
            continue  // a machine without IPv6
        } catch .system(_, EADDRNOTAVAIL, _) where addresses.count > 1 {
            continue  // a container whose localhost has ::1 in its name table only
        } catch {
            failure = error
            break
        }
    }
    if failure == nil, !bound.descriptors.isEmpty { return .success(bound) }
    for descriptor in bound.descriptors { close(descriptor) }
    return .failure(failure ?? .unknownHost(settings.host))
}

private func bindOne(
    _ address: Address,
    port: Int,
    _ settings: TransportSettings,
    sharesPort: Bool
) throws(TransportError) -> (descriptor: Int32, port: Int) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw .errno("socket") }
    var storage = address.storage
    withUnsafeMutableBytes(of: &storage) {
        // Both address families keep the port in bytes 2 and 3, in network order.
        $0[2] = UInt8(truncatingIfNeeded: port >> 8)
        $0[3] = UInt8(truncatingIfNeeded: port)
    }
    Listener.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if sharesPort { Listener.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    if address.family == AF_INET6 { Listener.set(descriptor, hub_uv_level_ipv6, IPV6_V6ONLY, 1) }
    setInheritedOptions(of: descriptor, settings)
    let result = withUnsafePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, address.length) }
    }
    guard result == 0, listen(descriptor, 4096) == 0 else {
        let code = errno
        close(descriptor)
        switch code {
        case EADDRINUSE: throw .addressInUse(host: settings.host, port: port)
        case EACCES: throw .permissionDenied(host: settings.host, port: port)
        default: throw .errno("bind", code)
        }
    }
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    let real = withUnsafeBytes(of: &storage) { Int($0[2]) << 8 | Int($0[3]) }
    return (descriptor, real)
}

private func setInheritedOptions(of descriptor: Int32, _ settings: TransportSettings) {
    let tcp = hub_uv_level_tcp
    Listener.set(descriptor, tcp, TCP_NODELAY, 1)
    Listener.set(descriptor, tcp, TCP_USER_TIMEOUT, Int32(clamping: settings.unacknowledgedTimeout.wholeMilliseconds))
    if settings.sendBufferBytes > 0 {
        Listener.set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: settings.sendBufferBytes))
    }
}

extension TransportError {
    /// Creates an error from a system call's `errno`.
    ///
    /// - Parameters:
    ///   - call: The name of the function that failed.
    ///   - code: The value of `errno`.
    /// - Returns: The error with the system's description.
    static func errno(_ call: String, _ code: Int32 = Glibc.errno) -> TransportError {
        .system(call: call, code: code, reason: String(cString: strerror(code)))
    }
}

private func onReadable(_ poll: UnsafeMutablePointer<uv_poll_t>?, _ status: Int32, _ events: Int32) {
    guard let poll, let data = poll.pointee.data else { return }
    var descriptor: Int32 = -1
    guard uv_fileno(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self), &descriptor) == 0
    else { return }
    Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue().report(descriptor)
}
