import HubEngine
import HubWire
import Testing

@testable import HubServer

/// The values of the last hour that an administrator sees.
struct HourlyHistoryTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)

    private static func moment(_ sample: Int) -> Instant { start + .seconds(10 * sample) }

    /// A history of so many samples, in each of which 100 packets more were forwarded and one call more refused.
    private static func history(_ count: Int) -> HourlyHistory {
        var history = HourlyHistory(every: .seconds(10))
        history.begin(at: start)
        var counters = HourlyHistory.Counters()
        for sample in 0..<count {
            counters.calls = sample
            counters.relayed += 100
            counters.refusals = [("messages", sample)]
            counters.latency.observe(40_000)
            history.add(counters, at: moment(sample))
        }
        return history
    }

    @Test func `a sample is due at the start and once each interval`() {
        var history = HourlyHistory(every: .seconds(10))
        #expect(history.nextDeadline == nil)
        history.begin(at: Self.start)
        let first = [history.isDue(at: Self.start), history.isDue(at: Self.start)]
        #expect(first == [true, false])
        #expect(history.nextDeadline == Self.moment(1))
        let second = [history.isDue(at: Self.moment(1) + .nanoseconds(-1)), history.isDue(at: Self.moment(1))]
        #expect(second == [false, true])
        var none = HourlyHistory(every: nil)
        none.begin(at: Self.start)
        let isDue = none.isDue(at: Self.moment(100))
        #expect(none.nextDeadline == nil && !isDue)
    }

    @Test func `an hour is kept, whatever the hub's age, and packets are those of an interval`() {
        for count in [0, 1, 359, 360, 361, 5_000] {
            let samples = Self.history(count).history(since: nil).samples
            #expect(samples.count == min(count, 360))
            #expect(samples.last?.calls == (count == 0 ? nil : count - 1))
            #expect(samples.allSatisfy { $0.packets == 100 })
        }
        let recent = Self.history(400).history(since: Self.moment(397))
        #expect(recent.samples.map(\.calls) == [398, 399])
        #expect(recent.intervalSeconds == 10)
        #expect(Self.history(10).history(since: Self.moment(99)).samples == [])
    }

    @Test func `refusals of the last hour are those since the oldest sample, or all before an hour has passed`() {
        func lastHour(_ samples: Int) -> [AdminStatus.Refusals] {
            Self.history(samples).refusals([("messages", 5_000), ("new", 2)])
        }
        #expect(lastHour(0).map(\.lastHour) == [5_000, 2])
        #expect(lastHour(359).map(\.lastHour) == [5_000, 2])
        #expect(lastHour(360).map(\.lastHour) == [5_000, 2])
        #expect(lastHour(460).map(\.lastHour) == [4_900, 2])
        #expect(lastHour(460).map(\.total) == [5_000, 2])
    }

    @Test func `the percentile is that of the interval alone`() {
        var before = LatencyHistogram()
        for _ in 0..<1_000 { before.observe(200_000_000) }
        var after = before
        #expect(after.percentile99(since: before) == nil)
        for _ in 0..<100 { after.observe(60_000) }
        let fast = after.percentile99(since: before)
        #expect(fast.map { (50_000...100_000).contains($0) } == true)
        for _ in 0..<100 { after.observe(UInt64.max / 1_000) }
        #expect(after.percentile99(since: before) == 250_000_000)
    }

    @Test func `the last warnings and errors are kept, also those that the level leaves out, without lower ones`() {
        var settings = LogSettings()
        settings.level = .error
        settings.write = { _ in }
        let log = HubLog(settings: settings)
        for number in 0..<80 {
            log(.warning, "warned", ["number": "\(number)"])
            log(.info, "informed")
        }
        log(.error, "failed", ["what": "a \"b\""])
        let lines = settings.recent.newestFirst
        #expect(lines.count == 50)
        #expect(lines[0].level == .error && lines[0].text == #"failed what="a \"b\"""#)
        #expect(lines[1].text == "warned number=79" && lines[49].text == "warned number=31")
    }
}
