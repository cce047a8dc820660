/// Converts UTF-16 to UTF-8 in chunks; spreadsheets save "Unicode text" as UTF-16.
struct UTF16Text {
    private let isBigEndian: Bool
    /// The incomplete character at the end of the last chunk.
    private var rest: [UInt8]

    /// Detects UTF-16 by a file's byte order mark, or by the zero bytes of ASCII; nil: the file is not UTF-16.
    ///
    /// - Parameter start: The first bytes of the file; the byte order mark is removed from them.
    init?(_ start: inout [UInt8]) {
        switch (start.first, start.dropFirst().first) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        case (let first?, 0) where first != 0 && start.dropFirst(3).first == 0: isBigEndian = false
        case (0, let second?) where second != 0 && start.dropFirst(2).first == 0: isBigEndian = true
        default: return nil
        }
        if start[0] >= 0xFE { start.removeFirst(2) }
        rest = []
    }

    /// Converts a chunk to UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the file.
    ///   - isLast: True for the last chunk, whose incomplete character is not kept for a next one.
    /// - Returns: The converted text, without the incomplete character at its end.
    mutating func utf8(_ bytes: some Sequence<UInt8>, isLast: Bool) -> [UInt8] {
        rest += bytes
        var units: [UInt16] = []
        units.reserveCapacity(rest.count / 2)
        var place = 0
        while place + 1 < rest.count {
            let (first, second) = (UInt16(rest[place]), UInt16(rest[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            place += 2
        }
        // The first half of a surrogate pair is kept for the next chunk.
        if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            place -= 2
        }
        rest.removeFirst(place)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
