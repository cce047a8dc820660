/// A text message for a socket, or the close frame that ends the queue, with its payload in memory of its own.
///
/// Owns the memory, and frees it at its end; a text in a connection's queue belongs to the queue.
package struct QueuedText: ~Copyable {
    /// The beginning of the memory, which links the texts of a queue; the payload follows it.
    struct Node {
        /// The next newer text in the queue.
        var next: UnsafeMutablePointer<Node>?

        /// The length of the payload in bytes.
        let count: Int

        /// The sender's number of the message; 0: none.
        let number: UInt64

        /// True for the close frame.
        let isClose: Bool
    }

    private let node: UnsafeMutablePointer<Node>

    /// Creates a text that is in no queue.
    ///
    /// - Parameters:
    ///   - bytes: The payload; copied.
    ///   - number: The sender's number of the message; 0: none.
    ///   - isClose: True for the close frame.
    init(_ bytes: UnsafeRawBufferPointer, number: UInt64 = 0, isClose: Bool = false) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.payloadOffset + bytes.count, alignment: 16)
        node = memory.bindMemory(to: Node.self, capacity: 1)
        node.initialize(to: Node(next: nil, count: bytes.count, number: number, isClose: isClose))
        if let source = bytes.baseAddress, bytes.count > 0 {
            payload.copyMemory(from: source, byteCount: bytes.count)
        }
    }

    /// Takes over the memory of a text that has been unlinked from its queue.
    ///
    /// - Parameter node: A node from ``intoQueue()``.
    init(unlinked node: UnsafeMutablePointer<Node>) {
        self.node = node
    }

    deinit {
        node.deallocate()
    }

    /// Passes the memory to a queue, which creates the text again when it unlinks the node.
    consuming func intoQueue() -> UnsafeMutablePointer<Node> {
        let node = self.node
        discard self
        return node
    }

    /// The first byte of the payload, with ``LWSSocket/headRoom`` in front; valid as long as the text.
    var payload: UnsafeMutableRawPointer { UnsafeMutableRawPointer(node) + Self.payloadOffset }

    /// The length of the payload in bytes.
    var count: Int { node.pointee.count }

    /// The sender's number of the message; 0: none.
    var number: UInt64 { node.pointee.number }

    /// True for the close frame, whose payload is a status code and a reason.
    package var isClose: Bool { node.pointee.isClose }

    /// A copy of the payload.
    package var bytes: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: payload, count: count)) }

    private static var payloadOffset: Int { (MemoryLayout<Node>.stride + LWSSocket.headRoom + 15) & ~15 }
}
