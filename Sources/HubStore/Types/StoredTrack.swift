/// A track of music for parties on hold, without its packets.
public struct StoredTrack: Hashable, Sendable {
    /// The identifier, which no later track gets.
    public var id: Int64
    /// The name to show.
    public var name: String
    /// The number of packets of 20 ms.
    public var packets: Int
    /// The length in bytes.
    public var bytes: Int
}

/// The music that an account's held parties receive.
public struct PlayedHoldMusic: Hashable, Sendable {
    /// The identifiers of the tracks, in the order in which they are played.
    public var ids: [Int64]
    /// The packets of each track; nil: the caller has them.
    public var tracks: [[UInt8]]?
}
