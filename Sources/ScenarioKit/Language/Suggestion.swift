/// Suggestions of the correct word for an unknown one.
enum Suggestion {
    /// Returns the candidate with the smallest edit distance; nil: none is similar enough.
    static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let written = Array(word.lowercased().unicodeScalars.prefix(longest + 1))
        guard !written.isEmpty, written.count <= longest else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased().unicodeScalars)
            guard known.count <= longest else { continue }
            let distance = distance(written, known)
            guard distance <= max(1, min(written.count, known.count) / 3), distance < best?.distance ?? .max else {
                continue
            }
            best = (candidate, distance)
        }
        return best?.word
    }

    /// Returns the end of a sentence about an unknown word: the nearest candidate, or else a list of them.
    static func ending(
        for word: String,
        among candidates: [String],
        listedIn document: String = "docs/scenarios.md"
    ) -> String {
        if let nearest = nearest(to: word, among: candidates) { return "; did you mean \(nearest)?" }
        guard !candidates.isEmpty else { return "" }
        guard candidates.count <= mostListed else { return "; \(document) has the list" }
        return candidates.count == 1 ? "; there is only \(candidates[0])" : "; there are \(listed(candidates))"
    }

    /// Joins words into a list: `a, b and c`.
    static func listed(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Returns the number of edits from one word to another (optimal string alignment).
    ///
    /// An edit replaces, adds, removes or swaps letters, the last for two neighbouring ones.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let same = letter == other
                var least = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }

    /// The maximum number of candidates that a sentence lists: all kinds of actions, and all causes of an end.
    private static let mostListed = 13

    /// The maximum length of a compared word, in scalars: longer ones are unlikely, and comparing them takes long.
    private static let longest = 32
}

extension String {
    /// The text in quotes for a sentence, without control characters and cut to 40 scalars.
    var quoted: String {
        let shown = String(
            String.UnicodeScalarView(unicodeScalars.prefix(40).map { $0.properties.isPrintable ? $0 : "�" })
        )
        return "\"\(shown)\(unicodeScalars.count > 40 ? "…" : "")\""
    }
}

extension Unicode.Scalar.Properties {
    /// Indicates that the scalar is visible and no control character for a terminal.
    var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate, .privateUse: false
        default: true
        }
    }
}
