import CLibWebSockets

/// A control message that waits for a socket, or the close that ends the queue; its bytes follow it in memory.
struct TextNode {
    /// The next newer one.
    var next: UnsafeMutablePointer<TextNode>?

    /// Payload bytes.
    var count: Int

    /// 0 for a message; else this is the close frame with that code, and its payload is the reason.
    var closeCode: UInt16

    private static var payloadOffset: Int { (MemoryLayout<TextNode>.stride + hub_lws_pre + 15) & ~15 }

    /// A node in memory of its own, which `deallocate()` of its pointer frees.
    ///
    /// - Parameters:
    ///   - bytes: The payload; copied.
    ///   - closeCode: 0 for a message.
    /// - Returns: The node, tied to nothing.
    static func make(_ bytes: UnsafeRawBufferPointer, closeCode: UInt16 = 0) -> UnsafeMutablePointer<TextNode> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: payloadOffset + bytes.count, alignment: 16)
        let node = memory.bindMemory(to: TextNode.self, capacity: 1)
        node.initialize(to: TextNode(next: nil, count: bytes.count, closeCode: closeCode))
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
