import Foundation
import HubMedia

/// The voices of a run, each with a number: the parties in their order, then the hub's tone and music.
struct VoiceTable: Sendable {
    /// The voices by their numbers.
    let voices: [Voice]
    /// The index of the tone that a party sends, by the party's index.
    private let positions: [Int: Int]
    /// The frequencies in Hz of the voices that are tones, by their numbers.
    let hertz: [Int: Double]
    /// The measures of the voices that are tones, without the hub's.
    let tones: [(number: Int, measure: Goertzel)]
    /// The fingerprints of the voices that are files.
    let fingerprints: [(number: Int, fingerprint: Fingerprint)]

    /// Creates the voices of a scenario.
    ///
    /// - Parameters:
    ///   - parties: The parties of the scenario.
    ///   - toneSenders: The indices of the parties that send one of the run's tones at any time; nil: all parties.
    ///   - files: The fingerprints of the played files, with the indices of their parties.
    init(_ parties: [Party], toneSenders: [Int]? = nil, files: [(party: Int, fingerprint: Fingerprint)] = []) {
        voices = parties.map { Voice.party($0.name) } + [.tone, .music]
        let toneSenders = toneSenders ?? Array(parties.indices)
        positions = Dictionary(uniqueKeysWithValues: toneSenders.enumerated().map { ($1, $0) })
        hertz = parties.enumerated().reduce(into: [:]) { [positions] hertz, entry in
            let (number, party) = entry
            hertz[number] = party.underTest?.hertz.map(Double.init) ?? positions[number].flatMap(PartyTone.hertz)
        }
        tones = hertz.sorted { $0.key < $1.key }.map { number, hertz in
            (number, Goertzel(hertz: hertz, samplesPerSecond: ToneDetector.samplesPerSecond))
        }
        fingerprints = files.map { ($0.party, $0.fingerprint) }
    }

    /// Returns the index of a party's tone among the run's; nil: it sends none.
    func toneIndex(of party: Int) -> Int? { positions[party] }

    /// The number of the hub's tone.
    var tone: Int { voices.count - 2 }
    /// The number of the hub's music.
    var music: Int { voices.count - 1 }

    /// Returns a voice's number; nil: it is no voice of the run.
    func number(of voice: Voice) -> Int? { voices.firstIndex(of: voice) }

    /// The measure of the hub's tone.
    static let hubTone = Goertzel(hertz: 440, samplesPerSecond: ToneDetector.samplesPerSecond)

    /// The fingerprint of the hub's music; nil: libopus fails.
    static let hubMusic: Fingerprint? = {
        guard let music = try? PreEncodedAudio.holdMusic() else { return nil }
        return try? Fingerprint((0..<music.count).map { index in music.withPacket(at: index) { Array($0) } })
    }()
}

/// A set of voices of a ``VoiceTable``.
struct VoiceSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt128

    init(rawValue: UInt128) { self.rawValue = rawValue }

    /// Creates a set of one voice by its number, 0 to 127; otherwise an empty set.
    init(number: Int) { self.init(rawValue: (0..<128).contains(number) ? 1 << UInt128(number) : 0) }

    /// The voices' numbers, in order.
    var numbers: [Int] {
        var (numbers, rest) = ([Int](), rawValue)
        while rest != 0 {
            numbers.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return numbers
    }
}
