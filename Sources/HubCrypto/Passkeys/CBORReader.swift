/// Reads the subset of CBOR that authenticators send (CTAP2's canonical form): definite lengths in their shortest form,
/// and no tags or floating-point numbers.
///
/// The order of a map's keys is not checked: nothing is computed over bytes that were encoded again.
struct CBORReader {
    /// The maximum nesting depth of arrays and maps.
    ///
    /// More: costs stack for nothing; attestation statements have at most four levels.
    static let maximumDepth = 8

    private let bytes: [UInt8]
    private var position: Int

    private init(_ bytes: [UInt8], from position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// Reads exactly one value.
    ///
    /// - Throws: `CBORError`, ``CBORError/trailingBytes`` if anything follows the value.
    static func value(of bytes: [UInt8]) throws(CBORError) -> CBORValue {
        let (value, end) = try first(of: bytes, from: 0)
        guard end == bytes.count else { throw .trailingBytes }
        return value
    }

    /// Reads one value, which others may follow.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - position: The place of the value's first byte, from 0 to the number of bytes.
    /// - Returns: The value and the place behind it.
    /// - Throws: `CBORError` for bytes that are cut off, or not of the subset.
    static func first(of bytes: [UInt8], from position: Int) throws(CBORError) -> (value: CBORValue, end: Int) {
        guard (0...bytes.count).contains(position) else { throw .truncated }
        var reader = CBORReader(bytes, from: position)
        return (try reader.value(depth: 0), reader.position)
    }

    private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
        let head = try take(1)[0]
        let kind = head >> 5
        guard kind < 7 else { return try simple(head & 0x1F) }
        let number = try argument(head & 0x1F)
        switch kind {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(try take(number))
        case 3: return .text(try text(number))
        case 4: return .array(try array(number, depth: depth + 1))
        case 5: return .map(try map(number, depth: depth + 1))
        default: throw .unsupported
        }
    }

    private func simple(_ value: UInt8) throws(CBORError) -> CBORValue {
        switch value {
        case 20: .flag(false)
        case 21: .flag(true)
        case 22: .null
        default: throw .unsupported
        }
    }

    /// Reads the number of a head: a value, or a length.
    private mutating func argument(_ short: UInt8) throws(CBORError) -> UInt64 {
        guard short >= 24 else { return UInt64(short) }
        guard short <= 27 else { throw .unsupported }
        let count = 1 << (short - 24)
        let number = try take(UInt64(count)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isShortest = count == 1 ? number >= 24 : number >> UInt64(count * 4) > 0
        guard isShortest else { throw .notShortest }
        return number
    }

    private mutating func text(_ count: UInt64) throws(CBORError) -> String {
        let bytes = try take(count)
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .notUTF8 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func array(_ count: UInt64, depth: Int) throws(CBORError) -> [CBORValue] {
        var elements: [CBORValue] = []
        for _ in 0..<(try elementCount(count, bytesPerElement: 1, depth)) { elements.append(try value(depth: depth)) }
        return elements
    }

    private mutating func map(_ count: UInt64, depth: Int) throws(CBORError) -> [CBORValue: CBORValue] {
        var members: [CBORValue: CBORValue] = [:]
        for _ in 0..<(try elementCount(count, bytesPerElement: 2, depth)) {
            let key = try value(depth: depth)
            guard members.updateValue(try value(depth: depth), forKey: key) == nil else { throw .duplicateKey }
        }
        return members
    }

    /// Checks the announced number of elements against the bytes that are left, before anything is reserved.
    private func elementCount(_ count: UInt64, bytesPerElement: Int, _ depth: Int) throws(CBORError) -> Int {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        guard count <= UInt64((bytes.count - position) / bytesPerElement) else { throw .truncated }
        return Int(count)
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> [UInt8] {
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }
}
