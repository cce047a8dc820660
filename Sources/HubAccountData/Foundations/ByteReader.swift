/// A reader of numbers and byte ranges from data that may be damaged: nil where the data does not hold one.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The number of unread bytes.
    package var remaining: Int { bytes.endIndex - index }

    /// Reads the next byte; nil at the end.
    package mutating func byte() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    /// Reads a variable-length integer (LEB128), seven bits in each byte, the low ones first; nil where there is none.
    package mutating func number() -> UInt64? {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while let byte = byte() {
            // The tenth byte holds one bit.
            guard shift < 63 || byte <= 1 else { return nil }
            number |= UInt64(byte & 0x7F) &<< shift
            guard byte & 0x80 != 0 else { return number }
            shift += 7
        }
        return nil
    }

    /// Reads a variable-length count; nil if it is above `limit`.
    package mutating func count(upTo limit: Int) -> Int? {
        guard let number = number(), limit >= 0, number <= UInt64(limit) else { return nil }
        return Int(number)
    }

    /// Reads the next `count` bytes; nil if fewer are left.
    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { index += count }
        return bytes[index..<index + count]
    }
}

extension [UInt8] {
    /// Appends a variable-length integer; see `ByteReader.number()`.
    package mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
