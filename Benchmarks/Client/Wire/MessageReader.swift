package import BenchmarkSupport

/// Splits a server's byte stream into messages; the stream may arrive in arbitrary pieces.
package struct MessageReader {
    /// The received beginning of a frame.
    private var unfinished: [UInt8] = []
    /// The opcode and the payload so far of a fragmented message.
    private var fragments: (opcode: Opcode, bytes: [UInt8])?

    /// A reader at a stream's beginning.
    package init() {}

    /// Reads received bytes and passes each whole message, and each ping, pong and close, to `deliver`.
    ///
    /// The usual case, whole frames in `chunk`, copies nothing; the bytes are valid during the call only.
    package mutating func read(
        _ chunk: UnsafeRawBufferPointer,
        deliver: (Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        if unfinished.isEmpty {
            let taken = try take(chunk, deliver)
            unfinished.append(contentsOf: chunk[taken...])
            return
        }
        // Moved out, so that the reader can be changed while the bytes are read.
        var bytes = unfinished
        unfinished = []
        bytes.append(contentsOf: chunk)
        let taken = try bytes.withUnsafeBufferPointer { whole throws(BenchmarkError) in
            try take(UnsafeRawBufferPointer(whole), deliver)
        }
        unfinished.append(contentsOf: bytes[taken...])
    }

    /// Delivers the whole frames at the front of `bytes`, and returns their length in bytes.
    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ deliver: (Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) -> Int {
        var position = 0
        while let head = try FrameHead.read(UnsafeRawBufferPointer(rebasing: bytes[position...])) {
            let start = position + head.headLength
            let end = start + head.payloadLength
            guard end <= bytes.count else {
                break
            }
            try join(head, UnsafeRawBufferPointer(rebasing: bytes[start..<end]), deliver)
            position = end
        }
        return position
    }

    /// Delivers a frame's payload at once, or with the rest of its message when that is complete.
    private mutating func join(
        _ head: FrameHead,
        _ payload: UnsafeRawBufferPointer,
        _ deliver: (Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        if head.isFinal && head.opcode != .continuation {
            try deliver(head.opcode, payload)
            return
        }
        if head.opcode != .continuation {
            fragments = (head.opcode, [])
        }
        guard var message = fragments else {
            throw BenchmarkError("a message is continued that was never begun")
        }
        message.bytes.append(contentsOf: payload)
        fragments = head.isFinal ? nil : message
        if head.isFinal {
            try message.bytes.withUnsafeBufferPointer { whole throws(BenchmarkError) in
                try deliver(message.opcode, UnsafeRawBufferPointer(whole))
            }
        }
    }
}
