package import HubEngine

/// The reasons why a text is no handle.
package enum HandleTextError: Error, Hashable {
    /// It begins with a word and a colon, and the word is no type of handles; the text without `callhub:`.
    case unknownType(String)
    /// There is nothing after the type.
    case empty
}

extension Handle {
    /// Parses a handle as typed: `bob`, `generic:echo`, `phoneNumber:+493012345`, `emailAddress:x@example.org`.
    ///
    /// Of a link `callhub:HANDLE` or `https://…/#call=HANDLE` the handle is taken; a link of another scheme is refused
    /// (row CK-73).
    package init(typed text: String) throws(HandleTextError) {
        var rest = text[...]
        let isPage = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        if isPage, let mark = text.firstRange(of: "#call=") {
            rest = text[mark.upperBound...].prefix { $0 != "&" }
            rest = rest.percentDecoded[...]
        } else if text.lowercased().hasPrefix("callhub:") {
            rest = rest.dropFirst("callhub:".count)
            if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
            rest = rest.percentDecoded[...]
        }
        var type = HandleType.generic
        if let colon = rest.firstIndex(of: ":") {
            guard let known = Self.typesByWord[rest[..<colon].lowercased()] else {
                throw .unknownType(String(rest))
            }
            type = known
            rest = rest[rest.index(after: colon)...]
        }
        rest = rest.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        guard !rest.isEmpty else { throw .empty }
        self.init(type: type, value: String(rest))
    }

    private static let typesByWord: [String: HandleType] = [
        "generic": .generic, "phonenumber": .phoneNumber, "tel": .phoneNumber, "emailaddress": .emailAddress,
        "mailto": .emailAddress,
    ]
}

extension Substring {
    /// The text without percent encoding (RFC 3986 section 2.1); the text itself if that is no valid encoding of UTF-8.
    fileprivate var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // A sign is no digit, which the initialiser would take for one.
            let isPair = digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            guard isPair, let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return String(self)
            }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? String(self)
    }
}
