/// The received packets that wait for playout, in the order of the sender's timeline.
struct PacketQueue {
    /// A packet with its position in the sender's timeline.
    struct Entry {
        /// The position of the first sample, extended without wrap-around, from the first packet.
        let start: Int64
        /// The sequence number, extended without wrap-around.
        let sequence: Int64
        /// The duration in samples at 48 kHz.
        let duration: Int
        /// The parsed headers of the packet, for error correction and comfort noise.
        let packet: OpusPacket
        /// The Opus packet.
        let payload: [UInt8]

        /// The position after the packet's last sample.
        var end: Int64 { start + Int64(duration) }
    }

    private(set) var entries: [Entry] = []

    init() {
        entries.reserveCapacity(64)
    }

    var first: Entry? { entries.first }
    var last: Entry? { entries.last }
    var isEmpty: Bool { entries.isEmpty }

    /// Inserts a packet in order; `false` if one with its start is in the queue already.
    mutating func insert(_ entry: Entry) -> Bool {
        // In most cases the packet is the newest.
        var insertionIndex = entries.count
        while insertionIndex > 0, entries[insertionIndex - 1].start >= entry.start {
            if entries[insertionIndex - 1].start == entry.start { return false }
            insertionIndex -= 1
        }
        entries.insert(entry, at: insertionIndex)
        return true
    }

    mutating func removeFirst() -> Entry? {
        entries.isEmpty ? nil : entries.removeFirst()
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}
