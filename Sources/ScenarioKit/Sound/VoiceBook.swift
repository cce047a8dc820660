import Foundation
import HubMedia

/// The voices that there are in a run, by a number each: the parties in their order, then the hub's tone and music.
struct VoiceBook: Sendable {
    /// The voices by their numbers.
    let voices: [Voice]
    /// Which of the run's tones a party speaks, by the party's place.
    private let places: [Int: Int]
    /// The measures of those that are tones, the hub's among them.
    let tones: [(number: Int, measure: Goertzel)]
    /// Those that are known by their whole sound, but for the music.
    let prints: [(number: Int, print: Fingerprint)]

    /// The voices of a scenario.
    ///
    /// - Parameters:
    ///   - parties: Who takes part.
    ///   - speakers: The places of those who ever speak a tone of the run's; nil: all do.
    ///   - files: What is known of those who play a file.
    init(_ parties: [Party], speakers: [Int]? = nil, files: [(party: Int, print: Fingerprint)] = []) {
        voices = parties.map { Voice.party($0.name) } + [.tone, .music]
        let speakers = speakers ?? Array(parties.indices)
        places = Dictionary(uniqueKeysWithValues: speakers.enumerated().map { ($1, $0) })
        tones = parties.enumerated().compactMap { [places] number, party in
            let hertz = party.underTest.map { $0.hertz.map(Double.init) } ?? places[number].flatMap(PartyTone.hertz)
            return hertz.map { (number, Goertzel(hertz: $0, samplesPerSecond: Ear.samplesPerSecond)) }
        }
        prints = files.map { ($0.party, $0.print) }
    }

    /// The place of a party's tone among the run's; nil: it speaks none.
    func tonePlace(of party: Int) -> Int? { places[party] }

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
    let rawValue: UInt128

    init(rawValue: UInt128) { self.rawValue = rawValue }

    /// One voice.
    init(number: Int) { self.init(rawValue: (0..<128).contains(number) ? 1 << UInt128(number) : 0) }

    /// Their numbers, in order.
    var numbers: [Int] {
        var (numbers, rest) = ([Int](), rawValue)
        while rest != 0 {
            numbers.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return numbers
    }
}
