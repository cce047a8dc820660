/// The longest time for which a party is not recognized while it plays a file.
enum PauseAnalysis {
    /// Analyses a file as another device would receive it, alone and undisturbed.
    ///
    /// - Parameters:
    ///   - packets: The file's packets of 20 ms, which are played in a loop.
    ///   - number: The number of the party's voice.
    ///   - table: The voices of the run.
    /// - Returns: The longest time between two moments at which the voice is detected; nil: it never is.
    static func of(_ packets: [[UInt8]], voice number: Int, _ table: VoiceTable) -> Duration? {
        let (toneDetector, frame) = (ToneDetector(table), Duration.milliseconds(20))
        var last: Duration?
        var longest = Duration.zero
        // Twice, since the loop's end is followed by its beginning.
        for (index, packet) in (packets + packets).enumerated() {
            for receivedVoices in toneDetector.detect(packet, ssrc: 1, at: frame * index)
            where receivedVoices.voices.numbers.contains(number) {
                if let last { longest = max(longest, receivedVoices.from - last - frame) }
                last = receivedVoices.from
            }
        }
        return last == nil ? nil : longest
    }

    /// Returns the longest pauses of all voices, by their numbers; zero for those that play no file.
    ///
    /// - Parameters:
    ///   - table: The voices of the run.
    ///   - players: The numbers of the playing parties, and their files.
    ///   - files: The packets of the files.
    /// - Returns: One duration for each voice.
    /// - Throws: ``SoundFileError`` if a file is not recognizable, or not soon enough.
    static func all(
        _ table: VoiceTable,
        _ players: [(party: Int, file: String)],
        _ files: [String: [[UInt8]]]
    ) throws(SoundFileError) -> [Duration] {
        var pauses = table.voices.map { _ in Duration.zero }
        for (party, file) in players where pauses.indices.contains(party) {
            guard let pause = of(files[file] ?? [], voice: party, table) else {
                throw SoundFileError(
                    sentence: "\(file) is indistinguishable from silence or from another party's audio"
                )
            }
            guard pause <= most else {
                let sentence = "\(file) is silent for \(pause.seconds) without interruption;"
                throw SoundFileError(sentence: sentence + " up to \(most.seconds) are recognizable")
            }
            pauses[party] = max(pauses[party], pause)
        }
        return pauses
    }

    /// The maximum pause, which an expectation's default time limit covers anyway.
    private static let most = Duration.seconds(2)
}

/// The reason why a party cannot play a sound file.
struct SoundFileError: Error, CustomStringConvertible {
    /// The description, one sentence without a full stop.
    var sentence: String
    var description: String { sentence }
}
