/// The packets that fill a gap in an Opus stream and request concealment by the decoder (RFC 7845 section 4.1).
///
/// Such a packet has frames of no bytes. It has the mode, bandwidth and channels of the packet before the gap, and the
/// longest frames that fit. A length that the linear-prediction modes cannot express (less than 10 ms) is filled by
/// transform-coded frames of the same bandwidth at the end of the gap. Less than 2.5 ms cannot be filled.
struct OpusGap {
    /// The packets, in order, with their durations in samples.
    private(set) var packets: [(bytes: [UInt8], duration: Int)] = []

    /// The remaining samples, 0 to 119, which belong to the next gap.
    let remainder: Int

    /// Computes the packets that fill a gap.
    ///
    /// - Parameters:
    ///   - samples: The length of the gap at 48 kHz.
    ///   - tableOfContents: The first byte of the packet before the gap.
    init(ofSamples samples: Int, after tableOfContents: UInt8) {
        var rest = max(0, samples)
        let configuration = tableOfContents >> 3
        let stereo = tableOfContents & 0x04
        let own: [(configuration: UInt8, duration: Int)]
        let celt: UInt8
        switch configuration {
        case 0..<12:
            let base = configuration & ~3
            own = [(base + 3, 2_880), (base + 2, 1_920), (base + 1, 960), (base, 480)]
            // Narrow band keeps its bandwidth; medium band has no transform-coded equivalent and becomes wide band.
            celt = base == 0 ? 16 : 20
        case 12..<16:
            let base = configuration & ~1
            own = [(base + 1, 960), (base, 480)]
            celt = base == 12 ? 24 : 28
        default:
            own = []
            celt = configuration & ~3
        }
        let transform = [(celt + 3, 960), (celt + 2, 480), (celt + 1, 240), (celt, 120)]
        for (configuration, duration) in own + transform {
            var frames = rest / duration
            rest -= frames * duration
            while frames > 0 {
                let together = min(frames, OpusPacket.maximumDurationInSamples / duration)
                let first = configuration << 3 | stereo
                let bytes = together == 1 ? [first] : [first | 3, UInt8(clamping: together)]
                packets.append((bytes, together * duration))
                frames -= together
            }
        }
        remainder = rest
    }
}
