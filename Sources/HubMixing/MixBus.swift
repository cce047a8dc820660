import HubMedia
import HubWire

/// A mix and its encoder, for all listeners that receive the same sources.
///
/// When the listeners of a bus begin to differ, some of them continue on a copy of it, encoder and all, so that their
/// decoders notice nothing. When two buses have had the same sources for a while, the listeners of one join the other
/// with a packet that depends on none before it.
final class MixBus {
    /// The present set of sources; that of most of its listeners.
    var sources = SourceSet()
    /// The number of the frame since which the set is unchanged.
    var unchangedSince: Int64 = 0
    /// The number of listeners on it, counted anew for each frame.
    var listenerCount = 0
    /// The consecutive frames without a source up to now.
    private(set) var silentFrames = 0
    /// The packet that the present frame has completed; empty: none.
    private(set) var packet: [UInt8] = []
    /// True if listeners of another bus have joined since the last packet.
    var hasJoined = false
    /// The buses for listeners that leave this one in the present frame.
    var forks: [MixBus] = []

    private var encoder: OpusEncoder
    private var limiter = Limiter()
    private var sums = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)
    private var samples = [Int16](repeating: 0, count: 3 * AudioFormat.samplesPerFrame)
    private var frames = 0
    private var framesPerPacket = 1
    private var isIndependent = false
    private var effort = MixerEffort.full
    private var payload = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketByteCount)

    init(_ settings: MixerSettings) throws(MediaError) {
        var encoding = OpusEncoderSettings()
        encoding.application = .lowDelay
        encoding.bitsPerSecond = settings.bitsPerSecond
        encoding.complexity = MixerEffort.full.complexity
        encoder = try OpusEncoder(encoding)
        // Until there is a source, nothing is sent.
        silentFrames = Self.trailingFrames
    }

    /// The gain of the limiter, by which two buses are compared.
    var gain: Float { limiter.gain }

    /// True if no packet is incomplete, so that listeners may come from another bus, or go to it.
    var isBetweenPackets: Bool { frames == 0 }

    /// Continues as a copy of another bus.
    func copy(_ other: MixBus) {
        encoder.copyState(from: other.encoder)
        limiter = other.limiter
        samples.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: other.samples) }
        frames = other.frames
        framesPerPacket = other.framesPerPacket
        isIndependent = other.isIndependent
        effort = other.effort
        silentFrames = other.silentFrames
        hasJoined = other.hasJoined
    }

    /// Begins anew, as the bus of other listeners.
    func reset() {
        encoder.reset()
        limiter = Limiter()
        frames = 0
        silentFrames = Self.trailingFrames
        hasJoined = false
    }

    /// Indicates that a listener is still sent packets; some time after the last source nothing is sent.
    ///
    /// - Parameter hasSources: True if the listener has sources, which may go on at any time.
    /// - Returns: False if the packet of the present frame is not for the listener.
    func isSending(hasSources: Bool) -> Bool {
        silentFrames < (hasSources ? Self.trailingFrames : Self.flushingFrames) + framesPerPacket - 1
    }

    /// Mixes a frame, and encodes it if it completes a packet.
    ///
    /// - Parameters:
    ///   - streams: The sources of the frame.
    ///   - frame: The frame of the mixer.
    ///   - ssrc: The SSRC of the mixer.
    ///   - effort: The work that the mixer can do.
    /// - Throws: `MediaError` with code `codec` if libopus fails.
    func mix(_ streams: [SourceStream], of frame: MixFrame, ssrc: UInt32, effort: MixerEffort) throws(MediaError) {
        packet.removeAll(keepingCapacity: true)
        silentFrames = streams.isEmpty ? min(silentFrames + 1, Self.trailingFrames + 3) : 0
        // Without a listener that is still sent to, the encoder rests.
        guard silentFrames < Self.trailingFrames + framesPerPacket - 1 || frames > 0 else { return }
        if frames == 0 { try apply(effort) }
        frame.add(streams, to: &sums)
        let target = frames * AudioFormat.samplesPerFrame
        sums.withUnsafeBufferPointer { sums in
            samples.withUnsafeMutableBufferPointer { samples in
                let part = samples[target..<(target + AudioFormat.samplesPerFrame)]
                limiter.limit(sums, into: UnsafeMutableBufferPointer(rebasing: part))
            }
        }
        frames += 1
        guard frames >= framesPerPacket else { return }
        defer { frames = 0 }
        let first = frame.number - Int64(frames) + 1
        try encode(streams, at: first, ssrc: ssrc)
    }

    /// Lends the packet with a listener's own marker and sequence number.
    func patch(marker: Bool, sequenceNumber: UInt16, _ body: (UnsafeRawBufferPointer) -> Void) {
        packet[1] = 111 | (marker ? 0x80 : 0)
        packet[2] = UInt8(truncatingIfNeeded: sequenceNumber >> 8)
        packet[3] = UInt8(truncatingIfNeeded: sequenceNumber)
        packet.withUnsafeBytes(body)
    }

    private func apply(_ effort: MixerEffort) throws(MediaError) {
        guard effort != self.effort else { return }
        self.effort = effort
        framesPerPacket = effort.framesPerPacket
        try encoder.setComplexity(effort.complexity)
        let samples = framesPerPacket * AudioFormat.samplesPerFrame
        if let duration = OpusEncoderSettings.FrameDuration(samples: samples) { encoder.setFrameDuration(duration) }
    }

    private func encode(_ streams: [SourceStream], at first: Int64, ssrc: UInt32) throws(MediaError) {
        if hasJoined != isIndependent {
            isIndependent = hasJoined
            encoder.setIndependentPackets(isIndependent)
        }
        hasJoined = false
        let count = frames * AudioFormat.samplesPerFrame
        let encoded = samples.withUnsafeBufferPointer { samples in
            payload.withUnsafeMutableBytes { payload in
                Result { () throws(MediaError) in
                    try encoder.encode(UnsafeBufferPointer(rebasing: samples[..<count]), into: payload)
                }
            }
        }
        let length = try encoded.get()
        let contributors = streams.prefix(15)
        payload.withUnsafeBufferPointer { payload in
            RTPPacket.append(
                payloadType: 111,
                sequenceNumber: 0,
                timestamp: UInt32(truncatingIfNeeded: first &* Int64(AudioFormat.samplesPerFrame)),
                ssrc: ssrc,
                contributingSources: contributors.map(\.ssrc),
                levels: contributors.map(\.level),
                payload: UnsafeBufferPointer(rebasing: payload[..<length]).span,
                to: &packet
            )
        }
    }

    /// 200 ms of silence, so that a listener's concealment of the end is silent.
    private static let trailingFrames = 10
    /// One frame, with which the encoder's delay comes out.
    private static let flushingFrames = 2
}
