import CUV
import Glibc

/// A socket of a trusted proxy whose first bytes have not been received completely: the PROXY protocol's header, or
/// the head of a request.
///
/// It is given to the library only if the library will parse that head as the proxy does; until then nothing but the
/// PROXY header is removed from the socket.
final class ProxiedSocket {
    /// The first bytes of a connection.
    enum Preamble {
        /// The PROXY protocol's header; removed from the socket when it is complete.
        case proxyHeader
        /// The head of an HTTP request.
        case requestHead
    }

    /// The maximum length of a head in bytes, which is the library's, or of a PROXY header.
    static let longestHead = Int(LWSContext.headerBytes)

    /// The socket.
    let descriptor: Int32

    /// Its number among the loop's sockets.
    let number: UInt

    /// The verdict on a socket.
    enum Verdict {
        /// The PROXY header was received and removed.
        case announced(ProxyHeader)
        /// The head is complete, and the library parses it as the proxy does.
        case valid
        /// The head is to be refused by this response, unparsed.
        case refused(HTTPResponse)
        /// The connection does not begin with a PROXY header.
        case unannounced
        /// The proxy has closed the connection.
        case ended
    }

    private let preamble: Preamble
    private let decided: (ProxiedSocket, Verdict) -> Void
    private let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    private var received = 0

    /// Watches a socket until its first bytes are complete; nil if the loop cannot.
    ///
    /// - Parameters:
    ///   - preamble: The bytes to expect.
    ///   - descriptor: The socket, of which nothing but a PROXY header was read.
    ///   - number: Its number among the loop's sockets.
    ///   - uv: The libuv loop.
    ///   - decided: Called once with the verdict; its receiver keeps this object until then.
    init?(
        expecting preamble: Preamble,
        of descriptor: Int32,
        number: UInt,
        on uv: UnsafeMutablePointer<uv_loop_t>,
        decided: @escaping (ProxiedSocket, Verdict) -> Void
    ) {
        self.preamble = preamble
        self.descriptor = descriptor
        self.number = number
        self.decided = decided
        guard uv_poll_init_socket(uv, poll, descriptor) == 0 else {
            poll.deallocate()
            return nil
        }
        poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        uv_poll_start(poll, Int32(UV_READABLE.rawValue), onReadable)
    }

    /// Stops watching; the socket stays open.
    func stopWatching() {
        Listener.set(descriptor, SOL_SOCKET, SO_RCVLOWAT, 1)
        poll.pointee.data = nil
        uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { closed in
            UnsafeMutableRawPointer(closed)?.deallocate()
        }
    }

    /// Checks the bytes received so far, and leaves them in the socket unless they are a whole PROXY header.
    fileprivate func checkReceived() {
        let (count, verdict) = withUnsafeTemporaryAllocation(byteCount: Self.longestHead, alignment: 16) { memory in
            let count = hub_uv_peek(descriptor, memory.baseAddress, memory.count)
            guard count > 0 else { return (count, Verdict?.none) }
            return (count, self.verdict(on: UnsafeRawBufferPointer(rebasing: memory[..<count])))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // No more than last time although more was waited for: the peer has closed.
        guard count > received else { return decided(self, .ended) }
        received = count
        if let verdict { return decided(self, verdict) }
        // Otherwise the loop would be notified of the same bytes again and again.
        Listener.set(descriptor, SOL_SOCKET, SO_RCVLOWAT, Int32(clamping: count + 1))
    }

    /// Reaches a verdict on the bytes received; nil: more are needed.
    private func verdict(on bytes: UnsafeRawBufferPointer) -> Verdict? {
        let isFull = bytes.count == Self.longestHead
        switch preamble {
        case .proxyHeader:
            switch ProxyHeader.state(of: bytes) {
            case .complete(let header):
                return hub_uv_discard(descriptor, header.length) ? .announced(header) : .ended
            case .invalid: return .unannounced
            case .incomplete: return isFull ? .unannounced : nil
            }
        case .requestHead:
            switch RequestHead.state(of: bytes) {
            case .valid: return .valid
            case .invalid(let sentence): return .refused(.text(400, sentence))
            case .incomplete:
                guard isFull else { return nil }
                return .refused(.text(431, "A request has at most \(Self.longestHead) bytes of headers."))
            }
        }
    }
}

private func onReadable(_ poll: UnsafeMutablePointer<uv_poll_t>?, _ status: Int32, _ events: Int32) {
    guard let data = poll?.pointee.data else { return }
    Unmanaged<ProxiedSocket>.fromOpaque(data).takeUnretainedValue().checkReceived()
}
