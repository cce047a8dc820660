import HubEngine

// Parties, devices, calls and handles; names must exist.
extension LineParser {
    /// Reads a party, and its device if one is named: `alice`, `alice's laptop`.
    ///
    /// - Parameter others: Further words that are valid here, for suggestions.
    /// - Returns: The party and its device.
    /// - Throws: A syntax error if no party or device has the name.
    mutating func deviceReference(besides others: [String]) throws(LineSyntaxError) -> DeviceReference {
        guard let word = words.word() else { throw words.expected("a party, such as alice") }
        guard let owner = Self.owner(word) else {
            return DeviceReference(try partyName(besides: others, orRather: .leadingKeywords))
        }
        let party = try partyName(owner)
        return DeviceReference(party, device: try device(of: party))
    }

    /// Reads the next word as a known party's name, without its `'s` if it has one.
    ///
    /// - Parameters:
    ///   - owner: The name without `'s`; nil: the whole word is the name.
    ///   - others: Further words that are valid here, for suggestions.
    ///   - synonyms: The synonyms that people write at this place; nil: none.
    /// - Returns: The party's name.
    /// - Throws: A syntax error if no party has the name.
    mutating func partyName(
        _ owner: String? = nil,
        besides others: [String] = [],
        orRather synonyms: KeywordSynonyms? = nil
    ) throws(LineSyntaxError) -> String {
        guard let word = words.word() else { throw words.expected("a party, such as alice") }
        let name = owner ?? word
        guard participants.party(name) != nil else { throw unknownParty(name, besides: others, synonyms) }
        _ = words.take(.word)
        return name
    }

    /// Reads the next word as one of a party's devices.
    mutating func device(of party: String) throws(LineSyntaxError) -> String {
        let devices = participants.party(party)?.devices.compactMap(\.self) ?? []
        guard let word = words.word() else {
            throw words.expected(devices.first.map { "a device, such as \($0)" } ?? "a device")
        }
        let name = Self.owner(word) ?? word
        guard devices.contains(name) else {
            let none = "; \(party) has one without a name: \"party \(party) on phone, laptop\" gives names"
            let ending = devices.isEmpty ? none : Suggestion.ending(for: name, among: devices)
            throw LineSyntaxError(column: words.column, sentence: "\(name.quoted) is no device of \(party)\(ending)")
        }
        _ = words.take(.word)
        return name
    }

    /// Reads the name of a call that an earlier line has named.
    mutating func call() throws(LineSyntaxError) -> CallName {
        guard let word = words.word(), NameSyntax.isCall(word) else { throw words.expected("a call, such as A") }
        guard participants.calls.contains(word) else {
            let ending = Suggestion.nearest(to: word, among: participants.calls).map { "; did you mean \($0)?" }
            let there =
                participants.calls.isEmpty
                ? "; nobody has called" : "; there are \(Suggestion.listed(participants.calls))"
            let only = participants.calls.count == 1 ? "; there is only \(participants.calls[0])" : there
            throw LineSyntaxError(column: words.column, sentence: "\(word.quoted) is no call so far\(ending ?? only)")
        }
        _ = words.take(.word)
        return CallName(word)
    }

    /// Reads the new name of a call, behind `as`.
    mutating func newCall() throws(LineSyntaxError) -> CallName {
        guard let word = words.word(), NameSyntax.isCall(word) else {
            throw words.expected("the call's name, such as A")
        }
        _ = words.take(.word)
        return CallName(word)
    }

    /// Registers a call's name; throws a syntax error if there are too many.
    mutating func name(_ call: CallName) throws(LineSyntaxError) {
        guard participants.calls.count < ScenarioLimits.calls || participants.calls.contains(call.text) else {
            let sentence = "there are \(ScenarioLimits.calls) names of calls already; one may be given anew"
            throw LineSyntaxError(column: words.column, sentence: sentence)
        }
        participants.name(call.text)
    }

    /// Reads the target of a call or a list entry: a party, a built-in party or a handle.
    mutating func target() throws(LineSyntaxError) -> Target {
        let what = "a party, such as bob, or a handle, such as phoneNumber:4912345"
        guard let word = words.word() else { throw words.expected(what) }
        if participants.party(word) != nil {
            _ = words.take(.word)
            return .party(word)
        }
        if let builtIn = BuiltInParty(rawValue: word) {
            _ = words.take(.word)
            return .handle(builtIn.handle)
        }
        if let handle = try handle() { return .handle(handle) }
        guard NameSyntax.isParty(word) || NameSyntax.isCall(word) else { throw words.expected(what) }
        throw unknownParty(word, besides: BuiltInParty.allCases.map(\.rawValue))
    }

    /// Reads a handle, `phoneNumber:4912345` or `generic:"two words"`; nil: the next word contains no colon.
    mutating func handle() throws(LineSyntaxError) -> Handle? {
        guard let word = words.word(), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let kind = String(word[..<colon])
        guard let type = Keywords.handleTypes.first(where: { $0.word == kind })?.type else {
            let ending = Suggestion.ending(for: kind, among: Keywords.handleTypes.map(\.word))
            throw LineSyntaxError(column: words.column, sentence: "\(kind.quoted) is no type of handle\(ending)")
        }
        _ = words.take(.word)
        let value = String(word[word.utf8.index(after: colon)...])
        guard value.isEmpty else { return Handle(type: type, value: value) }
        guard let next = words.next, next.hasNoSpaceBefore, let quoted = words.take(.quoted) else {
            throw words.expected("the handle itself, without a blank")
        }
        return Handle(type: type, value: quoted.text)
    }

    /// Reads a new name of a party or a device.
    mutating func newName(_ kind: String) throws(LineSyntaxError) -> String {
        guard let word = words.word(), NameSyntax.isParty(word) else {
            throw words.expected("\(kind) with a small letter, such as \(kind == "a party" ? "alice" : "phone")")
        }
        guard !Keywords.reserved.contains(word) else {
            let sentence = "\(word.quoted) is a word of the language; \(kind) needs another name"
            throw LineSyntaxError(column: words.column, sentence: sentence)
        }
        _ = words.take(.word)
        return word
    }

    /// Returns the name before `'s`; nil: the word does not end with it.
    static func owner(_ word: String) -> String? {
        for ending in ["'s", "’s"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
        return nil
    }

    /// Returns the syntax error about an unknown party, with a suggestion.
    private func unknownParty(_ name: String, besides others: [String] = [], _ synonyms: KeywordSynonyms? = nil)
        -> LineSyntaxError
    {
        if NameSyntax.isCall(name) {
            let sentence =
                "\(name.quoted) begins with a capital, as calls do; a party has a small letter: \(name.lowercased())"
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        let ending =
            if let other = synonyms?.correct(for: words) {
                "; did you mean \"\(other.correct)\"?"
            } else if let nearest = Suggestion.nearest(to: name, among: participants.names + others) {
                "; did you mean \(nearest)?"
            } else if let hint = words.hint {
                hint
            } else if participants.isDeclared, couldBeParty(name) {
                "; \"parties \((participants.names.prefix(3) + [name]).joined(separator: ", "))\" would declare it"
            } else if participants.names.isEmpty {
                "; a party is declared by \"parties\", or by its first call"
            } else {
                "; there \(participants.names.count == 1 ? "is only" : "are") \(Suggestion.listed(participants.names))"
            }
        return LineSyntaxError(
            column: words.column,
            sentence: "\(name.quoted) is not a party of this scenario\(ending)"
        )
    }

    /// Indicates that an unknown word may be a party's name, by its form and the word after it.
    private func couldBeParty(_ name: String) -> Bool {
        guard NameSyntax.isParty(name), !Keywords.reserved.contains(name) else { return false }
        guard let next = words.word(1) else { return true }
        return Self.verbs.contains(next) || Self.wordsAfterParty.contains(next) || NameSyntax.isCall(next)
    }

    /// The words that may follow a party, besides its verbs.
    private static let wordsAfterParty: Set<String> = [
        "and", "or", "for", "within", "as", "with", "named", "rings", "does", "has", "hears", "never", "audio",
        "recents",
    ]
}
