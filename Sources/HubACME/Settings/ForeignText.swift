/// Quotes foreign text for a sentence: a limited number of characters, everything but printable ASCII replaced.
///
/// - Parameters:
///   - text: The text.
///   - limit: The most characters that are kept.
/// - Returns: The text in quotation marks.
func shown(_ text: String, limit: Int = 80) -> String {
    let plain = text.unicodeScalars.prefix(limit).map { scalar in
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F ? scalar : "?"
    }
    let isCut = text.unicodeScalars.dropFirst(limit).first != nil
    return "\"" + String(String.UnicodeScalarView(plain)) + (isCut ? "…\"" : "\"")
}
