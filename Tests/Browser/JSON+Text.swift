import Foundation

extension JSON: Codable, CustomStringConvertible {
    /// Reads one.
    ///
    /// - Parameter decoder: Of any format.
    /// - Throws: When it is none.
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

    /// Writes it.
    ///
    /// - Parameter encoder: Of any format.
    /// - Throws: What the encoder does.
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

    /// Reads a text.
    ///
    /// - Parameter text: A whole JSON value.
    /// - Throws: When it is none.
    public init(reading text: some Collection<UInt8>) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text))
    }

    /// As JSON text, which is an expression of JavaScript too.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
