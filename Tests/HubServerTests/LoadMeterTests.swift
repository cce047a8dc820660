import Testing

@testable import HubServer

@Suite struct LoadMeterTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a loop at work half of the time has a busy share of one half`() {
        var meter = LoadMeter(at: 0)
        meter.endIteration(at: 0)
        for turn in 0..<100 as Range<UInt64> {
            meter.beginIteration(at: turn * 20_000_000)
            meter.endIteration(at: turn * 20_000_000 + 10_000_000)
        }
        let load = meter.load(at: 2 * Self.second)
        #expect(abs(load.busyShare - 0.5) < 0.02)
        #expect(load.longestIteration == .milliseconds(10))
        #expect(meter.iterations == 100)
        #expect(meter.busyNanoseconds == Self.second)
    }

    @Test func `the longest iteration is that of the last second only`() {
        var meter = LoadMeter(at: 0)
        meter.endIteration(at: 300_000_000)
        meter.beginIteration(at: Self.second)
        meter.endIteration(at: Self.second + 5)
        #expect(meter.load(at: Self.second + 6).longestIteration == .milliseconds(300))
        meter.beginIteration(at: 2 * Self.second)
        meter.endIteration(at: 2 * Self.second + 7)
        #expect(meter.load(at: 3 * Self.second).longestIteration == .nanoseconds(7))
    }

    @Test func `a loop that waits for long is idle at any query`() {
        var meter = LoadMeter(at: 0)
        meter.endIteration(at: 900_000_000)
        #expect(meter.load(at: 100 * Self.second).busyShare == 0.009)
        #expect(meter.load(at: 200 * Self.second).busyShare == 0)
    }

    @Test func `a query during an iteration includes the work so far`() {
        var meter = LoadMeter(at: 0)
        meter.endIteration(at: 0)
        meter.beginIteration(at: Self.second)
        #expect(meter.load(at: 2 * Self.second) == LoadMeter.Load(busyShare: 0.5, longestIteration: .seconds(1)))
        meter.endIteration(at: 3 * Self.second)
        #expect(meter.busyNanoseconds == 2 * Self.second)
        #expect(meter.iterationStart == Self.second)
    }

    @Test func `a second call to wake changes nothing and reads no clock`() {
        var meter = LoadMeter(at: 7)
        var reads = 0
        func clock() -> UInt64 {
            reads += 1
            return 9
        }
        meter.beginIteration(at: clock())
        #expect(reads == 0)
        #expect(meter.iterationStart == 7)
    }

    @Test func `a loop at work reports its load`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let began = try #require(server.onLoop { $0.now })
        // Work for longer than the meter's window, as seen from the loop itself.
        let load = server.onLoop { loop in
            while loop.now < began + 1_200_000_000 {}
            return loop.load
        }
        #expect(try #require(load).longestIteration > .seconds(1))
        #expect(try #require(load).busyShare > 0.5)
        #expect(try #require(server.onLoop { $0.meter.pointee.iterations }) > 0)
    }
}
