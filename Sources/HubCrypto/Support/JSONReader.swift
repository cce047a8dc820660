import HubWire

/// Reads JSON strictly (RFC 8259), and rejects an object with a duplicate member.
///
/// `JSONDecoder` silently picks one of the duplicates; another reader of the same token may pick the other one
/// (RFC 8725 section 3.11, RFC 7519 section 4).
enum JSONReader {
    /// The maximum nesting depth of arrays and objects.
    ///
    /// More: costs stack for nothing, since none of this project's claims has more than three levels; less: no room for
    /// other issuers' claims.
    static let maximumDepth = 16

    /// Reads exactly one value, in UTF-8 without a byte order mark.
    static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .notUTF8 }
        return try tree(document(bytes).root, depth: 0)
    }

    private static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try JSONDocument(bytes)
        } catch {
            switch error {
            case .unexpected(let place, _), .wrong(let place, _): throw .syntax(at: place)
            case .tooDeep: throw .tooDeep
            }
        }
    }

    private static func tree(_ value: HubWire.JSONValue, depth: Int) throws(JSONError) -> JSONValue {
        if value.isObject { return .object(try object(value, depth: depth + 1)) }
        if value.isArray { return .array(try array(value, depth: depth + 1)) }
        if let string = value.string { return .string(string) }
        if value.isNull { return .null }
        if let flag = value.flag { return .boolean(flag) }
        // A number outside the range of `Double` is a syntax error.
        guard let number = Double(String(decoding: value.text, as: UTF8.self)), number.isFinite else {
            throw .syntax(at: value.end)
        }
        return .number(number)
    }

    private static func object(_ value: HubWire.JSONValue, depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw .tooDeep }
        var members = JSONObject()
        for (name, value) in value.members {
            let text = name.string ?? ""
            guard members.add(try tree(value, depth: depth), named: Array(text.utf8)) else {
                throw .duplicateMember(text)
            }
        }
        return members
    }

    private static func array(_ value: HubWire.JSONValue, depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= maximumDepth else { throw .tooDeep }
        var elements: [JSONValue] = []
        for element in value.elements { elements.append(try tree(element, depth: depth)) }
        return elements
    }
}
