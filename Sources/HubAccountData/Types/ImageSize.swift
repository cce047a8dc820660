/// The width and height of an image in pixels, as its header has them: what a browser allocates memory for.
struct ImageSize: Hashable {
    let width: Int
    let height: Int

    /// The maximum width and height of a photo that others are shown.
    ///
    /// More: no use for an avatar; a few kilobytes of a compressed image could take gigabytes of each viewer's memory.
    static let maximumSide = 1_024

    /// Indicates that both sides are within the limit.
    var isSmall: Bool { (1...Self.maximumSide).contains(width) && (1...Self.maximumSide).contains(height) }

    /// Reads the header of JPEG, PNG or WebP data; nil if there is none.
    init?(_ bytes: [UInt8]) {
        let reader = Header(bytes)
        let size =
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                reader.png
            } else if bytes.starts(with: "RIFF".utf8) {
                reader.webP
            } else {
                reader.jpeg
            }
        guard let (width, height) = size else { return nil }
        (self.width, self.height) = (width, height)
    }
}

/// The bytes of an image, read at given places.
private struct Header {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var png: (Int, Int)? {
        guard has("IHDR", at: 12), let width = big(16, 4), let height = big(20, 4) else { return nil }
        return (width, height)
    }

    /// The first frame header (SOF) of a JPEG image, behind segments of other kinds.
    var jpeg: (Int, Int)? {
        var place = 2
        while let mark = byte(place), mark == 0xFF, let kind = byte(place + 1) {
            // A fill byte.
            if kind == 0xFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(kind) && ![0xC4, 0xC8, 0xCC].contains(kind)
            if isFrame {
                guard let height = big(place + 5, 2), let width = big(place + 7, 2) else { return nil }
                return (width, height)
            }
            guard let length = big(place + 2, 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    var webP: (Int, Int)? {
        if has("VP8X", at: 12), let width = little(24, 3), let height = little(27, 3) { return (width + 1, height + 1) }
        if has("VP8L", at: 12), byte(20) == 0x2F, let bits = little(21, 4) {
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        guard has("VP8 ", at: 12), let width = little(26, 2), let height = little(28, 2) else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }

    private func byte(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    private func has(_ name: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: name.utf8) }

    private func big(_ place: Int, _ count: Int) -> Int? {
        guard bytes.count >= place + count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func little(_ place: Int, _ count: Int) -> Int? {
        guard bytes.count >= place + count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
