import Glibc
import Testing

@testable import HubMixing

/// The limiter of a mix.
@Suite struct LimiterTests {
    private func limit(_ limiter: inout Limiter, _ sums: [Int32]) -> [Int16] {
        var output = [Int16](repeating: 0, count: sums.count)
        sums.withUnsafeBufferPointer { sums in
            output.withUnsafeMutableBufferPointer { limiter.limit(sums, into: $0) }
        }
        return output
    }

    private func sums(_ frame: Int, peak: Double) -> [Int32] {
        (0..<960).map { Int32(peak * sin(2 * .pi * 200 * Double(frame * 960 + $0) / 48_000)) }
    }

    @Test func `a sum with room stays as it is`() {
        var limiter = Limiter()
        #expect(limit(&limiter, sums(0, peak: 29_000)) == sums(0, peak: 29_000).map { Int16($0) })
        #expect(limiter.gain == 1)
    }

    @Test func `a sum beyond full scale is never clipped, but for the first 2,5 ms`() {
        var limiter = Limiter()
        var heard: [Int16] = []
        for frame in 0..<20 { heard += limit(&limiter, sums(frame, peak: 90_000)) }
        #expect(heard.dropFirst(120).allSatisfy { abs(Int($0)) <= 29_201 })
        #expect(heard.suffix(960).map { abs(Int($0)) }.max() ?? 0 > 29_000)
    }

    @Test func `a loud word is followed by no swelling`() {
        var limiter = Limiter()
        for frame in 0..<10 { _ = limit(&limiter, sums(frame, peak: 60_000)) }
        let low = limiter.gain
        for frame in 10..<60 { _ = limit(&limiter, sums(frame, peak: 8_000)) }
        // A second later it is 3 dB up, and after some more it does nothing.
        #expect(abs(20 * log10(limiter.gain / low) - 3) < 0.2)
        for frame in 60..<200 { _ = limit(&limiter, sums(frame, peak: 8_000)) }
        #expect(limiter.gain == 1)
    }

    @Test func `a steady loud mix has a steady gain`() {
        var limiter = Limiter()
        var gains: [Float] = []
        for frame in 0..<100 {
            _ = limit(&limiter, zip(sums(frame, peak: 30_000), sums(frame * 3, peak: 25_000)).map { $0 + $1 })
            gains.append(limiter.gain)
        }
        let steady = gains.dropFirst(10)
        #expect(20 * log10((steady.max() ?? 1) / (steady.min() ?? 1)) < 0.5)
    }
}
