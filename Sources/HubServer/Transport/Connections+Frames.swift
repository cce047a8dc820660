import CLibWebSockets
import Glibc

/// The frames of binary messages, made here rather than by libwebsockets: so several packets can be one write.
extension Connections {
    /// The most bytes a frame of less than 64 KB begins with (RFC 6455 section 5.2; a server does not mask).
    static let longestHead = 4

    /// Bytes in front of a payload of that length.
    ///
    /// - Parameter count: At most 65,535.
    /// - Returns: 2 or 4.
    @inline(__always)
    func headLength(of count: Int) -> Int { count < 126 ? 2 : Self.longestHead }

    /// Writes a frame's head right in front of its payload: one whole binary message.
    ///
    /// - Parameters:
    ///   - count: Bytes of the payload, at most 65,535.
    ///   - payload: Where it begins; the bytes in front of it are writable.
    /// - Returns: The head's length.
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

    /// Writes whole frames: to the socket itself where the hub reads it, too, else through the library.
    ///
    /// Of a connection that the hub reads the library writes nothing on its own account, so that it holds bytes only while
    /// the connection is blocked. What the kernel does not take is the library's to keep, as of any other write
    /// (``write(_:_:_:to:)``); what stands in the way of the whole write it will find, too. The kind is HTTP's, by which it
    /// takes bytes as they are, also on a WebSocket (`rops_write_role_protocol_ws`).
    ///
    /// - Parameters:
    ///   - frames: Heads and payloads.
    ///   - count: Bytes.
    ///   - state: Open and not blocked.
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
