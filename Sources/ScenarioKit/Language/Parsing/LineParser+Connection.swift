// Events of connections, and the sound that microphones send.
extension LineParser {
    /// Reads an event of a connection; nil: the line contains none.
    mutating func connection() throws(LineSyntaxError) -> ConnectionAction? {
        if words.take("drops") { return .drops }
        if words.take("resumes") { return .resumes }
        if words.take("leaves") { return .leaves }
        if words.take("signs in") { return .signsIn }
        if words.take("freezes") { return .freezes }
        if words.take("thaws") { return .thaws }
        guard words.take("is") else { return nil }
        if words.take("delayed") {
            try words.require("by")
            return .isDelayed(by: try duration())
        }
        guard words.take("throttled") else { throw words.expected("\"delayed by\", \"throttled to\" or \"silent\"") }
        if words.take("no more") { return .isThrottled(toBitsPerSecond: nil) }
        guard words.take("to") else { throw words.expected("\"to\" and a rate, such as 20 kbit/s, or \"no more\"") }
        return .isThrottled(toBitsPerSecond: try rate())
    }

    private mutating func rate() throws(LineSyntaxError) -> Int {
        guard let word = words.word(), let number = Self.digits(word[...], atMost: 12), number > 0,
            let unit = Self.rates[words.word(1) ?? ""]
        else { throw words.expected("a rate, such as 20 kbit/s") }
        _ = words.take(.word)
        _ = words.take(.word)
        return number * unit
    }

    /// Reads a new source of sound for a microphone; nil: the line contains none.
    mutating func audioSource() throws(LineSyntaxError) -> AudioSourceSpec? {
        if words.take("speaks") { return .tone }
        if words.take("is silent") { return .silence }
        if words.take("plays") { return .file(try soundFile()) }
        return nil
    }

    /// Reads the name of a sound file; throws a syntax error if the file cannot be played.
    mutating func soundFile() throws(LineSyntaxError) -> String {
        let place = words.index
        let name = try wordOrQuoted("a file, such as song.ogg")
        guard let fault = participants.soundFileFault(name) else { return name }
        throw LineSyntaxError(column: words.column(of: place), sentence: fault)
    }

    /// The rates' units, in bits per second.
    private static let rates = ["bit/s": 1, "kbit/s": 1_000, "Mbit/s": 1_000_000]
}
