/// Any value of JSON5, before it is known what it should be.
enum JSON5Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON5Value])
    case object([String: JSON5Value])

    /// As it is told to people, in a few words.
    var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): plain(value)
        case .string(let value): quoted(value)
        case .array(let values) where values.isEmpty: "an empty list"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// The first place where a text is not JSON5.
struct JSON5Fault: Error, Equatable {
    /// From 1.
    let line: Int
    /// In characters, from 1.
    let column: Int
    /// What was expected and what was found, with a full stop.
    let message: String
}
