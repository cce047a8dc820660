/// What a client's frame begins with (RFC 6455 section 5.2).
struct FrameHead {
    /// What there is to say of the bytes at hand.
    enum Look {
        /// A whole head.
        case head(FrameHead)
        /// The beginning of one.
        case incomplete
        /// None that a client may send.
        case broken(FrameFault)
    }

    /// The longest head.
    static let longest = 14

    /// What the frame is.
    var opcode: Opcode
    /// Whether it ends its message.
    var isFinal: Bool
    /// Bytes of its payload.
    var count: Int
    /// The mask, twice, in the order of memory.
    var mask: UInt64
    /// Bytes of the head.
    var length: Int

    /// What a frame may be.
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        /// Whether it is about the connection, and may stand between the fragments of a message.
        var isControl: Bool { rawValue & 8 != 0 }
    }

    /// Reads a head; says that it is broken as soon as that can be seen.
    ///
    /// - Parameters:
    ///   - bytes: Where it begins.
    ///   - available: Bytes there are, at least one.
    /// - Returns: See the type.
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

/// What is wrong with a frame.
enum FrameFault: UInt8 {
    case reservedBits
    case opcode
    case controlInPieces
    case longControl
    case unmasked
    case length
    case continuation
    case interrupted

    /// For the peer.
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

/// How far the frames of a connection have been read.
struct FrameProgress {
    /// What the frame at hand is, and whether it ends its message; meaningful where something of it is still to come.
    var opcode = FrameHead.Opcode.continuation
    /// See ``opcode``.
    var isFinal = true
    /// Whether nothing of the message at hand was taken yet.
    var isFirst = false
    /// The kind of the message at hand: text, binary, or a continuation where there is none.
    var message = FrameHead.Opcode.continuation
    /// Bytes of the control frame at hand.
    var controlCount: UInt8 = 0
    /// Bytes of the ping that is to be answered.
    var pongCount: UInt8 = 0
    /// Whether the head of the frame was read, and something of its payload is still to come.
    var isInside = false
    /// Bytes of its payload still to come.
    var remaining = 0
    /// The mask, turned to where the payload goes on.
    var mask: UInt64 = 0
}

/// Takes the mask off a payload, in place.
///
/// - Parameters:
///   - payload: Its first byte.
///   - count: Bytes.
///   - mask: The mask twice; turned to where it goes on.
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
