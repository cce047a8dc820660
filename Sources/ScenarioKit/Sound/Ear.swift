import HubMedia

/// Hears who speaks in the packets that a device is sent: decodes each stream, and looks for the voices in the sound.
///
/// Nothing else is looked at, neither whose packets they are said to be nor what the hub tells. A voice counts from the
/// second frame of a stream on that has it, so that a codec's first breath is nobody.
final class Ear {
    /// Of the sound that is listened to; more would find nothing more.
    static let samplesPerSecond = 16_000

    /// Who was heard in a frame, for 20 ms from some moment on.
    struct Heard: Hashable, Sendable {
        var from: Duration
        var voices: VoiceSet
    }

    private let book: VoiceBook
    private var streams: [UInt32: EarStream] = [:]

    /// An ear that knows some voices.
    init(_ book: VoiceBook) {
        self.book = book
    }

    /// Listens to a packet.
    ///
    /// - Parameters:
    ///   - packet: One Opus packet.
    ///   - ssrc: Its stream.
    ///   - now: When it came.
    /// - Returns: Who was heard in it, and in the frame before it where that counts only now.
    func hear(_ packet: [UInt8], ssrc: UInt32, at now: Duration) -> [Heard] {
        if streams.count >= Self.mostStreams { streams = [:] }
        guard let stream = streams[ssrc] ?? EarStream(book) else { return [] }
        streams[ssrc] = stream
        return stream.hear(packet, at: now)
    }

    /// Streams come and go with audio sessions; a run that has had more begins anew.
    private static let mostStreams = 200
}

/// The ear for one stream.
private final class EarStream {
    private let book: VoiceBook
    private var decoder: OpusDecoder
    private let sound: UnsafeMutableBufferPointer<Int16>
    private var frame: [Float] = []
    private var before = VoiceSet()
    private var beforeAt = Duration.zero
    /// The shapes of the last frames that were no tones, and where they are in the loops.
    private var shapes: [[Float]] = []
    private var places: [Int: Int] = [:]

    init?(_ book: VoiceBook) {
        guard let decoder = try? OpusDecoder(samplesPerSecond: Ear.samplesPerSecond) else { return nil }
        self.book = book
        self.decoder = decoder
        sound = .allocate(capacity: OpusDecoder.roomForSound)
    }

    deinit { sound.deallocate() }

    func hear(_ packet: [UInt8], at now: Duration) -> [Ear.Heard] {
        guard let count = try? packet.withUnsafeBytes({ try decoder.decode($0, into: sound) }) else { return [] }
        var heard: [Ear.Heard] = []
        var begin = now
        for sample in sound.prefix(count) {
            frame.append(Float(sample) / 32_768)
            guard frame.count == Self.samplesPerFrame else { continue }
            let voices = voices()
            frame.removeAll(keepingCapacity: true)
            let confirmed = voices.intersection(before)
            if begin - beforeAt <= Self.longestGap, !confirmed.isEmpty {
                heard.append(Ear.Heard(from: beforeAt, voices: confirmed))
            }
            if !confirmed.isEmpty { heard.append(Ear.Heard(from: begin, voices: confirmed)) }
            (before, beforeAt) = (voices, begin)
            begin += .milliseconds(20)
        }
        return heard
    }

    private func voices() -> VoiceSet {
        frame.withUnsafeBufferPointer { frame in
            let energy = frame.reduce(Float(0)) { $0 + $1 * $1 } / Float(frame.count)
            guard Double(energy) > Self.quietest else { return quiet() }
            var voices = VoiceSet()
            let amplitudes = book.tones.map { $0.measure.amplitude(in: frame) }
            let loudest = amplitudes.max() ?? 0
            let least = max(Self.leastAmplitude, loudest * Self.leastShare)
            var rest = Double(energy)
            for (tone, amplitude) in zip(book.tones, amplitudes) where amplitude >= least {
                voices.insert(VoiceSet(number: tone.number))
                rest -= amplitude * amplitude / 2
            }
            let isLoudRest = rest > Self.quietest && rest > Double(energy) * Self.leastRest
            guard isLoudRest else { return quiet(voices) }
            let tone = VoiceBook.hubTone.amplitude(in: frame)
            if tone * tone / 2 > rest * Self.shareOfTone {
                return quiet(voices.union(VoiceSet(number: book.tone)))
            }
            return voices.union(prints(in: frame))
        }
    }

    /// No music and no file is heard.
    private func quiet(_ voices: VoiceSet = []) -> VoiceSet {
        shapes.removeAll(keepingCapacity: true)
        return voices
    }

    private func prints(in frame: UnsafeBufferPointer<Float>) -> VoiceSet {
        shapes.append(Spectrogram.shape(of: frame))
        if shapes.count > Self.framesOfPrint { shapes.removeFirst() }
        guard shapes.count == Self.framesOfPrint else { return [] }
        var known = book.prints.map { ($0.number, $0.print) }
        if let music = VoiceBook.hubMusic { known.append((book.music, music)) }
        for (number, print) in known {
            if let place = print.place(of: shapes, guess: places[number].map { $0 + 1 }) {
                places[number] = place
                return VoiceSet(number: number)
            }
            places[number] = nil
        }
        return []
    }

    private static let samplesPerFrame = Ear.samplesPerSecond / 50
    /// What is quieter, as the mean of the squares, is silence.
    private static let quietest = 0.000_1
    /// Of a tone; parties speak at 0.14.
    private static let leastAmplitude = 0.03
    /// Of the loudest tone: less is the codec's noise.
    private static let leastShare = 0.25
    /// Of the energy: what is left when the tones are taken away, and is more than the codec's noise.
    private static let leastRest = 0.3
    /// Of what is left: the hub's tone is all of it, but for the edges of the frame.
    private static let shareOfTone = 0.7
    /// More: surer; fewer: sooner.
    private static let framesOfPrint = 4
    /// A frame that comes so much later than the one before goes with none.
    private static let longestGap = Duration.milliseconds(60)
}
