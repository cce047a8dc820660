import HubMedia
import HubSimulation
import HubTestSupport
import Testing

@Suite struct OggOpusTests {
    @Test func `packets are read as written`() throws {
        let packets = try encoded(seconds: 3)
        let file = try write(packets)
        var reader = try OggOpusReader(path: file.path)
        var found: [[UInt8]] = []
        while let packet = try reader.next() { found.append(packet.bytes) }
        #expect(found == packets)
        #expect(reader.header.preSkipInSamples == 312)
        #expect(reader.damagedPackets == 0)
    }

    @Test func `audio stored as Ogg Opus keeps its duration and position`() throws {
        let speech = try Speech.espeak("This sentence is kept in a file of the Ogg container.")
        let file = try TemporaryFile(".opus")
        let sink = try openAudioSink(file.path)
        try sink.append(speech)
        try sink.close()
        let heard = try drain(openAudioSource(file.path, decoding: true))
        // A last piece is filled up to 20 ms.
        #expect(heard.count - speech.count >= 0 && heard.count - speech.count < 960)
        let alignment = Sound.align(heard, to: speech)
        #expect(abs(alignment.lag) < 10)
        #expect(alignment.correlation > 0.9)
    }

    @Test func `pre-skip and end trimming preserve exactly the original samples`() throws {
        let file = try TemporaryFile(".opus")
        let sink = try openAudioSink(file.path)
        try sink.append([Int16](repeating: 100, count: 10_007))
        try sink.close()
        var reader = try OggOpusReader(path: file.path)
        var audible = 0
        while let packet = try reader.next() { audible += packet.audible.count }
        #expect(audible == 10_007)
    }

    @Test func `gaps are filled to keep later audio in place`() throws {
        let packets = try encoded(seconds: 2)
        let file = try TemporaryFile(".ogg")
        let writer = try OggOpusWriter(path: file.path)
        for (index, packet) in packets.enumerated() {
            // 1.0125 s: not a multiple of the speech modes' 10 ms; and one of 31 samples that waits for the next.
            if index == 40 { try writer.appendGap(ofSamples: 48_600) }
            if index == 60 { try writer.appendGap(ofSamples: 31) }
            if index == 70 { try writer.appendGap(ofSamples: 89) }
            _ = try packet.withUnsafeBytes { try writer.append($0) }
        }
        try writer.close()
        #expect(writer.durationInSamples == Int64(packets.count * 960 + 48_720))
        var reader = try OggOpusReader(path: file.path)
        var decoder = try OpusDecoder()
        var total = 0
        while let packet = try reader.next() {
            total += packet.durationInSamples
            #expect(try decoder.decode(packet.bytes).count == packet.durationInSamples)
        }
        #expect(total == packets.count * 960 + 48_720)
    }

    @Test func `a recording interrupted by a kill is readable except for its last second`() throws {
        let packets = try encoded(seconds: 5)
        let file = try TemporaryFile(".ogg")
        let writer = try OggOpusWriter(path: file.path)
        for packet in packets { _ = try packet.withUnsafeBytes { try writer.append($0) } }
        var reader = try OggOpusReader(path: file.path)
        var found = 0
        while try reader.next() != nil { found += 1 }
        #expect(found >= 200 && found < 250)
        try writer.close()
    }

    @Test func `a truncated file gives its beginning or an error`() throws {
        let packets = try encoded(seconds: 2)
        let bytes = try write(packets).bytes()
        for length in stride(from: 0, to: bytes.count, by: 37) {
            let cut = try TemporaryFile(".ogg", Array(bytes.prefix(length)))
            guard var reader = try? OggOpusReader(path: cut.path) else { continue }
            var found: [[UInt8]] = []
            while let packet = try reader.next() { found.append(packet.bytes) }
            #expect(packets.starts(with: found))
        }
    }

    @Test func `damaged files cause no crash`() throws {
        var random = SeededRandom(seed: 6)
        let good = try write(encoded(seconds: 2)).bytes()
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            let file = try TemporaryFile(".ogg", bytes)
            guard let source = try? openAudioSource(file.path, decoding: true) else { continue }
            while (try? source.nextFrame()) != nil {}
        }
    }

    @Test func `chained streams are read one after the other`() throws {
        let packets = try encoded(seconds: 1)
        let bytes = try write(packets).bytes()
        let file = try TemporaryFile(".ogg", bytes + bytes)
        var reader = try OggOpusReader(path: file.path)
        var (found, beginnings) = (0, 0)
        while let packet = try reader.next() {
            found += 1
            if packet.beginsStream { beginnings += 1 }
        }
        #expect(found == 2 * packets.count)
        #expect(beginnings == 2)
    }

    @Test func `a file that is not Ogg Opus is reported as such`() throws {
        let file = try TemporaryFile(".ogg", Array("RIFFxxxxWAVE".utf8))
        #expect {
            _ = try OggOpusReader(path: file.path)
        } throws: {
            "\($0)" == "\(file.path) is not an Ogg file; it must begin with a page of an Opus stream"
        }
    }

    @Test func `mono packets are forwarded unchanged`() throws {
        let packets = try encoded(seconds: 1)
        let file = try write(packets)
        let stream = try OpusPacketStream(openAudioSource(file.path))
        for expected in packets { #expect(try stream.nextPacket()?.bytes == expected) }
        #expect(try stream.nextPacket() == nil)
    }

    @Test func `a stereo packet and all later ones are decoded to mono samples`() throws {
        var packets = try encoded(seconds: 1)
        packets[10][0] |= 0x04
        let file = try write(packets)
        let source = try openAudioSource(file.path)
        var kinds: [Bool] = []
        while let frame = try source.nextFrame() {
            if case .packet = frame { kinds.append(true) } else { kinds.append(false) }
        }
        #expect(kinds == (0..<50).map { $0 < 10 })
    }

    @Test(arguments: [
        OpusEncoderSettings.FrameDuration.milliseconds10, .milliseconds20, .milliseconds40, .milliseconds60,
    ])
    func `samples are encoded into packets of the requested duration`(
        frame: OpusEncoderSettings.FrameDuration
    ) throws {
        let file = try TemporaryFile(".wav")
        var tone = Tone(hertz: 440)
        let sink = try openAudioSink(file.path)
        try sink.append(tone.next(48_000))
        try sink.close()
        var settings = OpusEncoderSettings()
        settings.frameDuration = frame
        let stream = try OpusPacketStream(openAudioSource(file.path), settings: settings)
        var decoder = try OpusDecoder()
        var heard: [Int16] = []
        while let packet = try stream.nextPacket() {
            #expect(packet.durationInSamples == frame.samples)
            heard += try decoder.decode(packet.bytes)
        }
        #expect(heard.count >= 48_000 && heard.count < 48_000 + frame.samples + 960)
        let frequency = try #require(Sound.dominantFrequency(heard))
        #expect(abs(frequency - 440) < 1)
    }

    @Test func `a sink of samples decodes packets and conceals gaps`() throws {
        let file = try TemporaryFile(".wav")
        let sink = try openAudioSink(file.path)
        #expect(!sink.storesPackets)
        for (index, packet) in try encoded(seconds: 1).enumerated() {
            try packet.withUnsafeBytes { try sink.append(packet: $0, afterGapOfSamples: index == 25 ? 9_600 : 0) }
        }
        try sink.close()
        var reader = try WAVReader(path: file.path)
        #expect(try reader.readAll().count == 48_000 + 9_600)
    }

    private func encoded(seconds: Int) throws -> [[UInt8]] {
        var encoder = try OpusEncoder()
        var tone = Tone(hertz: 440)
        return try (0..<(seconds * 50)).map { _ in try encoder.encode(tone.next(960)) }
    }

    private func write(_ packets: [[UInt8]]) throws -> TemporaryFile {
        let file = try TemporaryFile(".ogg")
        let writer = try OggOpusWriter(path: file.path)
        for packet in packets { _ = try packet.withUnsafeBytes { try writer.append($0) } }
        try writer.close()
        return file
    }

    private func drain(_ source: any AudioFrameSource) throws -> [Int16] {
        var all: [Int16] = []
        while case .samples(let samples) = try source.nextFrame() { all += samples }
        return all
    }
}
