/// The heads of the frames that the hub writes itself (RFC 6455 section 5.2; a server does not mask).
///
/// Of packets, so that several of them are one write; and of close frames: the library's own way to send one, -1 from
/// its callback with a reason set, cuts the connection off instead (Debian's build closes twice then).
enum ServerFrame {
    /// A type of frame.
    enum Opcode: UInt8 {
        case binary = 0x2
        case close = 0x8
    }

    /// The maximum payload in bytes.
    static let largestPayload = 65_535

    /// The maximum length of a head in bytes.
    static let longestHead = 4

    /// Computes the length of a frame's head.
    ///
    /// - Parameter count: The length of the payload in bytes, at most ``largestPayload``.
    /// - Returns: The length of the head in bytes, 2 or 4.
    @inline(__always)
    static func headLength(of count: Int) -> Int { count < 126 ? 2 : longestHead }

    /// Writes a frame's head right in front of its payload, which makes it a whole message.
    ///
    /// - Parameters:
    ///   - opcode: The type of the frame.
    ///   - count: The length of the payload in bytes, at most ``largestPayload``.
    ///   - payload: The first byte of the payload; the bytes in front of it are writable.
    /// - Returns: The length of the head in bytes, 2 or 4.
    @inline(__always)
    static func writeHead(_ opcode: Opcode, of count: Int, endingAt payload: UnsafeMutableRawPointer) -> Int {
        let first = 0x80 | opcode.rawValue
        guard count >= 126 else {
            (payload - 2).storeBytes(of: first, as: UInt8.self)
            (payload - 1).storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
            return 2
        }
        (payload - 4).storeBytes(of: first, as: UInt8.self)
        (payload - 3).storeBytes(of: 126, as: UInt8.self)
        (payload - 2).storeBytes(of: UInt8(truncatingIfNeeded: count >> 8), as: UInt8.self)
        (payload - 1).storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
        return 4
    }
}
