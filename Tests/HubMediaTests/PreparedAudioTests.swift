import HubMedia
import HubTestSupport
import Testing

@Suite struct PreparedAudioTests {
    @Test func `the loop point of the tone is inaudible`() throws {
        let tone = try PreEncodedAudio.tone()
        let heard = try decode(tone, packets: 150)
        #expect(tone.count == 50)
        for second in 0..<3 {
            let part = Array(heard[(second * 48_000)..<((second + 1) * 48_000)].dropFirst(second == 0 ? 4_800 : 0))
            #expect(Sound.shareOfEnergy(at: 440, in: part) > 0.99)
        }
        let steps = zip(heard[90_000..<100_000], heard[90_001..<100_001]).map { abs(Int($1) - Int($0)) }
        #expect((steps.max() ?? 0) < 700)
    }

    @Test func `the music is long enough, never silent, and not too loud`() throws {
        let music = HoldMusic.loop()
        #expect(music.count == 614_400)
        #expect(music == HoldMusic.loop())
        let levels = Sound.levels(music, window: 9_600)
        #expect(levels.allSatisfy { $0 > 0.01 && $0 < 0.3 })
        let join = zip(music.suffix(240) + music.prefix(240), (music.suffix(240) + music.prefix(240)).dropFirst())
        #expect(join.allSatisfy { abs(Int($1) - Int($0)) < 1_500 })
    }

    @Test func `the music correlates with itself after encoding`() throws {
        let prepared = try PreEncodedAudio.holdMusic()
        #expect(prepared.count == 640)
        #expect(prepared.byteCount < 80_000)
        let heard = try decode(prepared, packets: 250)
        #expect(Sound.align(heard, to: Array(HoldMusic.loop().prefix(250 * 960))).correlation > 0.9)
    }

    @Test func `the playback position depends only on the clock`() throws {
        let tone = try PreEncodedAudio.tone()
        #expect(tone.index(atNanoseconds: 0) == 0)
        #expect(tone.index(atNanoseconds: 19_999_999) == 0)
        #expect(tone.index(atNanoseconds: 20_000_000) == 1)
        #expect(tone.index(atNanoseconds: 1_000_000_000) == 0)
        #expect(tone.index(atNanoseconds: -1) == 49)
        #expect((0...49).contains(tone.index(atNanoseconds: .max)))
        #expect((0...49).contains(tone.index(atNanoseconds: .min)))
        #expect(tone.withPacket(at: 51) { Array($0) } == tone.withPacket(at: 1) { Array($0) })
        #expect(tone.withPacket(at: -1) { Array($0) } == tone.withPacket(at: 49) { Array($0) })
    }

    @Test func `a loop must consist of whole frames`() {
        #expect(throws: MediaError.self) { try PreEncodedAudio(loop: [1, 2, 3]) }
        #expect(throws: MediaError.self) { try PreEncodedAudio(loop: []) }
    }

    private func decode(_ audio: PreEncodedAudio, packets: Int) throws -> [Int16] {
        var decoder = try OpusDecoder()
        return try (0..<packets).flatMap { try decoder.decode(audio.withPacket(at: $0) { Array($0) }) }
    }
}
