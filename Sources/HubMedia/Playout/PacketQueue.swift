/// Received packets that wait to be played, in the order of the sender's timeline.
struct PacketQueue {
    /// A packet with its place in the sender's timeline.
    struct Entry {
        /// The first sample, counted without wrapping from the first packet on.
        let start: Int64
        /// The sequence number, counted without wrapping.
        let sequence: Int64
        /// Samples at 48 kHz.
        let duration: Int
        /// What the first byte and the frames say, for error correction and comfort noise.
        let packet: OpusPacket
        /// The Opus packet.
        let payload: [UInt8]

        /// The first sample after the packet.
        var end: Int64 { start + Int64(duration) }
    }

    private(set) var entries: [Entry] = []

    init() {
        entries.reserveCapacity(64)
    }

    var first: Entry? { entries.first }
    var last: Entry? { entries.last }
    var isEmpty: Bool { entries.isEmpty }

    /// Puts a packet in its place; `false` if one with its start is there already.
    mutating func insert(_ entry: Entry) -> Bool {
        // Nearly always the packet is the newest.
        var place = entries.count
        while place > 0, entries[place - 1].start >= entry.start {
            if entries[place - 1].start == entry.start { return false }
            place -= 1
        }
        entries.insert(entry, at: place)
        return true
    }

    mutating func removeFirst() -> Entry? {
        entries.isEmpty ? nil : entries.removeFirst()
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}
