import HubWire

/// A JSON5 value of any type.
package enum JSON5Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON5Value])
    case object([String: JSON5Value])

    /// A short description of the value for error messages.
    package var summary: String {
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

/// The first syntax error of a text.
struct JSON5Fault: Error, Equatable {
    /// The line number, from 1.
    let line: Int
    /// The column in characters, from 1.
    let column: Int
    /// The description of the expected and the found text, one sentence with a full stop.
    let message: String
}
