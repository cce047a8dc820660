/// The head of a client's frame (RFC 6455 section 5.2).
struct FrameHead {
    /// The result of parsing a frame's head.
    enum Look {
        /// A whole head.
        case head(FrameHead)
        /// The beginning of a head.
        case incomplete
        /// A head that a client may not send.
        case broken(FrameFault)
    }

    /// The maximum length of a head in bytes.
    static let longest = 14

    /// The frame's type.
    var opcode: Opcode
    /// True for the last frame of a message (FIN).
    var isFinal: Bool
    /// The length of the payload in bytes.
    var count: Int
    /// The masking key, twice, in memory order.
    var mask: UInt64
    /// The length of the head in bytes.
    var length: Int

    /// The type of a frame.
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        /// True for a control frame, which may be between the fragments of a message.
        var isControl: Bool { rawValue & 8 != 0 }
    }

    /// Parses a frame's head; reports a fault as soon as it can be detected.
    ///
    /// - Parameters:
    ///   - bytes: The first byte of the head.
    ///   - available: The number of bytes available, at least 1.
    /// - Returns: The head, a fault, or that more bytes are needed.
    @inline(__always)
    static func look(at bytes: UnsafeRawPointer, available: Int) -> Look {
        let first = bytes.load(as: UInt8.self)
        guard first & 0x70 == 0 else { return .broken(.reservedBits) }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { return .broken(.opcode) }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { return .broken(.controlInPieces) }
        guard available >= 2 else { return .incomplete }
        let second = bytes.load(fromByteOffset: 1, as: UInt8.self)
        guard second & 0x80 != 0 else { return .broken(.unmasked) }
        var count = Int(second & 0x7F)
        var length = 6
        if count >= 126 {
            guard !opcode.isControl else { return .broken(.longControl) }
            length = count == 126 ? 8 : longest
            guard available >= length else { return .incomplete }
            if count == 126 {
                count = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            } else {
                let announced = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
                guard let known = Int(exactly: announced) else { return .broken(.length) }
                count = known
            }
        }
        guard available >= length else { return .incomplete }
        let mask = UInt64(bytes.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
        return .head(
            FrameHead(opcode: opcode, isFinal: isFinal, count: count, mask: mask | mask << 32, length: length)
        )
    }
}

/// A violation of RFC 6455 by a frame.
enum FrameFault: UInt8 {
    case reservedBits
    case opcode
    case controlInPieces
    case longControl
    case unmasked
    case length
    case continuation
    case interrupted

    /// The reason sent to the peer in the close frame.
    var reason: String {
        switch self {
        case .reservedBits: "A frame has no reserved bits: there are no extensions."
        case .opcode: "A frame is text, binary, a continuation, close, ping or pong."
        case .controlInPieces: "A close, ping or pong is one frame."
        case .longControl: "A close, ping or pong has at most 125 bytes."
        case .unmasked: "A client masks its frames."
        case .length: "A frame has less than 2^63 bytes."
        case .continuation: "A continuation continues a message."
        case .interrupted: "A message ends before the next one begins."
        }
    }
}

/// The progress in reading a connection's frames.
struct FrameProgress {
    /// The type of the current frame; meaningful while some of it is still to come.
    var opcode = FrameHead.Opcode.continuation
    /// True if the current frame is the last one of its message (FIN); meaningful like ``opcode``.
    var isFinal = true
    /// True while nothing of the current message was processed yet.
    var isFirst = false
    /// The type of the current message: text, binary, or a continuation if there is none.
    var message = FrameHead.Opcode.continuation
    /// The payload bytes received of the current control frame.
    var controlCount: UInt8 = 0
    /// The payload bytes of the ping to be answered plus one; 0: none.
    var pongCount: UInt8 = 0
    /// True while the frame's head was read and some of its payload is still to come.
    var isInside = false
    /// The payload bytes still to come.
    var remaining = 0
    /// The masking key, rotated to the next byte of the payload.
    var mask: UInt64 = 0
}

/// Unmasks a payload in place.
///
/// - Parameters:
///   - payload: The first byte of the payload.
///   - count: The number of bytes.
///   - mask: The masking key, twice; rotated to the byte behind the payload.
@inline(__always)
func unmask(_ payload: UnsafeMutableRawPointer, count: Int, with mask: inout UInt64) {
    var place = 0
    while place &+ 8 <= count {
        let word = payload.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        payload.storeBytes(of: word ^ mask, toByteOffset: place, as: UInt64.self)
        place &+= 8
    }
    while place < count {
        let byte = payload.load(fromByteOffset: place, as: UInt8.self)
        payload.storeBytes(of: byte ^ UInt8(truncatingIfNeeded: mask), toByteOffset: place, as: UInt8.self)
        mask = mask >> 8 | mask << 56
        place &+= 1
    }
}
