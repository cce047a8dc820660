/// A JSON value of a token or key set, parsed strictly by ``JSONReader``.
enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array that contains only strings; nil for any other value.
    var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}

/// The members of a JSON object, by the bytes of their names.
///
/// Swift's strings are equal when they look the same (canonical equivalence); RFC 7519 section 7.3 compares code
/// points.
struct JSONObject: Hashable, Sendable {
    private var members: [[UInt8]: JSONValue] = [:]

    /// The value of a member; nil if there is none of that name.
    subscript(name: String) -> JSONValue? { members[Array(name.utf8)] }

    /// Adds a member.
    ///
    /// - Returns: False if the object already has a member of that name; its value is then replaced.
    mutating func add(_ value: JSONValue, named name: [UInt8]) -> Bool {
        members.updateValue(value, forKey: name) == nil
    }
}

/// A reason to reject a text as JSON.
enum JSONError: Error, Hashable {
    case notUTF8
    case syntax(at: Int)
    case tooDeep
    case duplicateMember(String)

    /// The reason as the end of a sentence that begins with "it …".
    var reason: String {
        switch self {
        case .notUTF8: "is not UTF-8"
        case .syntax(let place): "is not JSON at byte \(place)"
        case .tooDeep: "has more than \(JSONReader.maximumDepth) levels of JSON"
        case .duplicateMember(let name): "has the member \(quoted(name)) twice"
        }
    }
}

/// Quotes foreign text for an error message: 40 characters at most, everything but printable ASCII replaced.
func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(40).map { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F ? $0 : "?" }
    let isCut = text.unicodeScalars.count > 40
    return "\"" + String(String.UnicodeScalarView(plain)) + (isCut ? "…\"" : "\"")
}
