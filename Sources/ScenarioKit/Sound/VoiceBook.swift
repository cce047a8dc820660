import Foundation
import HubMedia

/// The voices that there are in a run, by a number each: the parties in their order, then the hub's tone and music.
struct VoiceBook: Sendable {
    /// The voices by their numbers.
    let voices: [Voice]
    /// The measures of those that are tones, the hub's among them.
    let tones: [(number: Int, measure: Goertzel)]
    /// Those that are known by their whole sound, but for the music.
    let prints: [(number: Int, print: Fingerprint)]

    /// The voices of a scenario.
    ///
    /// - Parameters:
    ///   - parties: Their names, in order.
    ///   - files: What is known of those who play a file.
    init(parties: [String], files: [(party: Int, print: Fingerprint)] = []) {
        voices = parties.map(Voice.party) + [.tone, .music]
        let rate = Ear.samplesPerSecond
        tones = zip(parties.indices, PartyTone.frequencies).map { ($0, Goertzel(hertz: $1, samplesPerSecond: rate)) }
        prints = files.map { ($0.party, $0.print) }
    }

    /// The hub's tone.
    var tone: Int { voices.count - 2 }
    /// The hub's music.
    var music: Int { voices.count - 1 }

    /// A voice's number.
    func number(of voice: Voice) -> Int? { voices.firstIndex(of: voice) }

    /// The hub's tone.
    static let hubTone = Goertzel(hertz: 440, samplesPerSecond: Ear.samplesPerSecond)

    /// The hub's music; nil where libopus cannot.
    static let hubMusic: Fingerprint? = {
        guard let music = try? PreparedAudio.holdMusic() else { return nil }
        return try? Fingerprint((0..<music.count).map { index in music.withPacket(at: index) { Array($0) } })
    }()
}

/// Some of the voices of a ``VoiceBook``.
struct VoiceSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// One voice.
    init(number: Int) { self.init(rawValue: number < 64 ? 1 << UInt64(max(0, number)) : 0) }

    /// Their numbers, in order.
    var numbers: [Int] { (0..<64).filter { rawValue >> UInt64($0) & 1 == 1 } }
}
