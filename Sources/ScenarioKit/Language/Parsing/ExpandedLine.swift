/// A line with its variables filled in, and a mapping back to the columns of the file.
struct ExpandedLine {
    /// The line's number in the file.
    let number: Int
    /// The line's text.
    private(set) var text = ""
    /// The offset in bytes at which each part of the text begins, and its column in the file.
    private var parts: [(offset: Int, column: Int, isValue: Bool)] = []

    /// Fills in a line's variables.
    ///
    /// - Parameters:
    ///   - line: The line as it stands in the file.
    ///   - variables: The variables in scope; their values contain no further variables.
    /// - Throws: A syntax error if a variable is unknown or has no closing brace, or if the line gets too long.
    init(_ line: SourceLine, variables: Variables) throws(LineSyntaxError) {
        number = line.number
        var column = line.indent + 1
        var rest = line.text[...]
        while let brace = Self.nextBrace(in: rest) {
            parts.append((text.utf8.count, column, false))
            text += rest[..<brace]
            column += rest[..<brace].unicodeScalars.count
            guard let end = rest.unicodeScalars[brace...].firstIndex(of: "}") else {
                throw LineSyntaxError(column: column, sentence: "after \"{\" come a variable's name and \"}\"")
            }
            parts.append((text.utf8.count, column, true))
            text += try variables.value(of: rest[rest.unicodeScalars.index(after: brace)..<end], column: column)
            column += rest[brace...end].unicodeScalars.count
            rest = rest[rest.unicodeScalars.index(after: end)...]
            guard text.utf8.count <= ScenarioLimits.lineBytes else { break }
        }
        parts.append((text.utf8.count, column, false))
        text += rest
        guard text.utf8.count <= ScenarioLimits.lineBytes else {
            let sentence = "with its variables filled in this line has more than \(ScenarioLimits.lineBytes) bytes"
            throw LineSyntaxError(column: line.indent + 1, sentence: sentence)
        }
    }

    /// Returns the file's column of a byte of the text; within a variable's value, that of the variable.
    func column(at offset: Int) -> Int {
        guard let part = parts.last(where: { $0.offset <= offset }), !part.isValue else {
            return parts.last { $0.offset <= offset }?.column ?? 1
        }
        let between = text.utf8.dropFirst(part.offset).prefix(offset - part.offset)
        return part.column + between.count { $0 & 0b1100_0000 != 0b1000_0000 }
    }

    /// Returns the index of the next brace that no backslash escapes; nil: there is none.
    private static func nextBrace(in text: Substring) -> Substring.Index? {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return nil }
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "{" {
                return index
            }
        }
        return nil
    }
}

/// The variables that `let` and `for each` have set, each once.
struct Variables {
    private var values: [String: (value: String, line: Int)] = [:]

    /// Returns a variable's value; throws a syntax error if the variable is unknown.
    func value(of name: Substring, column: Int) throws(LineSyntaxError) -> String {
        if let known = values[String(name)] { return known.value }
        let ending = Suggestion.nearest(to: String(name), among: values.keys.sorted()).map { "; did you mean \($0)?" }
        let help = ending ?? "; a line \"let \(NameSyntax.isVariable(name) ? name : "ring") = …\" sets one"
        throw LineSyntaxError(column: column, sentence: "\(String(name).quoted) is no variable here\(help)")
    }

    /// Sets a variable; throws a syntax error if its name is invalid or in use, or if there are too many.
    mutating func set(_ name: String, to value: String, in line: ExpandedLine) throws(LineSyntaxError) {
        guard NameSyntax.isVariable(name) else {
            let sentence = "\(name.quoted) cannot be a variable's name; letters and digits can, such as in ring2"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        if let known = values[name] {
            let sentence = "\(name.quoted) is set in line \(known.line) already; another name is right"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        guard values.count < ScenarioLimits.variables else {
            let sentence = "there are \(ScenarioLimits.variables) variables already; fewer are right"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        values[name] = (value, line.number)
    }
}
