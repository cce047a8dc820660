import CLibWebSockets
import Glibc

/// A WebSocket connection of libwebsockets, by the library's public functions alone.
///
/// A trivial view of the library's object, valid until the library reports that the connection is closed. Plain and
/// TLS connections are read and written by the same functions.
package struct LWSSocket: Equatable {
    /// The writable bytes that `write` needs in front of a payload (`LWS_PRE`).
    static let headRoom = hub_lws_pre

    /// The form of the bytes given to `write`.
    enum Content {
        /// The payload of a text message, for which the library makes the frame.
        case text
        /// The payload of a ping.
        case ping
        /// Whole frames, which are sent as they are.
        case frames
    }

    private let wsi: OpaquePointer

    /// Makes the view of a connection.
    ///
    /// - Parameter wsi: The library's object of the connection.
    init(_ wsi: OpaquePointer) {
        self.wsi = wsi
    }

    /// True if the connection is encrypted.
    var isTLS: Bool { lws_is_ssl(wsi) != 0 }

    /// The socket's descriptor, whose options may be read and set.
    var descriptor: Int32 { lws_get_socket_fd(wsi) }

    /// True while the library holds bytes that the kernel has not accepted: nothing may be written until it reports
    /// that the socket is writable.
    @inline(__always)
    var hasBufferedOutput: Bool { lws_partial_buffered(wsi) != 0 }

    /// Writes bytes at once; the library keeps those that the kernel does not accept.
    ///
    /// - Parameters:
    ///   - bytes: The first byte; the ``headRoom`` bytes in front of it are writable and may be overwritten.
    ///   - count: The number of bytes.
    ///   - content: The form of the bytes.
    /// - Returns: False if the connection is broken.
    @inline(__always)
    func write(_ bytes: UnsafeMutableRawPointer, _ count: Int, _ content: Content) -> Bool {
        let form =
            switch content {
            case .text: LWS_WRITE_TEXT
            case .ping: LWS_WRITE_PING
            case .frames: hub_lws_write_raw
            }
        return lws_write(wsi, bytes.assumingMemoryBound(to: UInt8.self), count, form) >= 0
    }

    /// Requests a report once the socket is writable.
    func requestWritable() {
        lws_callback_on_writable(wsi)
    }

    /// Pauses or resumes reading; input stays in the kernel meanwhile.
    ///
    /// - Parameter isReading: True to resume. False must not be given while bytes of this connection are being reported
    ///   and it is encrypted: where OpenSSL still holds a part of a record, libwebsockets 4.1.6 never returns from
    ///   `rops_handle_POLLIN_ws`.
    func setReading(_ isReading: Bool) {
        lws_rx_flow_control(wsi, isReading ? 1 : 0)
    }

    /// Closes the socket with a reset, in the next iteration of the loop; safe inside any callback.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        lws_set_timeout(wsi, hub_lws_kill_reason, LWS_TO_KILL_ASYNC)
        // The timer above is checked only after an event; this causes one.
        lws_cancel_service(lws_get_context(wsi))
    }
}

/// The position of received bytes in their message.
struct LWSFragment {
    /// True if the message begins with these bytes.
    let isFirst: Bool
    /// True if the message ends with these bytes.
    let isLast: Bool
    /// True for a text message, false for a binary one.
    let isText: Bool
    private let wsi: OpaquePointer

    /// Reads the position during the report of received bytes.
    ///
    /// - Parameter wsi: The library's object of the connection.
    @inline(__always)
    init(_ wsi: OpaquePointer) {
        self.wsi = wsi
        isFirst = lws_is_first_fragment(wsi) != 0
        isLast = lws_is_final_fragment(wsi) != 0
        isText = lws_frame_is_binary(wsi) == 0
    }

    /// The bytes of the frame that are still to come, as its head announces: any number up to 2^63 - 1.
    var announced: Int { Int(clamping: lws_remaining_packet_payload(wsi)) }
}

/// The slot number that the library keeps for each WebSocket connection, so that C owns no Swift object.
struct LWSSession {
    /// The memory in bytes that the library is to reserve for each connection; it is zero at first.
    static let byteCount = MemoryLayout<UInt32>.size

    private let memory: UnsafeMutableRawPointer?

    /// Makes the view of a connection's memory.
    ///
    /// - Parameter memory: The memory that the library passes to callbacks; nil: none.
    @inline(__always)
    init(_ memory: UnsafeMutableRawPointer?) {
        self.memory = memory
    }

    /// The slot of the connection; nil: none was stored.
    @inline(__always)
    var slot: Int? {
        get {
            guard let number = memory?.load(as: UInt32.self), number > 0 else { return nil }
            return Int(number &- 1)
        }
        nonmutating set {
            memory?.storeBytes(of: newValue.map { UInt32(truncatingIfNeeded: $0) &+ 1 } ?? 0, as: UInt32.self)
        }
    }
}
