/// A JSON value as tokens and key sets have them, read strictly: see ``JSONReader``.
enum JSONValue: Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

    /// The texts of an array that has nothing but texts.
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
struct JSONObject: Hashable {
    private var members: [[UInt8]: JSONValue] = [:]

    /// What a member is; nil if there is none.
    subscript(name: String) -> JSONValue? { members[Array(name.utf8)] }

    /// Adds a member.
    ///
    /// - Returns: False if there is one of that name.
    mutating func add(_ value: JSONValue, named name: [UInt8]) -> Bool {
        members.updateValue(value, forKey: name) == nil
    }
}

/// Why a text is not JSON that is taken here.
enum JSONFault: Error, Hashable {
    case notUTF8
    case syntax(at: Int)
    case tooDeep
    case twice(String)

    /// What is wrong, as the end of "it …".
    var reason: String {
        switch self {
        case .notUTF8: "is not UTF-8"
        case .syntax(let place): "is not JSON at byte \(place)"
        case .tooDeep: "has more than \(JSONReader.maximumDepth) levels of JSON"
        case .twice(let name): "has the member \(quoted(name)) twice"
        }
    }
}

/// A text of somebody else's in quotes, short enough and plain enough for an error's sentence.
func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(40).map { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F ? $0 : "?" }
    let isCut = text.unicodeScalars.count > 40
    return "\"" + String(String.UnicodeScalarView(plain)) + (isCut ? "…\"" : "\"")
}
