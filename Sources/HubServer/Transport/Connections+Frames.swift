import CLibWebSockets
import Glibc

/// Binary frames built by the hub rather than by libwebsockets, so that several packets can be one write.
extension Connections {
    /// The maximum length in bytes of the head of a frame below 64 KB (RFC 6455 section 5.2; a server does not mask).
    static let longestHead = 4

    /// Computes the length of a frame's head.
    ///
    /// - Parameter count: The length of the payload in bytes, at most 65,535.
    /// - Returns: The length of the head in bytes, 2 or 4.
    @inline(__always)
    func headLength(of count: Int) -> Int { count < 126 ? 2 : Self.longestHead }

    /// Writes a frame's head right in front of its payload, which makes it a whole binary message.
    ///
    /// - Parameters:
    ///   - count: The length of the payload in bytes, at most 65,535.
    ///   - payload: The first byte of the payload; the bytes in front of it are writable.
    /// - Returns: The length of the head in bytes, 2 or 4.
    @inline(__always)
    func frameHead(of count: Int, endingAt payload: UnsafeMutableRawPointer) -> Int {
        guard count >= 126 else {
            (payload - 2).storeBytes(of: 0x82, as: UInt8.self)
            (payload - 1).storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
            return 2
        }
        (payload - 4).storeBytes(of: 0x82, as: UInt8.self)
        (payload - 3).storeBytes(of: 126, as: UInt8.self)
        (payload - 2).storeBytes(of: UInt8(truncatingIfNeeded: count >> 8), as: UInt8.self)
        (payload - 1).storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
        return 4
    }

    /// Writes whole frames, directly to the socket if the hub also reads it, else through libwebsockets.
    ///
    /// libwebsockets writes nothing by itself to a connection that the hub reads, so it holds bytes only while the
    /// connection is blocked. Bytes that the kernel does not accept are passed to libwebsockets, which keeps them as
    /// for any other write (``write(_:_:_:to:)``) and also detects an error of the socket. The write protocol is
    /// HTTP's, with which it writes bytes unchanged even on a WebSocket (`rops_write_role_protocol_ws`).
    ///
    /// - Parameters:
    ///   - frames: The heads and payloads.
    ///   - count: The number of bytes.
    ///   - state: A connection that is open and not blocked.
    @inline(__always)
    func writeRaw(_ frames: UnsafeMutableRawPointer, _ count: Int, to state: UnsafeMutablePointer<ConnectionState>) {
        counters.pointee.audioWrites &+= 1
        guard state.pointee.flags.contains(.readHere) else {
            return write(frames, count, hub_lws_write_http, to: state)
        }
        let taken = send(state.pointee.descriptor, frames, count, Int32(MSG_NOSIGNAL))
        guard taken != count else { return }
        write(frames + max(taken, 0), count - max(taken, 0), hub_lws_write_http, to: state)
    }
}
