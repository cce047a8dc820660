import HubMedia
import HubTestSupport
import Testing

@Suite struct SoundTests {
    @Test func `ten seconds of audio are aligned to the sample in less than a second`() throws {
        let speech = try Playout.speech()
        let original = Array((speech + speech).prefix(480_000))
        let recording = [Int16](repeating: 0, count: 7_777) + original.map { $0 / 2 }
        let clock = ContinuousClock()
        var alignment: Sound.Alignment?
        let time = clock.measure { alignment = Sound.align(recording, to: original) }
        #expect(alignment?.lag == 7_777)
        #expect((alignment?.correlation ?? 0) > 0.999)
        // Generous: the machine may be busy with other tests.
        #expect(time < .seconds(30))
    }

    @Test func `a truncated beginning gives a negative lag`() throws {
        let original = try Speech.espeak("A cut beginning is found as well.")
        let alignment = Sound.align(Array(original.dropFirst(12_345)), to: original)
        #expect(alignment.lag == -12_345)
        #expect(alignment.correlation > 0.999)
    }

    @Test func `different speech does not correlate`() throws {
        let one = try Speech.espeak("Completely different words were spoken here.")
        let other = try Speech.espeak("Nothing of that was ever said by anybody.")
        #expect(Sound.align(one, to: other).correlation < 0.5)
    }

    @Test(arguments: [100.0, 440, 1_234.5, 7_000])
    func `a tone is detected by its spectrum`(hertz: Double) throws {
        var tone = Tone(hertz: hertz)
        let samples = tone.next(48_000)
        let found = try #require(Sound.dominantFrequency(samples))
        #expect(abs(found - hertz) < 0.5)
        #expect(Sound.shareOfEnergy(at: hertz, in: samples) > 0.99)
        #expect(Sound.shareOfEnergy(at: hertz * 2, in: samples) < 0.01)
    }

    @Test func `gaps are found at their positions`() {
        var tone = Tone(hertz: 440)
        let sound = tone.next(4_800) + [Int16](repeating: 0, count: 2_400) + tone.next(4_800)
        #expect(Sound.gaps(sound) == [4_800..<7_200])
        #expect(Sound.dominantFrequency([Int16](repeating: 0, count: 48_000)) == nil)
    }
}
