import HubAccountData
import Testing

/// The size of an image by its header, which a browser allocates memory for.
struct ImageSizeTests {
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ((count - 1 - $0) * 8)) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8 + big(width, 4) + big(height, 4)
    }

    /// With an application segment before the frame header, as cameras write it.
    private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    }

    private static func webP(_ width: Int, _ height: Int) -> [UInt8] {
        Array("RIFF____WEBPVP8X".utf8) + little(10, 4) + [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
    }

    private static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
        Array("RIFF____WEBPVP8L".utf8) + little(5, 4) + [0x2F] + little((width - 1) | (height - 1) << 14, 4)
    }

    private static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        Array("RIFF____WEBPVP8 ".utf8) + little(10, 4) + [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2)
            + little(height, 2)
    }

    @Test(arguments: [
        (1, 1, true), (1_024, 1_024, true), (1_025, 1, false), (1, 1_025, false), (16_383, 16_383, false),
    ])
    func `an image of at most 1,024 pixels a side is shown, in each format`(width: Int, height: Int, isSmall: Bool) {
        for make in [Self.png, Self.jpeg, Self.webP, Self.lossless, Self.lossy] {
            #expect(Photo(make(width, height))?.isSmall == isSmall)
        }
    }

    @Test(arguments: [0, 65_535, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func `a side of no pixels, or of billions, is refused`(side: Int) {
        #expect(Photo(Self.png(side, 8))?.isSmall == false)
        #expect(Photo(Self.png(8, side))?.isSmall == false)
        guard side <= 65_535 else { return }
        #expect(Photo(Self.jpeg(side, 8))?.isSmall == false)
        #expect(Photo(Self.jpeg(8, side))?.isSmall == false)
    }

    @Test func `a header that is cut off anywhere is refused`() {
        for make in [Self.png, Self.jpeg, Self.webP, Self.lossless, Self.lossy] {
            let image = make(8, 8)
            for count in 0..<(image.count - 4) { #expect(Photo(Array(image.prefix(count)))?.isSmall != true) }
        }
    }

    @Test func `segments of no length, or beyond the end, end the search`() {
        for segments: [UInt8] in [
            [0xFF, 0xE0, 0, 0], [0xFF, 0xE0, 0, 1], [0xFF, 0xE0, 0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 12_000),
            [0xFF, 0xC4, 0, 2],
        ] {
            #expect(Photo([0xFF, 0xD8] + segments)?.isSmall != true)
        }
    }
}
