/// The identifier of a request: JSON-RPC 2.0's `id`.
public enum RequestID: Hashable, Sendable {
    /// A number in the text that was sent: `7`, but also `7.0`, which is echoed as `7.0`.
    case number(String)
    /// A string.
    case string(String)
    /// Null: discouraged by JSON-RPC, but valid.
    case null

    /// A whole number.
    public init(_ number: Int) {
        self = .number(String(number))
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .number(let text): writer.literal(text)
        case .string(let text): writer.value(text)
        case .null: writer.null()
        }
    }
}
