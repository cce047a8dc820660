import CUV
import Glibc

/// A socket of a trusted proxy whose request head has not been received completely.
///
/// It is given to the library only if the library will parse that head as the proxy does; until then nothing is
/// removed from the socket.
final class ProxiedSocket {
    /// The maximum length of a head in bytes, which is the library's.
    static let longestHead = Int(LWSContext.headerBytes)

    /// The socket.
    let descriptor: Int32

    /// Its number among the loop's sockets.
    let number: UInt

    /// The verdict on a socket.
    enum Verdict {
        /// The head is complete, and the library parses it as the proxy does.
        case valid
        /// The head is to be refused by this response, unparsed.
        case refused(HTTPResponse)
        /// The proxy has closed the connection.
        case ended
    }

    private let decided: (ProxiedSocket, Verdict) -> Void
    private let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    private var received = 0

    /// Watches a socket until its head is complete; nil if the loop cannot.
    ///
    /// - Parameters:
    ///   - descriptor: The socket, just accepted.
    ///   - number: Its number among the loop's sockets.
    ///   - uv: The libuv loop.
    ///   - decided: Called once with the verdict; its receiver keeps this object until then.
    init?(
        _ descriptor: Int32,
        number: UInt,
        on uv: UnsafeMutablePointer<uv_loop_t>,
        decided: @escaping (ProxiedSocket, Verdict) -> Void
    ) {
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

    /// Checks the bytes received so far, and leaves them in the socket.
    fileprivate func checkHead() {
        let (count, state) = withUnsafeTemporaryAllocation(byteCount: Self.longestHead, alignment: 16) { memory in
            let count = hub_uv_peek(descriptor, memory.baseAddress, memory.count)
            guard count > 0 else { return (count, RequestHead.State.incomplete) }
            return (count, RequestHead.state(of: UnsafeRawBufferPointer(rebasing: memory[..<count])))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // No more than last time although more was waited for: the peer has closed.
        guard count > received else { return decided(self, .ended) }
        received = count
        switch state {
        case .valid: decided(self, .valid)
        case .invalid(let sentence): decided(self, .refused(.text(400, sentence)))
        case .incomplete where count == Self.longestHead:
            decided(self, .refused(.text(431, "A request has at most \(Self.longestHead) bytes of headers.")))
        case .incomplete:
            // Otherwise the loop would be notified of the same bytes again and again.
            Listener.set(descriptor, SOL_SOCKET, SO_RCVLOWAT, Int32(clamping: count + 1))
        }
    }
}

private func onReadable(_ poll: UnsafeMutablePointer<uv_poll_t>?, _ status: Int32, _ events: Int32) {
    guard let data = poll?.pointee.data else { return }
    Unmanaged<ProxiedSocket>.fromOpaque(data).takeUnretainedValue().checkHead()
}
