package import BenchmarkSupport

/// The kind of a frame (RFC 6455, 5.2).
package enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
}

/// The header of a frame from a server: its opcode, and the position and length of its payload.
package struct FrameHead: Equatable {
    package var opcode: Opcode
    package var isFinal: Bool
    /// The number of bytes in front of the payload.
    package var headLength: Int
    package var payloadLength: Int

    /// Reads the header at the front of `bytes`, which may hold no more than a part of a frame.
    ///
    /// - Returns: The header; nil if it is not complete yet.
    /// - Throws: `BenchmarkError` for a frame that no server may send: masked, with a reserved bit or opcode, or with a
    ///   payload of 2^31 bytes or more.
    package static func read(_ bytes: UnsafeRawBufferPointer) throws(BenchmarkError) -> FrameHead? {
        guard bytes.count >= 2 else {
            return nil
        }
        guard bytes[0] & 0x70 == 0, bytes[1] & 0x80 == 0, let opcode = Opcode(rawValue: bytes[0] & 0x0f) else {
            throw BenchmarkError("a frame begins \(bytes[0]), \(bytes[1]); a server may not send that")
        }
        let short = Int(bytes[1])
        let extra = short == 127 ? 8 : short == 126 ? 2 : 0
        guard bytes.count >= 2 + extra else {
            return nil
        }
        let length = bytes[2..<(2 + extra)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length < 1 << 31 else {
            throw BenchmarkError("a frame announces \(length) bytes")
        }
        return FrameHead(
            opcode: opcode,
            isFinal: bytes[0] & 0x80 != 0,
            headLength: 2 + extra,
            payloadLength: extra == 0 ? short : Int(length)
        )
    }
}

/// Frames as a client sends them: final and masked.
package enum ClientFrame {
    /// The masking key of every frame.
    ///
    /// Not zero, so that the program under test has to unmask as it would for a browser; constant, so that the
    /// generator need not mask again what does not change.
    package static let mask: (UInt8, UInt8, UInt8, UInt8) = (0x5a, 0xc3, 0x1e, 0x96)

    /// The key's byte for the payload byte at `offset`.
    @inline(__always)
    package static func maskByte(at offset: Int) -> UInt8 {
        switch offset & 3 {
        case 0: mask.0
        case 1: mask.1
        case 2: mask.2
        default: mask.3
        }
    }

    /// The number of bytes in front of a payload of `payloadLength` bytes, the masking key included.
    package static func headLength(payloadLength: Int) -> Int {
        (payloadLength < 126 ? 2 : payloadLength < 65_536 ? 4 : 10) + 4
    }

    /// Returns a whole frame with `payload` in it.
    package static func encode(_ opcode: Opcode, _ payload: some Collection<UInt8>) -> [UInt8] {
        let length = payload.count
        var bytes: [UInt8] = [0x80 | opcode.rawValue]
        bytes.reserveCapacity(headLength(payloadLength: length) + length)
        switch length {
        case ..<126:
            bytes.append(0x80 | UInt8(length))
        case ..<65_536:
            bytes.append(0x80 | 126)
            bytes += withUnsafeBytes(of: UInt16(length).bigEndian, Array.init)
        default:
            bytes.append(0x80 | 127)
            bytes += withUnsafeBytes(of: UInt64(length).bigEndian, Array.init)
        }
        bytes += [mask.0, mask.1, mask.2, mask.3]
        for (offset, byte) in payload.enumerated() {
            bytes.append(byte ^ maskByte(at: offset))
        }
        return bytes
    }
}
