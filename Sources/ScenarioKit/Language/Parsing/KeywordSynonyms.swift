/// Words that people write in place of the language's keywords, each with the correct one.
struct KeywordSynonyms {
    /// The synonyms in their base form with the correct phrases; `hang up` also matches `hangs up`.
    private let entries: [(synonym: String, correct: String)]

    private init(_ entries: KeyValuePairs<String, String>) { self.entries = entries.map { ($0, $1) } }

    /// Returns the correct phrase for the synonym at these words; nil: they are no known synonym.
    ///
    /// - Parameter words: The line's tokens from the unknown word on.
    /// - Returns: The synonym as it was written, and the correct phrase.
    func correct(for words: TokenCursor) -> (synonym: String, correct: String)? {
        for entry in entries {
            let synonym = entry.synonym.split(separator: " ").map(String.init)
            let written = synonym.indices.compactMap { words.word($0) }
            guard written.count == synonym.count, Self.isForm(written[0], of: synonym[0]),
                written.dropFirst() == synonym.dropFirst()
            else { continue }
            return (written.joined(separator: " "), entry.correct)
        }
        return nil
    }

    /// Indicates that a word is a verb's base form or its third person.
    private static func isForm(_ word: String, of verb: String) -> Bool {
        [verb, verb + "s", verb + "es"].contains(word.lowercased())
    }

    /// Synonyms for the keywords that a line begins with.
    static let leadingKeywords = KeywordSynonyms([
        "sleep": "wait 5 s", "pause": "wait 5 s", "assert": "expect", "check": "expect", "verify": "expect",
        "then": "the step itself", "//": "# before a comment", "--": "# before a comment",
    ])

    /// Synonyms for the requests of a party.
    static let requests = KeywordSynonyms([
        "hang up": "end A", "hangup": "end A", "reject": "decline A", "refuse": "decline A", "pick up": "accept A",
        "take": "accept A", "resume": "unhold A", "retrieve": "unhold A", "park": "hold A",
        "transfer": "merge A with B", "conference": "merge A with B", "join": "merge A with B",
        "press": "key 12# on A", "send": "key 12# on A", "dtmf": "key 12# on A", "dial": "call carol as C",
        "dnd": "do not disturb on",
    ])

    /// Synonyms for events and actions of a party.
    static let statements = KeywordSynonyms([
        "disconnect": "drops", "lose": "drops", "reconnect": "resumes", "come back": "resumes", "log in": "signs in",
        "log out": "leaves", "sign out": "leaves", "unfreeze": "thaws", "talk": "speaks", "dial": "calls bob",
        "ring": "calls bob", "phone": "calls bob",
    ])

    /// Synonyms for the expectations of a party.
    static let expectations = KeywordSynonyms([
        "does not hear": "hears nothing\" or \"never heard alice", "doesn't hear": "hears nothing",
        "cannot hear": "hears nothing", "can hear": "hears alice", "to hear": "hears alice", "receive": "is told",
        "get": "is told", "is busy": "expect alice's A ended: remoteEnded because busy",
    ])

    /// Synonyms for the sources of sound.
    static let voices = KeywordSynonyms([
        "silence": "nothing", "no one": "nothing", "noone": "nothing",
        "nobody else": "hears alice\", which is her alone, or \"nothing",
        "nobody": "nothing", "only": "hears alice\", which is her alone, or \"hears nothing",
        "everybody": "hears alice and bob",
    ])
}
