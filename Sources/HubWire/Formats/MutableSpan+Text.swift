// Text is written into existing bytes: an array that is appended to checks its ownership, capacity and end for each
// byte, and a notification has a thousand bytes.

extension MutableSpan<UInt8> {
    /// Writes a byte at a place, which is advanced.
    @inline(__always)
    mutating func put(_ byte: UInt8, _ cursor: inout Int) {
        self[cursor] = byte
        cursor &+= 1
    }

    /// Writes a text unchanged.
    @inline(__always)
    mutating func put(_ text: borrowing Span<UInt8>, _ cursor: inout Int) {
        // A place beyond the end traps at the access; overflow checks would be half of the loop's time.
        for index in text.indices { self[cursor &+ index] = text[index] }
        cursor &+= text.count
    }

    /// Writes a text that needs no escape, between quotes.
    @inline(__always)
    mutating func put(quoted text: borrowing Span<UInt8>, _ cursor: inout Int) {
        put(UInt8(ascii: "\""), &cursor)
        put(text, &cursor)
        put(UInt8(ascii: "\""), &cursor)
    }

    /// Writes a number of 0 to 99 with two digits.
    @inline(__always)
    mutating func put(twoDigits number: Int64, _ cursor: inout Int) {
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10), &cursor)
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10), &cursor)
    }

    /// Writes a whole number, at most `maximumDecimalLength` bytes.
    mutating func put(decimal number: UInt64, _ cursor: inout Int) {
        var (end, rest) = (cursor + 1, number / 10)
        while rest > 0 { (end, rest) = (end + 1, rest / 10) }
        rest = number
        for index in (cursor..<end).reversed() {
            self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        cursor = end
    }

    /// The maximum length of a decimal number in bytes.
    static var maximumDecimalLength: Int { 20 }

    /// Writes the first 4 or all 8 hexadecimal digits of a word, in lower case.
    @inline(__always)
    mutating func put(hexadecimal word: UInt32, digits: Int = 8, _ cursor: inout Int) {
        // Spreads the digits to a byte each, the first one lowest, then turns all eight into letters at once.
        var spread = UInt64(word.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = spread >> 4 & 0x000F_000F_000F_000F | (spread & 0x000F_000F_000F_000F) << 8
        let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        var text = spread &+ 0x3030_3030_3030_3030 &+ isLetter &* UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
        for _ in 0..<digits {
            put(UInt8(truncatingIfNeeded: text), &cursor)
            text >>= 8
        }
    }
}
