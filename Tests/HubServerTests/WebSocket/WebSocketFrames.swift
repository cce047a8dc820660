import HubTestSupport

/// The bytes of frames, for the tables of cases.
enum Bytes {
    /// A frame of any kind.
    ///
    /// - Parameters:
    ///   - opcode: The opcode, 0 to 15.
    ///   - payload: The unmasked payload.
    ///   - isFinal: The FIN bit.
    ///   - reserved: The three RSV bits, 0 to 7.
    /// - Returns: The bytes that go on the wire.
    static func frame(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        RawWebSocket.bytes(opcode: opcode, payload, isFinal: isFinal, reserved: reserved)
    }

    /// A text message in one frame.
    static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    /// The first fragment of a text.
    static func begin(_ text: String) -> [UInt8] { frame(1, Array(text.utf8), isFinal: false) }

    /// A fragment that is not the last.
    static func middle(_ text: String) -> [UInt8] { frame(0, Array(text.utf8), isFinal: false) }

    /// The last fragment of a message.
    static func last(_ text: String) -> [UInt8] { frame(0, Array(text.utf8)) }

    /// A ping.
    static func ping(_ text: String = "") -> [UInt8] { frame(9, Array(text.utf8)) }

    /// A pong.
    static func pong(_ text: String = "") -> [UInt8] { frame(10, Array(text.utf8)) }

    /// A close frame.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason's bytes.
    /// - Returns: The bytes that go on the wire.
    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    /// A frame whose length is encoded in more bytes than needed.
    ///
    /// - Parameters:
    ///   - opcode: The opcode, 0 to 15.
    ///   - payload: The unmasked payload.
    ///   - lengthBytes: The bytes of the extended length, 2 or 8.
    /// - Returns: The bytes that go on the wire.
    static func stretched(_ opcode: UInt8, _ payload: [UInt8], lengthBytes: Int) -> [UInt8] {
        let extended = (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        return [0x80 | opcode, lengthBytes == 2 ? 0xFE : 0xFF] + extended + masked(payload, with: [1, 2, 3, 4])
    }

    /// A short frame with a given masking key.
    ///
    /// - Parameters:
    ///   - opcode: The opcode, 0 to 15.
    ///   - payload: The unmasked payload, less than 126 bytes.
    ///   - key: The four bytes of the masking key.
    /// - Returns: The bytes that go on the wire.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], key: [UInt8]) -> [UInt8] {
        [0x80 | opcode, 0x80 | UInt8(payload.count)] + masked(payload, with: key)
    }

    /// Letters, as many as needed.
    static func letters(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    }

    private static func masked(_ payload: [UInt8], with key: [UInt8]) -> [UInt8] {
        key + payload.indices.map { payload[$0] ^ key[$0 & 3] }
    }
}

extension WebSocketCase {
    /// The steps that send bytes in two segments.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - cut: The number of bytes in the first segment.
    /// - Returns: Two steps.
    static func cut(_ bytes: [UInt8], at cut: Int) -> [Step] {
        [.send(Array(bytes[..<cut])), .send(Array(bytes[cut...]))]
    }

    /// The steps that send each byte in a segment of its own.
    static func bytewise(_ bytes: [UInt8]) -> [Step] {
        bytes.map { .send([$0]) }
    }
}
