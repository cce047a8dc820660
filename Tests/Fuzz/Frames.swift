import HubServer

/// Checks that the hub survives any frames behind a handshake, and answers with complete frames of its own.
func fuzzFrames(_ bytes: [UInt8]) {
    // What is well framed is ended by a close, what is not by the hub.
    let answer = HubPeer.answer(to: bytes + [0x88, 0x80, 1, 2, 3, 4], of: HubPeer.plain, behind: handshake)
    var rest = answer[...]
    while let frame = ServerFrame(&rest) { check(frame) }
}

private func check(_ frame: ServerFrame) {
    switch frame.opcode {
    case 1: precondition(!frame.payload.contains(HubPeer.fill), "a text has an uninitialized byte")
    case 8:
        // The library sends a close of one byte back as it came (docs/toolchain-workarounds.md).
        precondition(!frame.payload.dropFirst(2).contains(HubPeer.fill), "a reason has an uninitialized byte")
    case 2, 10: break  // a client's own bytes
    case 9: precondition(frame.payload.count <= 125)
    default: preconditionFailure("the hub sends opcode \(frame.opcode)")
    }
}

private let handshake =
    "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

/// A frame from the hub (RFC 6455 section 5.2): unmasked, and complete if the hub has sent all of it.
private struct ServerFrame {
    let opcode: UInt8
    let payload: ArraySlice<UInt8>

    /// Parses the first frame and removes it from the bytes; nil: it is incomplete.
    init?(_ bytes: inout ArraySlice<UInt8>) {
        var rest = bytes
        guard let first = rest.popFirst(), let second = rest.popFirst() else { return nil }
        precondition(first & 0x70 == 0 && second & 0x80 == 0, "the hub sends reserved bits, or a mask")
        let extra = second == 126 ? 2 : second == 127 ? 8 : 0
        guard rest.count >= extra else { return nil }
        let count = extra == 0 ? UInt64(second) : rest.prefix(extra).reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(extra)
        guard let count = Int(exactly: count), rest.count >= count else { return nil }
        opcode = first & 0x0F
        payload = rest.prefix(count)
        bytes = rest.dropFirst(count)
    }
}
