import HubMixing
import Testing

/// The steps of a mixer that falls behind its schedule.
@Suite struct MixerPaceTests {
    private var pace = MixerPace()
    private var now: Int64 = 0

    private mutating func frames(_ count: Int, late: Int64, work: Int64) {
        for _ in 0..<count {
            now += 20_000_000
            _ = pace.finished(due: now, start: now + late, end: now + late + work)
        }
    }

    @Test mutating func `a mixer in time does all of its work`() {
        frames(1_000, late: 1_000_000, work: 8_000_000)
        #expect(pace.effort == .full)
    }

    @Test mutating func `one stall of the machine changes nothing`() {
        frames(9, late: 50_000_000, work: 1_000_000)
        frames(100, late: 0, work: 1_000_000)
        #expect(pace.effort == .full)
    }

    @Test mutating func `behind schedule it goes down step by step, and stays at the last`() {
        for effort in MixerEffort.allCases.dropFirst() {
            frames(10, late: 0, work: 25_000_000)
            #expect(pace.effort == effort)
        }
        frames(50, late: 0, work: 25_000_000)
        #expect(pace.effort == .longestPackets)
    }

    @Test mutating func `with much to spare for five seconds it goes up a step, and does not swing`() {
        frames(20, late: 0, work: 25_000_000)
        #expect(pace.effort == .threeSpeakers)
        // In time, but with little to spare.
        frames(1_000, late: 0, work: 8_000_000)
        #expect(pace.effort == .threeSpeakers)
        frames(240, late: 0, work: 1_000_000)
        #expect(pace.effort == .threeSpeakers)
        frames(20, late: 0, work: 1_000_000)
        #expect(pace.effort == .eightSpeakers)
        frames(300, late: 0, work: 1_000_000)
        #expect(pace.effort == .full)
    }
}
