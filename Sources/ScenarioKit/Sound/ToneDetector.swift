import HubMedia

/// A detector of voices in the packets that a device receives: it decodes each stream and analyses its sound.
///
/// It uses neither the packets' declared sources nor the hub's notifications. A voice counts from the second
/// consecutive frame of a stream on, so that a codec's initial artefact is not detected.
final class ToneDetector {
    /// The sample rate of the analysed sound, in Hz; a higher one would detect nothing more.
    static let samplesPerSecond = 16_000

    /// The voices that were detected in a frame of 20 ms.
    struct Detection: Hashable, Sendable {
        var from: Duration
        var voices: VoiceSet
    }

    private let table: VoiceTable
    private var streams: [UInt32: StreamToneDetector] = [:]
    /// The detector of the sound that the device has played; nil: it has played none.
    private var played: StreamToneDetector?

    /// Creates a detector of some voices.
    init(_ table: VoiceTable) {
        self.table = table
    }

    /// Analyses a packet.
    ///
    /// - Parameters:
    ///   - packet: One Opus packet.
    ///   - ssrc: The SSRC of its stream.
    ///   - now: The time of its arrival.
    /// - Returns: The voices of its frames, and of the frame before if this packet confirms them.
    func detect(_ packet: [UInt8], ssrc: UInt32, at now: Duration) -> [Detection] {
        if streams.count >= Self.mostStreams { streams = [:] }
        guard let stream = streams[ssrc] ?? StreamToneDetector(table) else { return [] }
        streams[ssrc] = stream
        return stream.detect(packet, at: now)
    }

    /// Analyses sound as a device has played it.
    ///
    /// - Parameters:
    ///   - samples: The samples, 48,000 a second, from the end of the ones before.
    ///   - now: The time of the first sample.
    /// - Returns: The voices of its frames, and of the frame before if this one confirms them.
    func detect(played samples: [Int16], at now: Duration) -> [Detection] {
        let step = AudioFormat.samplesPerSecond / Self.samplesPerSecond
        // The mean of three samples: tones are far below the frequencies that it weakens.
        let fewer = stride(from: 0, through: samples.count - step, by: step).map { start in
            samples[start..<(start + step)].reduce(Float(0)) { $0 + Float($1) } / Float(step) / 32_768
        }
        guard let played = played ?? StreamToneDetector(table) else { return [] }
        self.played = played
        return played.detect(fewer, at: now)
    }

    /// The maximum number of streams, which come and go with audio sessions; beyond it all of them are discarded.
    private static let mostStreams = 200
}

/// The detector for one stream.
private final class StreamToneDetector {
    private let table: VoiceTable
    private var decoder: OpusDecoder
    private let sound: UnsafeMutableBufferPointer<Int16>
    private var frame: [Float] = []
    private var before = VoiceSet()
    private var beforeAt = Duration.zero
    /// The spectral shapes of the last frames with more than tones, and their positions in the loops.
    private var shapes: [[Float]] = []
    private var positions: [Int: Int] = [:]

    init?(_ table: VoiceTable) {
        guard let decoder = try? OpusDecoder(samplesPerSecond: ToneDetector.samplesPerSecond) else { return nil }
        self.table = table
        self.decoder = decoder
        sound = .allocate(capacity: OpusDecoder.maximumSampleCount)
    }

    deinit { sound.deallocate() }

    func detect(_ packet: [UInt8], at now: Duration) -> [ToneDetector.Detection] {
        guard let count = try? packet.withUnsafeBytes({ try decoder.decode($0, into: sound) }) else { return [] }
        return detect(sound.prefix(count).map { Float($0) / 32_768 }, at: now)
    }

    /// Analyses samples, full scale being 1.
    func detect(_ samples: [Float], at now: Duration) -> [ToneDetector.Detection] {
        var receivedVoices: [ToneDetector.Detection] = []
        var begin = now
        for sample in samples {
            frame.append(sample)
            guard frame.count == Self.samplesPerFrame else { continue }
            let voices = voices()
            frame.removeAll(keepingCapacity: true)
            let confirmed = voices.intersection(before)
            if begin - beforeAt <= Self.longestGap, !confirmed.isEmpty {
                receivedVoices.append(ToneDetector.Detection(from: beforeAt, voices: confirmed))
            }
            if !confirmed.isEmpty { receivedVoices.append(ToneDetector.Detection(from: begin, voices: confirmed)) }
            (before, beforeAt) = (voices, begin)
            begin += .milliseconds(20)
        }
        return receivedVoices
    }

    private func voices() -> VoiceSet {
        frame.withUnsafeBufferPointer { frame in
            let energy = frame.reduce(Float(0)) { $0 + $1 * $1 } / Float(frame.count)
            guard Double(energy) > Self.quietest else { return quiet() }
            var voices = VoiceSet()
            let amplitudes = table.tones.map { $0.measure.amplitude(in: frame) }
            let loudest = amplitudes.max() ?? 0
            let least = max(Self.leastAmplitude, loudest * Self.leastShare)
            var rest = Double(energy)
            for (tone, amplitude) in zip(table.tones, amplitudes) where amplitude >= least {
                voices.insert(VoiceSet(number: tone.number))
                rest -= amplitude * amplitude / 2
            }
            let isLoudRest = rest > Self.quietest && rest > Double(energy) * Self.leastRest
            guard isLoudRest else { return quiet(voices) }
            let tone = VoiceTable.hubTone.amplitude(in: frame)
            if tone * tone / 2 > rest * Self.shareOfTone {
                return quiet(voices.union(VoiceSet(number: table.tone)))
            }
            return voices.union(fingerprints(in: frame))
        }
    }

    /// Resets the detection of music and files; returns the given voices.
    private func quiet(_ voices: VoiceSet = []) -> VoiceSet {
        shapes.removeAll(keepingCapacity: true)
        return voices
    }

    private func fingerprints(in frame: UnsafeBufferPointer<Float>) -> VoiceSet {
        shapes.append(Spectrogram.shape(of: frame))
        if shapes.count > Self.framesCompared { shapes.removeFirst() }
        guard shapes.count == Self.framesCompared else { return [] }
        var known = table.fingerprints.map { ($0.number, $0.fingerprint) }
        if let music = VoiceTable.hubMusic { known.append((table.music, music)) }
        for (number, fingerprint) in known {
            if let position = fingerprint.position(of: shapes, guess: positions[number].map { $0 + 1 }) {
                positions[number] = position
                return VoiceSet(number: number)
            }
            positions[number] = nil
        }
        return []
    }

    private static let samplesPerFrame = ToneDetector.samplesPerSecond / 50
    /// The mean square below which a frame is silence, full scale being 1.
    private static let quietest = 0.000_1
    /// The minimum amplitude of a tone; parties send at 0.14.
    private static let leastAmplitude = 0.03
    /// The minimum share of the loudest tone's amplitude: less is the codec's noise.
    private static let leastShare = 0.25
    /// The minimum share of the energy that remains without the tones: less is the codec's noise.
    private static let leastRest = 0.3
    /// The share of the remaining energy in the hub's tone: nearly all of it, except at the edges of the frame.
    private static let shareOfTone = 0.7
    /// The number of frames that are compared: more are surer, fewer are faster.
    private static let framesCompared = 4
    /// The maximum gap between frames of which the second confirms the first.
    private static let longestGap = Duration.milliseconds(60)
}
