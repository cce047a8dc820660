/// A word of untrusted input in quotes, shortened to 60 characters, without control characters.
package func quoted(_ word: String) -> String {
    "\"\(visible(String(word.prefix(60))))\(word.count > 60 ? "…" : "")\""
}

/// Makes untrusted text safe to show on a terminal.
///
/// Control, invisible and directional characters become "?".
package func visible(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(isVisible(scalar) ? scalar : "?") }
    return String(shown)
}

/// Indicates that a character is readable and is assigned by Unicode, not for private use.
package func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isReadable else { return false }
    switch scalar.properties.generalCategory {
    case .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
}

/// The text of a number without needless decimals.
package func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
}
