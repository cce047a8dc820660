/// The pieces of a line, read from the left to the right.
struct Words {
    /// All pieces.
    let tokens: [Token]
    /// How many are read.
    private(set) var index = 0
    private let line: FilledLine

    init(_ line: FilledLine) throws(Complaint) {
        tokens = try Tokenizer.tokens(of: line)
        self.line = line
    }

    /// The piece that comes next; nil: the line is over.
    var next: Token? { token(index) }
    /// The line's number in the file.
    var lineNumber: Int { line.number }
    /// Where that stands in the file's line.
    var column: Int { column(of: index) }

    /// The text of the piece that comes next, if that is a word; the one so many words later.
    func word(_ later: Int = 0) -> String? {
        token(index + later).flatMap { $0.kind == .word ? $0.text : nil }
    }

    /// Reads a piece, if it is of this kind.
    mutating func take(_ kind: Token.Kind) -> Token? {
        guard let next, next.kind == kind else { return nil }
        index += 1
        return next
    }

    /// Reads a word or several with one blank between each two, if they come next.
    mutating func take(_ phrase: String) -> Bool {
        let expected = phrase.split(separator: " ")
        for (offset, part) in expected.enumerated() {
            guard let word = word(offset), word == part else { return false }
        }
        index += expected.count
        return true
    }

    /// Reads a comma or a colon, if it comes next.
    mutating func takes(_ kind: Token.Kind) -> Bool { take(kind) != nil }

    /// Reads a word or several, or says that they belong here.
    mutating func require(_ phrase: String) throws(Complaint) {
        guard take(phrase) else { throw expected("\"\(phrase)\"") }
    }

    /// Reads a colon, or says what comes behind the one that belongs here.
    mutating func requireColon(before what: String) throws(Complaint) {
        guard takes(.colon) else { throw expected("\":\" and \(what)") }
    }

    /// Says that something else belongs here: `after "hold" comes a call, such as A`.
    func expected(_ what: String) -> Complaint {
        guard let last = token(index - 1) else {
            return Complaint(column: column, sentence: "here belongs \(what)\(next.map { ", not \($0.shown)" } ?? "")")
        }
        let instead = next.map { ", not \($0.shown)" + (hint ?? "") } ?? ""
        return Complaint(column: column, sentence: "after \(last.shown) comes \(what)\(instead)")
    }

    /// Says that the next word is none of some.
    ///
    /// Such as: `"invalidActoin" is no error of the hub; did you mean invalidAction?`
    ///
    /// - Parameters:
    ///   - kind: What it is none of.
    ///   - words: Those that there are.
    ///   - document: Where they are listed, for when they are many.
    /// - Returns: What is wrong.
    func unknown(_ kind: String, among words: [String], listedIn document: String = "docs/scenarios.md") -> Complaint {
        guard let word = word() else { return expected("\("aeio".contains(kind.prefix(1)) ? "an" : "a") \(kind)") }
        let ending = Suggestion.ending(for: word, among: words, listedIn: document)
        return Complaint(column: column, sentence: "\(word.quoted) is no \(kind)\(ending)")
    }

    /// Says that the line should be over.
    func checkEnd() throws(Complaint) {
        guard let next else { return }
        throw Complaint(column: column, sentence: "the step ends before \(next.shown)\(hint ?? "")")
    }

    /// That a blank is missing in the next word, the end of a sentence; nil: none is.
    var hint: String? {
        guard let text = word() else { return nil }
        if text.contains(",") { return "; after a comma comes a blank" }
        return text.contains(":") ? "; after a colon comes a blank" : nil
    }

    /// Where a piece stands in the file's line; behind the last one, where the line ends.
    ///
    /// To be asked only where something is wrong: it is counted from the line's beginning.
    func column(of index: Int) -> Int {
        line.column(at: token(index)?.offset ?? line.text.utf8.count)
    }

    private func token(_ index: Int) -> Token? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }
}
