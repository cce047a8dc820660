import HubMedia
import Testing

/// The conversion between samples and time.
struct AudioFormatTests {
    @Test func `a number of samples far beyond any call is the longest or shortest duration, whatever its rest`() {
        // The last whole milliseconds that fit, with rests that do not.
        let last = Int64.max / 1_000_000
        for samples in [last * 48 + 38, last * 48 + 47, last * 48 + 48, .max] {
            #expect(AudioFormat.nanoseconds(ofSamples: samples) == .max, "\(samples)")
            #expect(AudioFormat.nanoseconds(ofSamples: -samples) == .min, "\(samples)")
        }
        #expect(AudioFormat.nanoseconds(ofSamples: 960) == 20_000_000)
        #expect(AudioFormat.nanoseconds(ofSamples: -1) == -20_833)
    }
}
