import HubEngine

/// The relay's memory: a table of sessions, an index by connection, buffers and counters.
///
/// Frees all of it at its end.
struct RelayState: ~Copyable {
    var legs: UnsafeMutablePointer<RelayLeg>
    var capacity = 0
    let legOfConnection: UnsafeMutablePointer<UInt32>
    let connections: Int
    let drops: UnsafeMutablePointer<UInt64>
    /// The delay in nanoseconds behind a sender's pace beyond which its packets are dropped.
    let lateAfter: Int64
    /// The buffer for RTP packets that the hub makes itself.
    let scratch: UnsafeMutableRawBufferPointer
    /// The SSRC of the hub in its own receiver reports.
    var ownSSRC: UInt32 = 0
    /// The buffer that receiver reports are encoded into; reused for the next one.
    var reportBytes: [UInt8] = []
    var received: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var reports: UInt64 = 0
    var bytesRelayed: UInt64 = 0
    /// Packets of hold audio sent.
    var holdPackets: UInt64 = 0
    var activeLegs = 0
    /// Records that mixers had no room for, oldest first.
    var unsentMixRecords: [(mixer: UInt16, bytes: [UInt8])] = []
    /// Sessions whose clients are notified of dropped packets.
    var dropReportingLegs = 0

    init(connections: Int, lateAfter: Duration) {
        self.connections = connections
        self.lateAfter = Int64(clamping: lateAfter.wholeNanoseconds)
        legs = .allocate(capacity: 0)
        legOfConnection = .allocate(capacity: connections)
        legOfConnection.initialize(repeating: .max, count: connections)
        drops = .allocate(capacity: DropReason.allCases.count)
        drops.initialize(repeating: 0, count: DropReason.allCases.count)
        scratch = .allocate(byteCount: Self.largestPacket, alignment: 16)
    }

    deinit {
        legs.deinitialize(count: capacity)
        legs.deallocate()
        legOfConnection.deallocate()
        drops.deallocate()
        scratch.deallocate()
    }

    /// Grows the table to include a session slot; sessions outlive connections, so that there may be more of them.
    mutating func makeRoom(for index: UInt32) {
        guard Int(index) >= capacity else { return }
        let room = max(64, 2 * (Int(index) + 1))
        let larger = UnsafeMutablePointer<RelayLeg>.allocate(capacity: room)
        larger.moveInitialize(from: legs, count: capacity)
        for index in capacity..<room { (larger + index).initialize(to: RelayLeg()) }
        legs.deallocate()
        legs = larger
        capacity = room
    }

    /// The maximum size of the hub's own packets: a header, and an Opus packet of one frame (RFC 6716: 1275 bytes).
    private static let largestPacket = 1_400
}
