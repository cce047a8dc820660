/// What people say in place of the language's words, and what a line has for it.
struct Synonyms {
    /// What is said, in the plain form: `hang up` stands for `hangs up`, too.
    private let entries: [(said: String, right: String)]

    private init(_ entries: KeyValuePairs<String, String>) { self.entries = entries.map { ($0, $1) } }

    /// What stands where these words stand; nil: they are no other name for anything.
    ///
    /// - Parameter words: From where the unknown word is on.
    /// - Returns: What was said, and what is right.
    func right(for words: Words) -> (said: String, right: String)? {
        for entry in entries {
            let said = entry.said.split(separator: " ").map(String.init)
            let written = said.indices.compactMap { words.word($0) }
            guard written.count == said.count, Self.isForm(written[0], of: said[0]),
                written.dropFirst() == said.dropFirst()
            else { continue }
            return (written.joined(separator: " "), entry.right)
        }
        return nil
    }

    /// Whether a verb is another one, or its third person.
    private static func isForm(_ word: String, of verb: String) -> Bool {
        [verb, verb + "s", verb + "es"].contains(word.lowercased())
    }

    /// What a line begins with.
    static let openers = Synonyms([
        "sleep": "wait 5 s", "pause": "wait 5 s", "assert": "expect", "check": "expect", "verify": "expect",
        "then": "the step itself", "//": "# before a comment", "--": "# before a comment",
    ])

    /// What somebody asks for.
    static let requests = Synonyms([
        "hang up": "end A", "hangup": "end A", "reject": "decline A", "refuse": "decline A", "pick up": "accept A",
        "take": "accept A", "resume": "unhold A", "retrieve": "unhold A", "park": "hold A",
        "transfer": "merge A with B", "conference": "merge A with B", "join": "merge A with B",
        "press": "key 12# on A", "send": "key 12# on A", "dtmf": "key 12# on A", "dial": "call carol as C",
        "dnd": "do not disturb on",
    ])

    /// What happens to somebody.
    static let happenings = Synonyms([
        "disconnect": "drops", "lose": "drops", "reconnect": "resumes", "come back": "resumes", "log in": "signs in",
        "log out": "leaves", "sign out": "leaves", "unfreeze": "thaws", "talk": "speaks", "dial": "calls bob",
        "ring": "calls bob", "phone": "calls bob",
    ])

    /// What is expected of somebody.
    static let expectations = Synonyms([
        "does not hear": "hears nothing\" or \"never heard alice", "doesn't hear": "hears nothing",
        "cannot hear": "hears nothing", "can hear": "hears alice", "to hear": "hears alice", "receive": "is told",
        "get": "is told", "is busy": "expect alice's A ended: remoteEnded because busy",
    ])

    /// Who is heard.
    static let voices = Synonyms([
        "silence": "nothing", "no one": "nothing", "noone": "nothing",
        "nobody else": "hears alice\", which is her alone, or \"nothing",
        "nobody": "nothing", "only": "hears alice\", which is her alone, or \"hears nothing",
        "everybody": "hears alice and bob",
    ])
}
