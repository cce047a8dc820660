/// A cursor over the tokens of a line.
struct TokenCursor {
    /// All tokens of the line.
    let tokens: [Token]
    /// The number of tokens that are read.
    private(set) var index = 0
    private let line: ExpandedLine

    init(_ line: ExpandedLine) throws(LineSyntaxError) {
        tokens = try Tokenizer.tokens(of: line)
        self.line = line
    }

    /// The next token; nil: the line is at its end.
    var next: Token? { token(index) }
    /// The line's number in the file.
    var lineNumber: Int { line.number }
    /// The file's column of the next token.
    var column: Int { column(of: index) }

    /// Returns the text of the next token, or the one `later` tokens after it; nil: it is no word.
    func word(_ later: Int = 0) -> String? {
        token(index + later).flatMap { $0.kind == .word ? $0.text : nil }
    }

    /// Reads the next token if it is of this kind.
    mutating func take(_ kind: Token.Kind) -> Token? {
        guard let next, next.kind == kind else { return nil }
        index += 1
        return next
    }

    /// Reads a phrase of one or several words, if it comes next.
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

    /// Reads a phrase; throws a syntax error if something else comes next.
    mutating func require(_ phrase: String) throws(LineSyntaxError) {
        guard take(phrase) else { throw expected("\"\(phrase)\"") }
    }

    /// Reads a colon; throws a syntax error that names the part behind the colon if something else comes next.
    mutating func requireColon(before what: String) throws(LineSyntaxError) {
        guard takes(.colon) else { throw expected("\":\" and \(what)") }
    }

    /// Returns a syntax error: something else is expected here: `after "hold" comes a call, such as A`.
    func expected(_ what: String) -> LineSyntaxError {
        guard let last = token(index - 1) else {
            return LineSyntaxError(
                column: column,
                sentence: "here belongs \(what)\(next.map { ", not \($0.shown)" } ?? "")"
            )
        }
        let instead = next.map { ", not \($0.shown)" + (hint ?? "") } ?? ""
        return LineSyntaxError(column: column, sentence: "after \(last.shown) comes \(what)\(instead)")
    }

    /// Returns a syntax error: the next word is not one of the known words.
    ///
    /// An example: `"invalidActoin" is no error of the hub; did you mean invalidAction?`
    ///
    /// - Parameters:
    ///   - kind: The kind of the known words, for the sentence.
    ///   - words: The known words.
    ///   - document: The document that lists the words if they are too many for a sentence.
    /// - Returns: The syntax error at the next word's column.
    func unknown(_ kind: String, among words: [String], listedIn document: String = "docs/scenarios.md")
        -> LineSyntaxError
    {
        guard let word = word() else { return expected("\("aeio".contains(kind.prefix(1)) ? "an" : "a") \(kind)") }
        let ending = Suggestion.ending(for: word, among: words, listedIn: document)
        return LineSyntaxError(column: column, sentence: "\(word.quoted) is no \(kind)\(ending)")
    }

    /// Throws a syntax error if there are more tokens.
    func checkEnd() throws(LineSyntaxError) {
        guard let next else { return }
        throw LineSyntaxError(column: column, sentence: "the step ends before \(next.shown)\(hint ?? "")")
    }

    /// The end of a sentence about a missing blank in the next word; nil: no blank is missing.
    var hint: String? {
        guard let text = word() else { return nil }
        if text.contains(",") { return "; after a comma comes a blank" }
        return text.contains(":") ? "; after a colon comes a blank" : nil
    }

    /// Returns the file's column of a token; of one behind the last, the column of the line's end.
    ///
    /// It counts from the line's beginning, so it is meant for error messages only.
    func column(of index: Int) -> Int {
        line.column(at: token(index)?.offset ?? line.text.utf8.count)
    }

    private func token(_ index: Int) -> Token? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }
}
