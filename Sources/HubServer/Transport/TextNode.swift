import CLibWebSockets

/// A control message that waits for a socket, or the close that ends the queue; its bytes follow it in memory.
struct TextNode {
    /// The next newer one.
    var next: UnsafeMutablePointer<TextNode>?

    /// Payload bytes.
    var count: Int

    /// The sender's number of the message; 0: it has none.
    var number: UInt64

    /// Not a message but the close frame; its payload is code and reason.
    var isClose: Bool

    private static var payloadOffset: Int { (MemoryLayout<TextNode>.stride + hub_lws_pre + 15) & ~15 }

    /// A node in memory of its own, which `deallocate()` of its pointer frees.
    ///
    /// - Parameters:
    ///   - bytes: The payload; copied.
    ///   - number: The sender's own.
    ///   - isClose: Whether it is the close frame.
    /// - Returns: The node, tied to nothing.
    static func make(
        _ bytes: UnsafeRawBufferPointer,
        number: UInt64 = 0,
        isClose: Bool = false
    ) -> UnsafeMutablePointer<TextNode> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: payloadOffset + bytes.count, alignment: 16)
        let node = memory.bindMemory(to: TextNode.self, capacity: 1)
        node.initialize(to: TextNode(next: nil, count: bytes.count, number: number, isClose: isClose))
        if let source = bytes.baseAddress, bytes.count > 0 {
            (memory + payloadOffset).copyMemory(from: source, byteCount: bytes.count)
        }
        return node
    }

    /// Where the payload of a node begins, with head room in front.
    ///
    /// - Parameter node: One that `make` gave.
    /// - Returns: The address.
    static func payload(of node: UnsafeMutablePointer<TextNode>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(node) + payloadOffset
    }
}
