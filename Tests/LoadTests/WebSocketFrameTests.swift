import BenchmarkClient
import BenchmarkSupport
import Testing

/// The generator's own framing, against RFC 6455.
struct WebSocketFrameTests {
    /// A server's frame.
    private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count < 65_536, "the tests need no longer frames")
        let length: [UInt8] =
            payload.count < 126
            ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        return [first] + length + payload
    }

    /// Returns the messages that a reader delivers when `bytes` arrive in pieces of `size`.
    private func messages(_ bytes: [UInt8], piecesOf size: Int) throws -> [[UInt8]] {
        var reader = MessageReader()
        var messages: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            try Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes {
                try reader.read($0) { messages.append([$0.rawValue] + Array($1)) }
            }
        }
        return messages
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
    func `a client frame contains its length and is masked`(length: Int) {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = ClientFrame.encode(.binary, payload)
        let head = ClientFrame.headLength(payloadLength: length)
        #expect(bytes.count == head + length)
        #expect(bytes[0] == 0x82)
        #expect(bytes[1] & 0x80 != 0)
        let mask = bytes[(head - 4)..<head].map { $0 }
        let unmasked = bytes[head...].enumerated().map { $1 ^ mask[$0 % 4] }
        #expect(unmasked == payload)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `messages are complete however their bytes are split`(size: Int) throws {
        let long = [UInt8](repeating: 7, count: 300)
        let bytes = frame(0x82, [1, 2]) + frame(0x82, long) + frame(0x81, []) + frame(0x89, [9])
        #expect(try messages(bytes, piecesOf: size) == [[2, 1, 2], [2] + long, [1], [9, 9]])
    }

    @Test func `fragments are joined, and a ping between them is delivered first`() throws {
        let bytes = frame(0x01, [1]) + frame(0x89, []) + frame(0x00, [2]) + frame(0x80, [3])
        #expect(try messages(bytes, piecesOf: 4) == [[9], [1, 1, 2, 3]])
    }

    @Test(arguments: [[0x82, 0x81], [0xc2, 0], [0x83, 0], [0x80, 0]] as [[UInt8]])
    func `a frame that no server may send is an error`(bytes: [UInt8]) {
        #expect(throws: BenchmarkError.self) { try messages(bytes, piecesOf: 8) }
    }

    @Test func `an audio frame is the RTP packet that its receiver reads`() throws {
        var audio = AudioFrame(ssrc: 0x0102_0304)
        audio.advance(sentAt: 42)
        audio.skip()
        audio.advance(sentAt: 0x0a0b_0c0d_0e0f_1011)
        let head = ClientFrame.headLength(payloadLength: AudioFrame.packetLength)
        let packet = audio.bytes[head...].enumerated().map { $1 ^ ClientFrame.maskByte(at: $0) }
        #expect(packet.count == 92)
        // Version 2, type 111, second packet, after three frames' time, the SSRC, then a 20 ms Opus packet.
        #expect(Array(packet[..<13]) == [0x80, 111, 0, 2, 0, 0, 0x0b, 0x40, 1, 2, 3, 4, 0x78])
        let received = packet.withUnsafeBytes { ReceivedPacket.read($0) }
        #expect(received == .audio(ssrc: 0x0102_0304, sentAt: 0x0a0b_0c0d_0e0f_1011))
    }

    @Test func `reports are distinguished from audio`() {
        let report: [UInt8] = [0x81, 201, 0, 7] + [UInt8](repeating: 0, count: 28)
        #expect(report.withUnsafeBytes { ReceivedPacket.read($0) } == .report)
        #expect([1, 2, 3].withUnsafeBytes { ReceivedPacket.read($0) } == .unknown)
    }
}
