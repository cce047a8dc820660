/// A text message queued for a socket, or the close frame that ends the queue; its payload follows it in memory.
package struct TextNode {
    /// The next newer one.
    var next: UnsafeMutablePointer<TextNode>?

    /// The length of the payload in bytes.
    package var count: Int

    /// The sender's number of the message; 0: none.
    var number: UInt64

    /// True for the close frame, whose payload is a status code and a reason.
    package var isClose: Bool

    private static var payloadOffset: Int { (MemoryLayout<TextNode>.stride + LWSSocket.headRoom + 15) & ~15 }

    /// Creates a node in memory of its own, which `deallocate()` of its pointer frees.
    ///
    /// - Parameters:
    ///   - bytes: The payload; copied.
    ///   - number: The sender's number of the message; 0: none.
    ///   - isClose: True for the close frame.
    /// - Returns: The node, in no list yet.
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

    /// Finds the payload of a node, with head room in front.
    ///
    /// - Parameter node: A node from `make`.
    /// - Returns: The address of the payload's first byte.
    package static func payload(of node: UnsafeMutablePointer<TextNode>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(node) + payloadOffset
    }
}
