import HubEngine
import HubWire

/// The relay's record of one session: a copy of its `AudioRoute` in flat memory, and statistics of its packets.
///
/// Owned by the table of legs alone, and without references, so that the packet path counts none and checks no
/// exclusivity.
struct RelayLeg: ~Copyable {
    /// The generation of the session slot.
    var generation: UInt32 = 0
    /// True while a session occupies the slot.
    var isInUse = false
    /// The connection that packets for the session are sent on; `.none` (generation 0) while it is lost.
    var connection = ConnectionID.none
    /// The SSRC that the session's packets must carry; meaningful while `isActive`.
    var ssrc: UInt32 = 0
    /// True while the audio session is active.
    var isActive = false
    /// True if a receiver report is due in front of the next packet.
    var isReportDue = false
    /// True if its client is notified of dropped packets.
    var reportsDrops = false
    /// The time of the last report of dropped packets, in nanoseconds of the hub's clock.
    var dropsReportedAt: Int64 = 0
    /// The drops of this audio session that were reported.
    var reportedDrops = PacketDrops()
    /// The reason for which every packet of the session is dropped; nil: the gate is open.
    var gateReason: DropReason?
    /// The number of listeners; the first one is `sink`, several are in `moreSinks`.
    var sinkCount = 0
    /// The first listener, and usually the only one.
    var sink = RelaySink(session: SessionID(index: 0, generation: 0), loop: 0)
    /// All listeners if there are several; empty otherwise.
    var moreSinks = OwnedBuffer<RelaySink>()
    /// The listeners that receive this session as part of a mix.
    var mixedListeners = OwnedBuffer<MixedListener>()
    /// The listeners and the SSRC that the mixers know.
    var mixedBefore = OwnedBuffer<MixedListener>()
    var ssrcMixedBefore: UInt32 = 0
    /// The SSRCs of senders on other loops whose packets this session may receive.
    var allowedSources = OwnedBuffer<UInt32>()
    /// The number of senders that this session receives; it only decides if packets for it may be coalesced.
    var sourceCount = 0
    /// The built-in parties whose audio the hub sends to this session; in a group call there may be several.
    var playedSources = OwnedBuffer<BuiltInSourceState>()
    /// The hold audio that the hub sends to this session: none or one.
    var hold = OwnedBuffer<HoldPlayback>()
    /// The RFC 3550 reception statistics of this audio session.
    var reception = ReceptionStatistics()
    /// The pacing state of this audio session.
    var policer = StreamPolicer()
    /// The statistics for the call's record; meaningful while `isActive`.
    var quality = LegQuality(session: SessionID(index: 0, generation: 0), ssrc: 0)

    /// Returns a listener by its position, 0 to `sinkCount - 1`.
    func sink(_ index: Int) -> RelaySink {
        moreSinks.isEmpty ? sink : moreSinks[index]
    }

    /// Indicates that packets with this SSRC from another loop may be delivered to this session.
    func allowsSource(_ ssrc: UInt32) -> Bool {
        for index in 0..<allowedSources.count where allowedSources[index] == ssrc { return true }
        return false
    }
}

/// A built-in party whose audio is sent to a session.
struct BuiltInSourceState {
    let source: BuiltInSource
    /// The sequence number of its next packet to this listener.
    var sequenceNumber: UInt16 = 0
}

extension ConnectionID {
    /// No connection.
    static let none = ConnectionID(slot: 0, generation: 0)
}
