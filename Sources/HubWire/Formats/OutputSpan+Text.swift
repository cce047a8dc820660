// Text into bytes whose room was looked at once, for all of it: what the hub writes is a thousand bytes a notification, and
// an array looks at its owners, its room and its end for each that is appended alone.

extension OutputSpan<UInt8> {
    /// Appends a text as it is.
    @inline(__always)
    mutating func append(_ text: borrowing Span<UInt8>) {
        for index in text.indices { append(text[index]) }
    }

    /// Appends a number of 0 to 99 with two digits.
    @inline(__always)
    mutating func append(twoDigits number: Int64) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends the first 4 or all 8 hexadecimal digits of a word, in lower case.
    @inline(__always)
    mutating func append(hexadecimal word: UInt32, digits: Int = 8) {
        // Each digit to a byte of its own, the first one lowest, then all eight to letters at once.
        var spread = UInt64(word.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = spread >> 4 & 0x000F_000F_000F_000F | (spread & 0x000F_000F_000F_000F) << 8
        let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        var text = spread &+ 0x3030_3030_3030_3030 &+ isLetter &* UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
        for _ in 0..<digits {
            append(UInt8(truncatingIfNeeded: text))
            text >>= 8
        }
    }
}
