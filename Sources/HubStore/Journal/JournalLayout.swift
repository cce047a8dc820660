import HubEngine

/// How a journal's file is laid out: a header, then a ring of entries.
///
/// An entry's place is how many bytes were ever written before it; that is also how it is known: its checksum is over its
/// bytes, its place and the journal's number, so that nothing older that still stands there is taken for it. The header
/// does not say where the entries begin and end: the first is where the database says, the last is the one after which
/// none is found. So there is no moment at which a killed process leaves anything that could mislead.
enum JournalLayout {
    /// The header's room; the ring behind it begins on a page.
    static let headerBytes = 4_096
    /// In front of each entry: its length and its checksum, eight bytes each.
    static let frameBytes = 16
    /// Entries begin at multiples of it.
    static let alignment = 8

    private static let mark: UInt64 = 0x6C6C_6163_746E_6372
    private static let version: UInt64 = 1

    /// The header of a journal with a ring of so many bytes.
    static func header(id: Int64, capacity: Int) -> [UInt8] {
        var header: [UInt8] = []
        for word in [mark, version, UInt64(bitPattern: id), UInt64(capacity)] { header.append(word: word) }
        header.append(word: Checksum.of(header.span))
        return header
    }

    /// The number of the journal that a file is; nil: it is none, or damaged.
    static func id(of file: [UInt8]) -> Int64? {
        guard file.count > headerBytes else { return nil }
        let id = Int64(bitPattern: file.word(at: 16))
        return file.starts(with: header(id: id, capacity: file.count - headerBytes)) ? id : nil
    }

    /// The room that an entry takes with its frame.
    static func room(for length: Int) -> Int { frameBytes + (length + alignment - 1) / alignment * alignment }

    /// What stands in front of an entry.
    static func frame(of payload: ArraySlice<UInt8>, id: Int64, position: UInt64) -> [UInt8] {
        var frame: [UInt8] = []
        frame.append(word: UInt64(payload.count))
        frame.append(word: checksum(of: payload, id: id, position: position))
        return frame
    }

    static func checksum(of payload: ArraySlice<UInt8>, id: Int64, position: UInt64) -> UInt64 {
        // Odd factors, so that no two places are the same.
        let seed = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 &+ position &* 0xD6E8_FEB8_6659_FD93
        return Checksum.of(payload.span, seed: seed)
    }
}

extension [UInt8] {
    mutating func append(word: UInt64) {
        for shift in 0..<8 { append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
    }
}

extension Collection<UInt8> where Index == Int {
    /// Eight bytes as a number, the low ones first; what is not there counts as 0.
    func word(at start: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<8 where start + offset < endIndex {
            word |= UInt64(self[start + offset]) << UInt64(8 * offset)
        }
        return word
    }
}
