import Testing

@testable import callhub_trials

/// Tests of the evaluation of the trials' measurements.
struct TrialFiguresTests {
    @Test func `each segment of a pattern is found at its position, and not elsewhere`() {
        var pattern = SoundPattern(seed: 4)
        let spoken = pattern.next(4 * 48_000)
        // Recorded with a delay of 120 ms, from half a second after the talk began; a second of it is missing.
        let (delay, headStart) = (5_760, 24_000)
        var heard = [Int16](repeating: 0, count: delay) + spoken[headStart...] + [Int16](repeating: 0, count: 96_000)
        for index in 48_000..<96_000 { heard[index] = 0 }
        let stretches = PatternMatch(spoken, in: heard, headStart: headStart).stretches
        let found = stretches.compactMap(\.milliseconds).sorted()
        #expect(stretches.count >= 20)
        #expect(abs(found[found.count / 2] - 120) < 0.1)
        #expect(stretches.filter { $0.milliseconds == nil }.count >= 5)
        #expect(stretches.filter { $0.milliseconds == nil }.count <= 9)
    }

    @Test func `two patterns are distinguished`() {
        var (one, other) = (SoundPattern(seed: 1), SoundPattern(seed: 2))
        let stretches = PatternMatch(one.next(96_000), in: other.next(240_000), headStart: 0).stretches
        #expect(stretches.count(where: { $0.milliseconds != nil }) <= stretches.count / 5)
    }

    @Test func `growth is computed from the samples after the first third, and needs enough of them`() {
        let rests = (0..<12).map { number in
            SoakAudit.Rest(
                seconds: Double(number) * 30,
                residentBytes: 30_000_000 + (number < 4 ? 0 : (number - 4) * 51_200),
                openFiles: 0,
                calls: 0,
                sessions: 0
            )
        }
        #expect(abs((SoakReport.growth(rests) ?? 0) - 100) < 0.01)
        #expect(SoakReport.growth(Array(rests.prefix(6))) == nil)
    }
}
