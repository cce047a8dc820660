/// How long a party that plays a file is heard by nobody at most, though it plays all the time.
enum LongestPause {
    /// Listens to the file as another device of the run would, alone and undisturbed.
    ///
    /// - Parameters:
    ///   - packets: The file, 20 ms each; it is played over and over.
    ///   - number: The party's voice.
    ///   - book: The voices of the run.
    /// - Returns: The longest time between two moments at which the party is heard; nil: it never is.
    static func of(_ packets: [[UInt8]], voice number: Int, _ book: VoiceBook) -> Duration? {
        let (ear, frame) = (Ear(book), Duration.milliseconds(20))
        var last: Duration?
        var longest = Duration.zero
        // Twice, since the end goes over into the beginning.
        for (index, packet) in (packets + packets).enumerated() {
            for heard in ear.hear(packet, ssrc: 1, at: frame * index) where heard.voices.numbers.contains(number) {
                if let last { longest = max(longest, heard.from - last - frame) }
                last = heard.from
            }
        }
        return last == nil ? nil : longest
    }

    /// The pauses of all voices, by their numbers: none but for those who play a file.
    ///
    /// - Parameters:
    ///   - book: The voices of the run.
    ///   - players: Who plays which file.
    ///   - files: The packets of the files.
    /// - Returns: A duration each.
    /// - Throws: ``SoundFault`` where a file does not tell in time who is heard.
    static func all(
        _ book: VoiceBook,
        _ players: [(party: Int, file: String)],
        _ files: [String: [[UInt8]]]
    ) throws(SoundFault) -> [Duration] {
        var pauses = book.voices.map { _ in Duration.zero }
        for (party, file) in players where pauses.indices.contains(party) {
            guard let pause = of(files[file] ?? [], voice: party, book) else {
                throw SoundFault(sentence: "\(file) cannot be told from silence, or from what somebody else plays")
            }
            guard pause <= most else {
                let sentence = "\(file) is silent for \(pause.seconds) on end, as far as it can be known again;"
                throw SoundFault(sentence: sentence + " with up to \(most.seconds) it can be told who is heard")
            }
            pauses[party] = max(pauses[party], pause)
        }
        return pauses
    }

    /// So long an expectation waits anyway.
    private static let most = Duration.seconds(2)
}

/// Why a file of sound is not what a party can play.
struct SoundFault: Error, CustomStringConvertible {
    /// One sentence without a stop at its end.
    var sentence: String
    var description: String { sentence }
}
