import BenchmarkClient
import BenchmarkSupport

/// An attacker that sends invalid frames (RFC 6455), one on each connection, which the hub closes with a close code.
final class BrokenFrames: Attacker {
    private let address: ListeningAddress
    private var turn = 0
    private var waiting: [AttackSocket] = []
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress) { self.address = address }

    /// The broken frames, each sequence sent on a connection of its own.
    static let frames: [[UInt8]] = [
        // Reserved bits: RSV1 is a compressed message (RFC 7692), which was not negotiated.
        broken(.text, first: 0xC1), broken(.text, first: 0xA1), broken(.text, first: 0x91),
        // Undefined opcodes.
        broken(.text, first: 0x83), broken(.text, first: 0x8F),
        // Without a mask.
        [0x81, 0x02, 0x7B, 0x7D], [0x82, 0x04, 1, 2, 3, 4],
        // A control frame that is too long, and a fragmented one.
        ClientFrame.encode(.ping, [UInt8](repeating: 1, count: 126)), broken(.ping, first: 0x09),
        // A continuation without a beginning, and a new message in the middle of another.
        broken(.text, first: 0x80), broken(.text, first: 0x01) + broken(.text, first: 0x81),
        // Text that is not UTF-8.
        ClientFrame.encode(.text, [0xC3, 0x28, 0xFF]),
        // Longer than any message may be: 64 KiB and one byte, and 2^63 - 1 bytes.
        ClientFrame.encode(.text, [UInt8](repeating: 0x20, count: 65_537)),
        [0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
        // A close code that must not be sent (1005), and half a code.
        ClientFrame.encode(.close, [0x03, 0xED]), ClientFrame.encode(.close, [0x03]),
    ]

    private static func broken(_ opcode: Opcode, first: UInt8) -> [UInt8] {
        var frame = ClientFrame.encode(opcode, "{}".utf8)
        frame[0] = first
        return frame
    }

    func step(_ now: UInt64) {
        for _ in 0..<4 where waiting.count < 100 {
            guard let socket = AttackSocket.open(address, &tally) else { return }
            socket.send(Self.frames[turn % Self.frames.count], &tally)
            turn += 1
            waiting.append(socket)
        }
        for socket in waiting { socket.receive(&tally) }
        waiting.removeAll { !$0.isOpen }
    }
}

/// An attacker that sends messages in fragments of one byte, which RFC 6455 allows.
final class Fragments: Attacker {
    private let sockets: AttackSockets
    private var turn = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "piece") }

    /// A thousand fragments of 7 bytes, each with one byte of text.
    private static let pieces: [UInt8] = Array(
        repeatElement(fragment(first: 0x00), count: 1_000).joined()
    )

    private static func fragment(first: UInt8) -> [UInt8] {
        var frame = ClientFrame.encode(.text, " ".utf8)
        frame[0] = first
        return frame
    }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally) { socket, _, tally in socket.send(Self.fragment(first: 0x01), &tally) }
        turn += 1
        for socket in sockets.sockets {
            // Now and then the message, all blanks, ends and the next one begins.
            if turn % 60 == 0 { socket.send(Self.fragment(first: 0x80) + Self.fragment(first: 0x01), &tally) }
            socket.send(Self.pieces, &tally)
            socket.receive(&tally)
        }
    }
}
