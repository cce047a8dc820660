/// Long messages that wait for an iteration of the loop each, so that audio is relayed between two of them.
///
/// Parsing 64 KB of JSON takes a third of a millisecond; many at once would delay audio. Short messages of a
/// connection that has one queued wait behind it, so that its messages stay in order.
struct LongTextQueue {
    /// A message of a connection.
    typealias Text = (connection: ConnectionID, bytes: [UInt8])

    /// The length in bytes from which on a message waits.
    ///
    /// More: fewer messages wait for the next iteration; audio may wait longer for one.
    static let minimumBytes = 16_384

    /// The bytes from which on queued messages are handled without waiting.
    ///
    /// More: a longer burst does not disturb audio; more memory for it.
    private static let maximumBytes = 8 << 20

    private var texts: [Text] = []
    private var first = 0
    private var counts: [ConnectionID: Int] = [:]
    private var byteCount = 0

    /// True while more than the maximum number of bytes is queued.
    var isFull: Bool { byteCount > Self.maximumBytes }

    /// True if nothing is queued.
    var isEmpty: Bool { first == texts.count }

    /// Indicates that a message of a connection is to be queued.
    ///
    /// - Parameters:
    ///   - count: The length of the message in bytes.
    ///   - id: The connection.
    /// - Returns: True if it is long, or an earlier one of the connection is queued.
    func mustQueue(_ count: Int, from id: ConnectionID) -> Bool { count >= Self.minimumBytes || counts[id] != nil }

    /// Queues a message.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - id: The connection.
    mutating func add(_ text: UnsafeRawBufferPointer, from id: ConnectionID) {
        texts.append((id, [UInt8](text)))
        counts[id, default: 0] += 1
        byteCount += text.count
    }

    /// Takes the oldest message.
    ///
    /// - Returns: The message; nil: nothing is queued.
    mutating func next() -> Text? {
        guard first < texts.count else { return nil }
        let text = texts[first]
        texts[first].bytes = []
        first += 1
        if first == texts.count || first > 1_024 {
            texts.removeFirst(first)
            first = 0
        }
        uncount(text)
        return text
    }

    /// Takes all messages of a connection.
    ///
    /// - Parameter id: The connection; it may have none.
    /// - Returns: The messages, the oldest first.
    mutating func removeAll(of id: ConnectionID) -> [Text] {
        guard counts[id] != nil else { return [] }
        let removed = texts[first...].filter { $0.connection == id }
        texts = texts[first...].filter { $0.connection != id }
        first = 0
        for text in removed { uncount(text) }
        return removed
    }

    private mutating func uncount(_ text: Text) {
        byteCount -= text.bytes.count
        counts[text.connection] = counts[text.connection].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
