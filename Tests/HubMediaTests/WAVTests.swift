import Foundation
import HubMedia
import HubSimulation
import HubTestSupport
import Testing

@Suite struct WAVTests {
    @Test func `16-bit mono at 48 kHz round-trips bit by bit`() throws {
        var random = SeededRandom(seed: 4)
        let samples = (0..<50_001).map { _ in Int16(truncatingIfNeeded: random.next()) }
        let file = try TemporaryFile(".wav")
        var writer = try WAVWriter(path: file.path)
        try writer.append(samples)
        try writer.close()
        var reader = try WAVReader(path: file.path)
        #expect(try reader.readAll() == samples)
    }

    @Test func `a recording interrupted by a kill lacks at most its last second`() throws {
        let file = try TemporaryFile(".wav")
        var writer = try WAVWriter(path: file.path)
        for _ in 0..<120 { try writer.append([Int16](repeating: 7, count: 960)) }
        // The file is looked at before the writer closes it.
        let bytes = try file.bytes()
        let sizeInHeader = (0..<4).reduce(0) { $0 | Int(bytes[40 + $1]) << (8 * $1) }
        #expect(sizeInHeader == 96_000 * 2)
        var reader = try WAVReader(path: file.path)
        #expect(try reader.readAll().count == 96_000)
        try writer.close()
    }

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000])
    func `a tone of any sample rate is resampled to 48 kHz`(rate: Int) throws {
        let samples = (0..<rate).map { Int16(10_000 * sine(440 * Double($0) / Double(rate))) }
        let heard = try read(wav(rate: rate, bits: 16, data: samples.flatMap(littleEndian)))
        #expect(heard.count == 48_000)
        var tone = Tone(hertz: 440, amplitude: 10_000 / 32_767)
        let alignment = Sound.align(heard, to: tone.next(48_000))
        #expect(alignment.correlation > 0.999)
        #expect(Sound.shareOfEnergy(at: 440, in: heard) > 0.999)
    }

    @Test(arguments: [8, 16, 24, 32, -32])
    func `each sample format is read, two channels are mixed`(bits: Int) throws {
        let data = (0..<48_000).flatMap { index -> [UInt8] in
            let value = 0.25 * sine(440 * Double(index) / 48_000)
            return encode(value * 2, bits: bits) + encode(0, bits: bits)
        }
        let heard = try read(wav(channels: 2, bits: abs(bits), format: bits < 0 ? 3 : 1, data: data))
        #expect(heard.count == 48_000)
        #expect(Sound.shareOfEnergy(at: 440, in: heard) > 0.99)
        let level = try #require(Sound.levels(heard, window: 48_000).first)
        #expect(abs(level - 0.25 / 2.0.squareRoot()) < 0.01)
    }

    @Test func `an extensible header, odd chunks and unknown sizes are read`() throws {
        let data = (0..<960).flatMap { littleEndian(Int16($0)) }
        var bytes = Array("RIFF".utf8) + [255, 255, 255, 255] + Array("WAVEJUNK".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        bytes += Array("fmt ".utf8) + [40, 0, 0, 0] + fmt(format: 0xFFFE, channels: 1, rate: 48_000, bits: 16)
        bytes += [22, 0, 16, 0, 4, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 14)
        for size: [UInt8] in [[255, 255, 255, 255], [0, 0, 0, 0], [128, 7, 0, 0]] {
            let heard = try read(bytes + Array("data".utf8) + size + data)
            #expect(heard == (0..<960).map { Int16($0) })
        }
    }

    @Test func `an unsupported file is reported with the supported formats`() throws {
        let mp3 = try TemporaryFile(".wav", wav(format: 0x55, data: []))
        #expect {
            _ = try WAVReader(path: mp3.path)
        } throws: {
            "\($0)".hasSuffix(
                ": the samples are of WAV format 85 with 16 bits; "
                    + "they must be PCM of 8, 16, 24 or 32 bits or floating point of 32 bits"
            )
        }
        #expect {
            _ = try WAVReader(path: "/no/such/file.wav")
        } throws: {
            "\($0)" == "/no/such/file.wav cannot be opened for reading: No such file or directory"
        }
        #expect(throws: MediaError.self) { _ = try WAVReader(path: "/tmp") }
        #expect(throws: MediaError.self) { _ = try openAudioSource("sound.mp3") }
    }

    @Test func `damaged files end or are refused, without a crash`() throws {
        var random = SeededRandom(seed: 5)
        let good = wav(channels: 2, data: random.bytes(4_000))
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<60, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            _ = try? read(bytes)
        }
    }

    private func read(_ bytes: [UInt8]) throws -> [Int16] {
        let file = try TemporaryFile(".wav", bytes)
        var reader = try WAVReader(path: file.path)
        return try reader.readAll()
    }
}

/// Makes a WAV file of any kind.
private func wav(channels: Int = 1, rate: Int = 48_000, bits: Int = 16, format: Int = 1, data: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + [16, 0, 0, 0]
        + fmt(format: format, channels: channels, rate: rate, bits: bits)
        + Array("data".utf8) + littleEndian(UInt32(data.count)) + data
}

private func fmt(format: Int, channels: Int, rate: Int, bits: Int) -> [UInt8] {
    littleEndian(UInt16(format)) + littleEndian(UInt16(channels)) + littleEndian(UInt32(rate))
        + littleEndian(UInt32(rate * channels * bits / 8)) + littleEndian(UInt16(channels * bits / 8))
        + littleEndian(UInt16(bits))
}

private func encode(_ value: Double, bits: Int) -> [UInt8] {
    switch bits {
    case 8: [UInt8(128 + value * 127)]
    case 16: littleEndian(Int16(value * 32_767))
    case 24: Array(littleEndian(Int32(value * 8_388_607)).prefix(3))
    case 32: littleEndian(Int32(value * 2_147_483_647))
    default: littleEndian(Float(value).bitPattern)
    }
}

private func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

private func sine(_ cycles: Double) -> Double {
    sin(2 * .pi * cycles)
}
