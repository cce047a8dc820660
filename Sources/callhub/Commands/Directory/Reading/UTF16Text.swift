/// Makes UTF-8 of UTF-16, piece by piece: spreadsheets save as "Unicode text" what is UTF-16.
struct UTF16Text {
    private let isBigEndian: Bool
    /// What a piece ended with in the middle of a character.
    private var rest: [UInt8]

    /// Looks at how a file begins: at its byte order mark, or at the zeros that ASCII has in UTF-16; nil: it is something else.
    ///
    /// - Parameter start: The first bytes, the mark among them, which is taken out.
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

    /// A piece as UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the file.
    ///   - isLast: Whether there are no more: half a character is none then.
    /// - Returns: All of it but what goes on in the next piece.
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
        // The first half of a pair waits for the other one.
        if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            place -= 2
        }
        rest.removeFirst(place)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
