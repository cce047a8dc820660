import Foundation

extension JSON: Codable, CustomStringConvertible {
    /// Decodes a value.
    ///
    /// - Parameter decoder: A decoder of any format.
    /// - Throws: `DecodingError` when the input is no JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// Encodes the value.
    ///
    /// - Parameter encoder: An encoder of any format.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Parses JSON text.
    ///
    /// - Parameter text: One complete JSON value in UTF-8.
    /// - Throws: `DecodingError` when the text is not JSON.
    public init(reading text: some Collection<UInt8>) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text))
    }

    /// The value as JSON text, which is a JavaScript expression too.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
