/// The icons and ringtones that scenarios refer to by name: small files, another one for each name.
enum ScenarioMedia {
    /// Returns a PNG image of 40 by 40 pixels, a disc in its alpha channel, with the name as its title.
    static func icon(named name: String) -> [UInt8] {
        let side = 40
        var pixels: [UInt8] = []
        for y in 0..<side {
            pixels.append(0)
            for x in 0..<side {
                let (dx, dy) = (2 * x - side + 1, 2 * y - side + 1)
                pixels += [0, dx * dx + dy * dy < side * side ? 255 : 0]
            }
        }
        let size = big(UInt32(side))
        let stored: [UInt8] = little(UInt16(pixels.count)) + little(~UInt16(pixels.count))
        let data: [UInt8] = [0x78, 0x01, 0x01] + stored + pixels + big(adler32(pixels))
        let title: [UInt8] = Array("Title".utf8) + [0, 0, 0, 0, 0] + Array(name.utf8.prefix(maximumNameBytes))
        let header: [UInt8] = size + size + [8, 4, 0, 0, 0]
        let chunks = [chunk("IHDR", header), chunk("iTXt", title), chunk("IDAT", data), chunk("IEND", [])]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.joined()
    }

    /// Returns a WAV file of a fifth of a second, two tones, with the name as its title.
    static func ringtone(named name: String) -> [UInt8] {
        let rate = 8_000
        var samples: [UInt8] = []
        for index in 0..<rate / 5 {
            // A square wave of 500 Hz, then one of 400 Hz.
            let half = index < rate / 10 ? 8 : 10
            samples += little(UInt16(bitPattern: (index / half).isMultiple(of: 2) ? 6_000 : -6_000))
        }
        var title = Array(name.utf8.prefix(maximumNameBytes))
        if !title.count.isMultiple(of: 2) { title.append(0) }
        // PCM, one channel, samples of 16 bits.
        var format: [UInt8] = little(UInt16(1)) + little(UInt16(1))
        format += little(UInt32(rate)) + little(UInt32(2 * rate))
        format += little(UInt16(2)) + little(UInt16(16))
        let information: [UInt8] = Array("INFO".utf8) + part("INAM", title)
        let parts = [part("fmt ", format), part("LIST", information), part("data", samples)]
        return part("RIFF", Array("WAVE".utf8) + parts.joined())
    }

    /// The maximum size of a name in a file, in bytes; it keeps the files far below what the hub takes.
    private static let maximumNameBytes = 2_000

    private static func part(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(UInt32(data.count)) + data
    }

    // MARK: PNG

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return big(UInt32(data.count)) + content + big(crc32(content))
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0xEDB8_8320 }
        }
        return ~crc
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        let (low, high) = bytes.reduce((1 as UInt32, 0 as UInt32)) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return high << 16 | low
    }

    private static func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
