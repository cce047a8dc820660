import HubEngine
import HubWire

/// What the relay knows of one session: a copy of its `AudioRoute` in flat memory, and what its packets tell.
///
/// Trivial, so that the packet path counts no references and checks no exclusivity.
struct RelayLeg {
    /// Which use of the session slot this is.
    var generation: UInt32 = 0
    /// Whether a session has it.
    var isInUse = false
    /// Where its packets are sent to; generation 0: the connection is lost.
    var connection = ConnectionID.none
    /// What a packet must carry; meaningful while `isActive`.
    var ssrc: UInt32 = 0
    /// Whether the audio session is active.
    var isActive = false
    /// Whether it is to get a receiver report with the next packet.
    var isDueReport = false
    /// What stands in the way of every packet; nil: nothing.
    var obstacle: DropReason?
    /// How many listeners there are; the first one is `sink`, more are in `moreSinks`.
    var sinkCount = 0
    /// The only listener there usually is.
    var sink = RelaySink(session: SessionID(index: 0, generation: 0), loop: 0)
    /// All listeners, where there are several.
    var moreSinks: UnsafeMutablePointer<RelaySink>?
    /// With which SSRCs those on other loops speak that this session hears.
    var heard: UnsafeMutablePointer<UInt32>?
    /// How many those are.
    var heardCount = 0
    /// How many it hears; only to know whether packets for it may come together.
    var sourceCount = 0
    /// What the hub plays to this session; in a group there may be several.
    var plays: UnsafeMutablePointer<PlayedSource>?
    /// How many those are.
    var playCount = 0
    /// What was received in this audio session.
    var reception = ReceptionStatistics()
    /// How it was paced.
    var pace = Pace()
    /// What will be in the call's record; meaningful while `isActive`.
    var quality = LegQuality(session: SessionID(index: 0, generation: 0), ssrc: 0)

    /// A listener.
    func sink(_ index: Int) -> RelaySink {
        moreSinks.map { $0[index] } ?? sink
    }

    /// Whether it hears who speaks with that SSRC on another loop.
    func hears(_ ssrc: UInt32) -> Bool {
        guard let heard else { return false }
        for index in 0..<heardCount where heard[index] == ssrc { return true }
        return false
    }
}

/// A built-in party that a session hears.
struct PlayedSource {
    let source: BuiltInSource
    /// The sequence number of its next packet to this listener.
    var sequence: UInt16 = 0
}

extension ConnectionID {
    /// No connection.
    static let none = ConnectionID(slot: 0, generation: 0)
}
