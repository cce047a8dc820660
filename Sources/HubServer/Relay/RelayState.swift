import HubEngine

/// The relay's memory.
struct RelayState {
    var legs: UnsafeMutablePointer<RelayLeg>
    var capacity = 0
    let legOfConnection: UnsafeMutablePointer<UInt32>
    let connections: Int
    let drops: UnsafeMutablePointer<UInt64>
    /// Where packets of the hub's own are made, with head room in front.
    let scratch: UnsafeMutableRawBufferPointer
    private let scratchMemory: UnsafeMutableRawBufferPointer
    /// The hub's own SSRC, in its receiver reports.
    var ownSSRC: UInt32 = 0
    /// Where reports are made; kept for the next one.
    var reportBytes: [UInt8] = []
    /// The same with head room in front.
    let reportScratch: UnsafeMutableRawBufferPointer
    var received: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var reports: UInt64 = 0
    var bytesRelayed: UInt64 = 0
    var activeLegs = 0

    init(connections: Int) {
        self.connections = connections
        legs = .allocate(capacity: 0)
        legOfConnection = .allocate(capacity: connections)
        legOfConnection.initialize(repeating: .max, count: connections)
        drops = .allocate(capacity: DropReason.allCases.count)
        drops.initialize(repeating: 0, count: DropReason.allCases.count)
        scratchMemory = .allocate(byteCount: 2 * Self.headRoom + Self.largestReport + Self.largestPacket, alignment: 16)
        let reportEnd = Self.headRoom + Self.largestReport
        reportScratch = UnsafeMutableRawBufferPointer(rebasing: scratchMemory[Self.headRoom..<reportEnd])
        scratch = UnsafeMutableRawBufferPointer(rebasing: scratchMemory[(reportEnd + Self.headRoom)...])
    }

    /// Grows the table so that a session slot is in it; sessions outlive connections, so there may be more of them.
    mutating func makeRoom(for index: UInt32) {
        guard Int(index) >= capacity else { return }
        let room = max(64, 2 * (Int(index) + 1))
        let larger = UnsafeMutablePointer<RelayLeg>.allocate(capacity: room)
        larger.moveInitialize(from: legs, count: capacity)
        (larger + capacity).initialize(repeating: RelayLeg(), count: room - capacity)
        legs.deallocate()
        legs = larger
        capacity = room
    }

    func deallocate() {
        for index in 0..<capacity {
            legs[index].moreSinks?.deallocate()
            legs[index].plays?.deallocate()
            legs[index].heard?.deallocate()
        }
        legs.deallocate()
        legOfConnection.deallocate()
        drops.deallocate()
        scratchMemory.deallocate()
    }

    /// What the sockets may write over in front of a packet; LWS_PRE is 16.
    private static let headRoom = 64
    /// A receiver report with one block has 32 bytes (RFC 3550 section 6.4.2).
    private static let largestReport = 64
    /// Room for a packet of the hub's own: a header, and an Opus packet of one frame (RFC 6716: 1275 bytes).
    private static let largestPacket = 1_400
}
