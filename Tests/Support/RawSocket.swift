import Glibc

/// The errors of a raw socket.
public enum RawSocketError: Error, Equatable {
    /// The connection could not be made; the code is the system's errno.
    case connectFailed(code: Int32)

    /// Nothing was received, or nothing could be sent, in time.
    case timedOut

    /// The peer closed its side.
    case ended

    /// The peer reset the connection.
    case reset

    /// The response is not HTTP, or not the expected one.
    case unexpectedReply(String)
}

/// A TCP connection that sends any bytes, wrong ones too; every wait has a timeout.
///
/// One thread at a time.
public final class RawSocket {
    /// The socket, or -1 when closed.
    public private(set) var descriptor: Int32

    /// Bytes that were read from the socket and not used yet.
    private var pending: [UInt8] = []
    private var used = 0

    /// The TLS session on the connection; nil: bytes go as they are.
    private var session: TLSSession?

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - host: The numeric address of the server.
    ///   - port: The TCP port of the server.
    ///   - receiveBufferBytes: SO_RCVBUF, set before the connect so that the window is small from the beginning.
    /// - Throws: ``RawSocketError/connectFailed(code:)`` with the system's errno.
    public init(host: String = "127.0.0.1", port: Int, receiveBufferBytes: Int? = nil) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let info = list?.pointee else {
            throw RawSocketError.connectFailed(code: EINVAL)
        }
        defer { freeaddrinfo(list) }
        descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw RawSocketError.connectFailed(code: errno) }
        if let receiveBufferBytes { set(SOL_SOCKET, SO_RCVBUF, Int32(clamping: receiveBufferBytes)) }
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        guard Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            descriptor = -1
            throw RawSocketError.connectFailed(code: code)
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close()
    }

    /// Begins TLS on the connection: what is sent and read from now on is encrypted.
    ///
    /// The handshake takes place with the first bytes sent. Each send is a record, or more if it exceeds 16 KB.
    ///
    /// - Throws: ``RawSocketError/reset`` if OpenSSL refuses.
    public func startTLS() throws {
        guard let session = TLSSession(on: descriptor) else { throw RawSocketError.reset }
        self.session = session
    }

    /// Sends all bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, sent as they are.
    ///   - timeout: The longest time to wait, in seconds.
    /// - Throws: ``RawSocketError/timedOut``, or ``RawSocketError/reset`` if the connection is gone.
    public func send(_ bytes: [UInt8], timeout: Double = 20) throws {
        let deadline = Deadline(seconds: timeout)
        var sent = 0
        while sent < bytes.count {
            let transfer = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                return session?.send(rest) ?? sendPlain(rest)
            }
            switch transfer {
            case .done(let count): sent += count
            case .blocked(let events): try wait(for: events, until: deadline)
            case .ended, .reset: throw RawSocketError.reset
            }
        }
    }

    /// Sends text as UTF-8.
    ///
    /// - Parameter text: The text, sent as it is.
    /// - Throws: ``RawSocketError/timedOut`` after 5 s, or ``RawSocketError/reset`` if the connection is gone.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Reads exactly that many bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, 0 or more.
    ///   - timeout: The longest time to wait, in seconds.
    /// - Returns: The bytes that were read.
    /// - Throws: ``RawSocketError/timedOut``, ``RawSocketError/ended`` or ``RawSocketError/reset``; bytes received by
    ///   then stay readable.
    public func read(_ count: Int, timeout: Double = 20) throws -> [UInt8] {
        let deadline = Deadline(seconds: timeout)
        while pending.count - used < count { try fill(until: deadline) }
        defer { use(count) }
        return Array(pending[used..<used + count])
    }

    /// Reads up to and including an ending.
    ///
    /// - Parameters:
    ///   - ending: The ending, at least one byte.
    ///   - timeout: The longest time to wait, in seconds.
    /// - Returns: The bytes, with the ending.
    /// - Throws: ``RawSocketError/timedOut``, ``RawSocketError/ended`` or ``RawSocketError/reset``.
    public func read(through ending: [UInt8], timeout: Double = 20) throws -> [UInt8] {
        let deadline = Deadline(seconds: timeout)
        while true {
            if let range = pending[used...].firstRange(of: ending) {
                defer { use(range.upperBound - used) }
                return Array(pending[used..<range.upperBound])
            }
            try fill(until: deadline)
        }
    }

    /// Waits for the end of the connection, and discards the bytes before it.
    ///
    /// - Parameter timeout: The longest time to wait, in seconds.
    /// - Returns: ``RawSocketError/ended`` or ``RawSocketError/reset``.
    /// - Throws: ``RawSocketError/timedOut`` if the connection does not end in time.
    public func waitForEnd(timeout: Double = 20) throws -> RawSocketError {
        let deadline = Deadline(seconds: timeout)
        while true {
            use(pending.count - used)
            do { try fill(until: deadline) } catch let error as RawSocketError {
                guard error == .timedOut else { return error }
                throw error
            }
        }
    }

    /// Indicates that bytes, or the end, can be read without waiting.
    public var isReadable: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return pending.count > used || session?.hasPending == true || Glibc.poll(&poll, 1, 0) > 0
    }

    /// Closes the sending side: the peer receives the end, and can still send.
    public func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection with a reset.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Closes the socket.
    public func close() {
        guard descriptor >= 0 else { return }
        session = nil
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func use(_ count: Int) {
        used += count
        guard used == pending.count || used > 1 << 16 else { return }
        pending.removeFirst(used)
        used = 0
    }

    private func fill(until deadline: Deadline) throws {
        while true {
            let transfer = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                let transfer = session?.receive(into: buffer) ?? receivePlain(into: buffer)
                if case .done(let count) = transfer { pending += UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
                return transfer
            }
            switch transfer {
            case .done: return
            case .blocked(let events): try wait(for: events, until: deadline)
            case .ended: throw RawSocketError.ended
            case .reset: throw RawSocketError.reset
            }
        }
    }

    private func sendPlain(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count > 0 { return .done(count) }
            if errno == EAGAIN { return .blocked(POLLOUT) }
            guard errno == EINTR else { return .reset }
        }
    }

    private func receivePlain(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .done(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN { return .blocked(POLLIN) }
            guard errno == EINTR else { return .reset }
        }
    }

    private func wait(for events: Int32, until deadline: Deadline) throws {
        var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let milliseconds = deadline.millisecondsLeft
        guard milliseconds > 0, Glibc.poll(&poll, 1, milliseconds) != 0 else { throw RawSocketError.timedOut }
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// The result of an attempt to send or receive bytes without waiting.
enum Transfer {
    /// The number of bytes sent or received, 1 or more.
    case done(Int)
    /// Nothing was transferred; the poll events to wait for.
    case blocked(Int32)
    /// The peer has closed its side.
    case ended
    /// The connection is gone.
    case reset
}

/// A point in time on the monotonic clock at which a wait ends.
public struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// A deadline that many seconds from now.
    ///
    /// - Parameter seconds: The time from now, 0 or more.
    public init(seconds: Double) {
        end = .now + .seconds(seconds)
    }

    /// Milliseconds left, rounded up; 0 when it is over.
    public var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: end)
        let (seconds, attoseconds) = left.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Indicates that the deadline has passed.
    public var isOver: Bool { millisecondsLeft == 0 }
}
