import Foundation

/// The textual form of keys (RFC 7468).
enum PEM {
    /// Encodes bytes, in lines of 64 characters.
    static func text(of bytes: [UInt8], label: String) -> String {
        let lines = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    /// Decodes the first object with a label; nil if the text has none.
    static func bytes(of text: String, label: String) -> [UInt8]? {
        guard let start = text.range(of: "-----BEGIN \(label)-----\n"),
            let end = text.range(of: "\n-----END \(label)-----", range: start.upperBound..<text.endIndex)
        else { return nil }
        let lines = text[start.upperBound..<end.lowerBound].split(whereSeparator: \.isNewline).joined()
        return Data(base64Encoded: lines).map { Array($0) }
    }
}
