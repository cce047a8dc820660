/// The origin of a packet, for the counters.
package enum PacketKind: UInt8 {
    /// RTP from a client.
    case relayed

    /// RTP made by the hub, such as tones.
    case played

    /// RTCP, which is not urgent: it waits for the next packet to its receiver, and both are one write.
    case report
}

/// An audio packet queued for a socket.
package struct QueuedPacket {
    /// The slot of its bytes in the slab.
    var slot: UInt32

    /// Its length in bytes.
    package var count: UInt16

    /// Its origin.
    var kind: PacketKind

    /// The time at which it was queued, in the loop's milliseconds.
    var queuedAt: UInt64
}
