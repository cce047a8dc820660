/// The extended sequence numbers and timestamps of one stream, without wrap-around (RFC 3550 appendix A.1).
struct MediaTimeline {
    /// The position of a packet.
    struct Position {
        let sequence: Int64
        /// The position of the packet's first sample.
        let start: Int64
        /// True if the packet is newer by its sequence number and older by its timestamp: the sender has restarted.
        let contradictsOrder: Bool
    }

    private var newest: (sequence: Int64, number: UInt16, start: Int64, timestamp: UInt32)?

    /// Returns the position of a packet, relative to the first one.
    mutating func position(sequenceNumber: UInt16, timestamp: UInt32) -> Position {
        guard let newest else {
            self.newest = (0, sequenceNumber, 0, timestamp)
            return Position(sequence: 0, start: 0, contradictsOrder: false)
        }
        let step = Int64(Int16(bitPattern: sequenceNumber &- newest.number))
        let advance = Int64(Int32(bitPattern: timestamp &- newest.timestamp))
        let (sequence, start) = (newest.sequence + step, newest.start + advance)
        if advance > 0 { self.newest = (sequence, sequenceNumber, start, timestamp) }
        return Position(sequence: sequence, start: start, contradictsOrder: step > 0 && advance < 0)
    }
}
