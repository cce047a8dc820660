package import Foundation
package import HubEngine

extension Identifier {
    /// Converts a UUID of Foundation.
    package init(_ uuid: UUID) {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        func word(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0..<8), low: word(8..<16))
    }

    /// The identifier as a UUID of Foundation.
    package var uuid: UUID {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}

extension Instant {
    /// Converts a date; one outside of the range of 64 bits is moved to its end.
    package init(_ date: Date) {
        let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
        self.init(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }

    /// The instant as a date.
    package var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}
