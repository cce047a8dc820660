import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Files that become music for parties on hold.
@Suite struct EncodedTrackTests {
    private func wav(hertz: Double, seconds: Int) throws -> TemporaryFile {
        let file = try TemporaryFile(".wav")
        var tone = Tone(hertz: hertz)
        var writer = try WAVWriter(path: file.path)
        try writer.append(tone.next(seconds * 48_000))
        try writer.close()
        return file
    }

    private func heard(_ audio: PreEncodedAudio, from first: Int, count: Int) throws -> Double? {
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        for index in first..<(first + count) {
            samples += try audio.withPacket(at: index) { try decoder.decode([UInt8]($0)) }
        }
        return Sound.dominantFrequency(samples)
    }

    @Test func `tracks are packets of 20 ms, which are played in turn`() throws {
        let files = [try wav(hertz: 440, seconds: 1), try wav(hertz: 700, seconds: 2)]
        let tracks = try files.map { file in
            try #require(try EncodedTrack.encoding(file.path, maximumBytes: 1_000_000))
        }
        #expect(tracks.map(\.packetCount) == [50, 100])
        let audio = try #require(PreEncodedAudio(tracks: tracks.map(\.bytes)))
        #expect(audio.count == 150)
        for index in 0..<150 {
            let samples = audio.withPacket(at: index) { OpusPacket.durationInSamples(of: $0) }
            #expect(samples == 960)
        }
        #expect(abs(try #require(try heard(audio, from: 10, count: 30)) - 440) < 5)
        #expect(abs(try #require(try heard(audio, from: 70, count: 30)) - 700) < 5)
        #expect(abs(try #require(try heard(audio, from: 160, count: 30)) - 440) < 5)
    }

    @Test func `an Ogg Opus file is encoded anew, as mono`() throws {
        let source = try wav(hertz: 500, seconds: 1)
        let file = try TemporaryFile(".ogg")
        let sink = try openAudioSink(file.path)
        var reader = try WAVReader(path: source.path)
        try sink.append(try reader.readAll())
        try sink.close()
        let track = try #require(try EncodedTrack.encoding(file.path, maximumBytes: 1_000_000))
        let audio = try #require(PreEncodedAudio(tracks: [track.bytes]))
        #expect((49...52).contains(audio.count))
        #expect(abs(try #require(try heard(audio, from: 5, count: 30)) - 500) < 5)
    }

    @Test func `a file that is too long gives no track, and one without sound an error`() throws {
        let file = try wav(hertz: 440, seconds: 1)
        let bytes = try #require(try EncodedTrack.encoding(file.path, maximumBytes: 1_000_000)).bytes.count
        #expect(try EncodedTrack.encoding(file.path, maximumBytes: bytes)?.packetCount == 50)
        #expect(try EncodedTrack.encoding(file.path, maximumBytes: bytes - 1) == nil)
        #expect(try EncodedTrack.encoding(file.path, maximumBytes: 0) == nil)
        let empty = try wav(hertz: 440, seconds: 0)
        #expect(throws: MediaError.self) { try EncodedTrack.encoding(empty.path, maximumBytes: 1_000_000) }
        for (ending, content) in [(".mp3", "x"), (".wav", ""), (".ogg", "RIFF"), (".wav", "OggS"), ("", "x")] {
            let other = try TemporaryFile(ending, Array(content.utf8))
            #expect(throws: MediaError.self) { try EncodedTrack.encoding(other.path, maximumBytes: 1_000_000) }
        }
        #expect(throws: MediaError.self) { try EncodedTrack.encoding("/nowhere/a.wav", maximumBytes: 1_000_000) }
        #expect(throws: MediaError.self) { try EncodedTrack.encoding("-", maximumBytes: 1_000_000) }
    }

    @Test func `no number in a file's headers can end the program`() throws {
        let files = [try wav(hertz: 440, seconds: 1).bytes(), try oggBytes()]
        let extremes: [UInt64] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, .max >> 1, .max]
        for (ending, good) in zip([".wav", ".ogg"], files) {
            for start in 0..<min(96, good.count - 8) {
                for value in extremes {
                    for width in [1, 2, 4, 8] {
                        var bytes = good
                        for index in 0..<width {
                            bytes[start + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
                        }
                        let file = try TemporaryFile(ending, Array(bytes.prefix(3_000)))
                        _ = try? EncodedTrack.encoding(file.path, maximumBytes: 400)
                    }
                }
            }
        }
    }

    private func oggBytes() throws -> [UInt8] {
        let file = try TemporaryFile(".ogg")
        let sink = try openAudioSink(file.path)
        var tone = Tone(hertz: 440)
        try sink.append(tone.next(48_000))
        try sink.close()
        return try file.bytes()
    }

    @Test func `damaged tracks in a database are played as far as they are whole`() {
        let packet: [UInt8] = [0, 2, 0x78, 1]
        #expect(PreEncodedAudio(tracks: []) == nil)
        for damage: [UInt8] in [[], [0], [0, 0], [0, 1], [0xFF, 0xFF], [0xFF, 0xFF, 1], [4, 0xFC, 1]] {
            #expect(PreEncodedAudio(tracks: [damage]) == nil)
            #expect(PreEncodedAudio(tracks: [packet + damage, packet])?.count == 2)
        }
    }
}
