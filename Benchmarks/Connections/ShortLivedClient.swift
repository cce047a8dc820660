import BenchmarkClient
import BenchmarkSupport

/// A client that connects, signs in, and leaves as the protocol defines.
final class ShortLivedClient {
    private let stream: ByteStream
    private var reader = MessageReader()
    private let buffer: UnsafeMutableRawBufferPointer

    /// Connects and requests to sign in; received bytes go through `buffer`.
    init(
        to address: ListeningAddress,
        tls: TLSClient?,
        number: Int,
        buffer: UnsafeMutableRawBufferPointer
    ) throws(BenchmarkError) {
        stream = try ByteStream(to: address, tls: tls, from: source(number))
        self.buffer = buffer
        try OpeningHandshake.open(stream, path: "/v1", subprotocol: "callhub.v1")
        try send(.text, Request.open(account: "visitor\(number)").utf8)
    }

    /// Waits for the response to the sign-in, and requests to close the session.
    func signInAndLeave() throws(BenchmarkError) {
        try wait { $0 == .text && $1.kind == .signedIn }
        try send(.text, Request.close.utf8)
    }

    /// Waits for the server's close frame and answers it.
    func closeConnection() throws(BenchmarkError) {
        try wait { opcode, _ in opcode == .close }
        try send(.close, [0x03, 0xe8])
        stream.abort()
    }

    private func send(_ opcode: Opcode, _ payload: some Collection<UInt8>) throws(BenchmarkError) {
        let frame = ClientFrame.encode(opcode, payload)
        guard try stream.send(frame) == frame.count else {
            throw BenchmarkError("the hub does not read its messages")
        }
    }

    /// Reads until a message satisfies the condition.
    private func wait(until isAwaited: (Opcode, ScannedMessage) -> Bool) throws(BenchmarkError) {
        var isThere = false
        while !isThere {
            let length = try stream.receive(into: buffer)
            guard length > 0 else {
                throw BenchmarkError("the hub did not answer for ten seconds")
            }
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[0..<length])
            try reader.read(chunk) { opcode, payload throws(BenchmarkError) in
                let message = ScannedMessage(payload)
                guard opcode != .text || message.kind != .refused else {
                    throw BenchmarkError("the hub refused a visitor: \(message.text)")
                }
                isThere = isThere || isAwaited(opcode, message)
            }
        }
    }
}
