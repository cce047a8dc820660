/// A JSON value.
public enum JSON: Sendable, Equatable {
    /// null
    case null
    /// true or false
    case bool(Bool)
    /// Any number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object([String: JSON])

    /// Returns a member of an object; null where there is none.
    public subscript(name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// Returns an element of an array; null where there is none.
    public subscript(index: Int) -> JSON { elements.indices.contains(index) ? elements[index] : .null }

    /// The elements of an array; none of anything else.
    public var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// The members of an object; none of anything else.
    public var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

    /// The value of a string; nil of anything else.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a number; nil of anything else.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// Indicates that the value is `true`.
    public var isTrue: Bool { self == .bool(true) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Dictionary(elements) { $1 }) }
}
