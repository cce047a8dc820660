import HubEngine

// Parties, devices, calls and handles; names must exist.
extension LineParser {
    /// Reads a party, and its device if one is named: `alice`, `alice's laptop`.
    ///
    /// - Parameter others: Further words that are valid here, for suggestions.
    /// - Returns: The party and its device.
    /// - Throws: A complaint if no party or device has the name.
    mutating func who(besides others: [String]) throws(Complaint) -> Who {
        guard let word = words.word() else { throw words.expected("a party, such as alice") }
        guard let owner = Self.owner(word) else { return Who(try partyName(besides: others, orRather: .openers)) }
        let party = try partyName(owner)
        return Who(party, device: try device(of: party))
    }

    /// Reads the next word as a known party's name, without its `'s` if it has one.
    ///
    /// - Parameters:
    ///   - owner: The name without `'s`; nil: the whole word is the name.
    ///   - others: Further words that are valid here, for suggestions.
    ///   - synonyms: The synonyms that people write at this place; nil: none.
    /// - Returns: The party's name.
    /// - Throws: A complaint if no party has the name.
    mutating func partyName(
        _ owner: String? = nil,
        besides others: [String] = [],
        orRather synonyms: Synonyms? = nil
    ) throws(Complaint) -> String {
        guard let word = words.word() else { throw words.expected("a party, such as alice") }
        let name = owner ?? word
        guard cast.party(name) != nil else { throw nobody(name, besides: others, synonyms) }
        _ = words.take(.word)
        return name
    }

    /// Reads the next word as one of a party's devices.
    mutating func device(of party: String) throws(Complaint) -> String {
        let devices = cast.party(party)?.devices.compactMap(\.self) ?? []
        guard let word = words.word() else {
            throw words.expected(devices.first.map { "a device, such as \($0)" } ?? "a device")
        }
        let name = Self.owner(word) ?? word
        guard devices.contains(name) else {
            let none = "; \(party) has one without a name: \"party \(party) on phone, laptop\" gives names"
            let ending = devices.isEmpty ? none : Suggestion.ending(for: name, among: devices)
            throw Complaint(column: words.column, sentence: "\(name.quoted) is no device of \(party)\(ending)")
        }
        _ = words.take(.word)
        return name
    }

    /// Reads the name of a call that an earlier line has named.
    mutating func call() throws(Complaint) -> CallName {
        guard let word = words.word(), Names.isCall(word) else { throw words.expected("a call, such as A") }
        guard cast.calls.contains(word) else {
            let ending = Suggestion.nearest(to: word, among: cast.calls).map { "; did you mean \($0)?" }
            let there = cast.calls.isEmpty ? "; nobody has called" : "; there are \(Suggestion.listed(cast.calls))"
            let only = cast.calls.count == 1 ? "; there is only \(cast.calls[0])" : there
            throw Complaint(column: words.column, sentence: "\(word.quoted) is no call so far\(ending ?? only)")
        }
        _ = words.take(.word)
        return CallName(word)
    }

    /// Reads the new name of a call, behind `as`.
    mutating func newCall() throws(Complaint) -> CallName {
        guard let word = words.word(), Names.isCall(word) else { throw words.expected("the call's name, such as A") }
        _ = words.take(.word)
        return CallName(word)
    }

    /// Registers a call's name; throws a complaint if there are too many.
    mutating func name(_ call: CallName) throws(Complaint) {
        guard cast.calls.count < Limits.calls || cast.calls.contains(call.text) else {
            let sentence = "there are \(Limits.calls) names of calls already; one may be given anew"
            throw Complaint(column: words.column, sentence: sentence)
        }
        cast.name(call.text)
    }

    /// Reads the target of a call or a list entry: a party, a built-in party or a handle.
    mutating func target() throws(Complaint) -> Target {
        let what = "a party, such as bob, or a handle, such as phoneNumber:4912345"
        guard let word = words.word() else { throw words.expected(what) }
        if cast.party(word) != nil {
            _ = words.take(.word)
            return .party(word)
        }
        if let builtIn = BuiltInParty(rawValue: word) {
            _ = words.take(.word)
            return .handle(builtIn.handle)
        }
        if let handle = try handle() { return .handle(handle) }
        guard Names.isParty(word) || Names.isCall(word) else { throw words.expected(what) }
        throw nobody(word, besides: BuiltInParty.allCases.map(\.rawValue))
    }

    /// Reads a handle, `phoneNumber:4912345` or `generic:"two words"`; nil: the next word contains no colon.
    mutating func handle() throws(Complaint) -> Handle? {
        guard let word = words.word(), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let kind = String(word[..<colon])
        guard let type = Vocabulary.handleTypes.first(where: { $0.word == kind })?.type else {
            let ending = Suggestion.ending(for: kind, among: Vocabulary.handleTypes.map(\.word))
            throw Complaint(column: words.column, sentence: "\(kind.quoted) is no type of handle\(ending)")
        }
        _ = words.take(.word)
        let value = String(word[word.utf8.index(after: colon)...])
        guard value.isEmpty else { return Handle(type: type, value: value) }
        guard let next = words.next, next.isGlued, let quoted = words.take(.quoted) else {
            throw words.expected("the handle itself, without a blank")
        }
        return Handle(type: type, value: quoted.text)
    }

    /// Reads a new name of a party or a device.
    mutating func newName(_ kind: String) throws(Complaint) -> String {
        guard let word = words.word(), Names.isParty(word) else {
            throw words.expected("\(kind) with a small letter, such as \(kind == "a party" ? "alice" : "phone")")
        }
        guard !Vocabulary.reserved.contains(word) else {
            let sentence = "\(word.quoted) is a word of the language; \(kind) needs another name"
            throw Complaint(column: words.column, sentence: sentence)
        }
        _ = words.take(.word)
        return word
    }

    /// Returns the name before `'s`; nil: the word does not end with it.
    static func owner(_ word: String) -> String? {
        for ending in ["'s", "’s"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
        return nil
    }

    /// Returns the complaint about an unknown party, with a suggestion.
    private func nobody(_ name: String, besides others: [String] = [], _ synonyms: Synonyms? = nil) -> Complaint {
        if Names.isCall(name) {
            let sentence =
                "\(name.quoted) begins with a capital, as calls do; a party has a small letter: \(name.lowercased())"
            return Complaint(column: words.column, sentence: sentence)
        }
        let ending =
            if let other = synonyms?.right(for: words) {
                "; did you mean \"\(other.right)\"?"
            } else if let nearest = Suggestion.nearest(to: name, among: cast.names + others) {
                "; did you mean \(nearest)?"
            } else if let hint = words.hint {
                hint
            } else if cast.isDeclared, couldBeParty(name) {
                "; \"parties \((cast.names.prefix(3) + [name]).joined(separator: ", "))\" would declare it"
            } else if cast.names.isEmpty {
                "; who takes part calls or is called"
            } else {
                "; there \(cast.names.count == 1 ? "is only" : "are") \(Suggestion.listed(cast.names))"
            }
        return Complaint(column: words.column, sentence: "\(name.quoted) is nobody in this scenario\(ending)")
    }

    /// Indicates that an unknown word may be a party's name, by its form and the word after it.
    private func couldBeParty(_ name: String) -> Bool {
        guard Names.isParty(name), !Vocabulary.reserved.contains(name) else { return false }
        guard let next = words.word(1) else { return true }
        return Self.verbs.contains(next) || Self.followers.contains(next) || Names.isCall(next)
    }

    /// The words that may follow a party, besides its verbs.
    private static let followers: Set<String> = [
        "and", "or", "for", "within", "as", "with", "named", "rings", "does", "has", "hears", "never", "audio",
        "recents",
    ]
}
