import HubEngine

/// The hold audio of a session, and its position (rule CH-09).
///
/// A position is a number of ticks of 20 ms, and the number of a packet at the same time. Sequence numbers and
/// timestamps follow from it, so that they go on when the session continues on another loop.
package struct HoldPlayback: Sendable {
    /// The SSRC of the packets.
    var ssrc: UInt32
    /// The kind of sound.
    var audio: HoldAudio
    /// The tick at which the sound would have begun without any pause.
    var firstTick: Int64
    /// The music that was added; nil: the built-in.
    var music: LoadedHoldMusic?
    /// True until it is known which music it is; nothing is sent meanwhile.
    var isAwaited = false
    /// True when a packet has been sent on this loop.
    var hasBegun = false
}

/// The position at which the hold audio of a session was stopped, for the next time.
struct PausedHoldAudio {
    /// The kind of sound, and the account of the holder.
    var source: HoldSource
    /// The number of the packet that follows.
    var position: Int64
}
