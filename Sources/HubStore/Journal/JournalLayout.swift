import HubAccountData

/// The layout of a journal's file: a header, then a ring of entries.
///
/// An entry's position is the number of bytes ever written before it. Its checksum covers its bytes, its position and
/// the journal's number, so that no older entry at the same place is mistaken for it. The header does not contain the
/// begin and end of the entries: the first is at the position in the database, and the last is the one that no valid
/// entry follows. So a process may be killed at any moment without leaving a misleading state.
enum JournalLayout {
    /// The size of the header; the ring behind it begins on a page.
    static let headerBytes = 4_096
    /// The size of an entry's frame, its length and its checksum, eight bytes each.
    static let frameBytes = 16
    /// The alignment of entries in bytes.
    static let alignment = 8

    private static let magicNumber: UInt64 = 0x6C6C_6163_746E_6372
    private static let version: UInt64 = 1

    /// The header of a journal with a ring of `capacity` bytes.
    static func header(id: Int64, capacity: Int) -> [UInt8] {
        var header: [UInt8] = []
        for word in [magicNumber, version, UInt64(bitPattern: id), UInt64(capacity)] { header.append(word: word) }
        header.append(word: Checksum.of(header.span))
        return header
    }

    /// The number of the journal in a file; nil: the file is no journal, or damaged.
    static func id(of file: [UInt8]) -> Int64? {
        guard file.count > headerBytes else { return nil }
        let id = Int64(bitPattern: file.word(at: 16))
        return file.starts(with: header(id: id, capacity: file.count - headerBytes)) ? id : nil
    }

    /// The size of an entry with its frame and padding, in bytes.
    static func paddedSize(for length: Int) -> Int { frameBytes + (length + alignment - 1) / alignment * alignment }

    /// The frame that precedes an entry.
    static func frame(of payload: ArraySlice<UInt8>, id: Int64, position: UInt64) -> [UInt8] {
        var frame: [UInt8] = []
        frame.append(word: UInt64(payload.count))
        frame.append(word: checksum(of: payload, id: id, position: position))
        return frame
    }

    static func checksum(of payload: ArraySlice<UInt8>, id: Int64, position: UInt64) -> UInt64 {
        // Odd factors, so that no two positions have the same seed.
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
    /// Eight bytes as a little-endian number; missing bytes count as 0.
    func word(at start: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<8 where start + offset < endIndex {
            word |= UInt64(self[start + offset]) << UInt64(8 * offset)
        }
        return word
    }
}
