import HubTestSupport
import Testing

@testable import HubServer

/// The pace of docs/protocol.md, Audio, in virtual time.
struct StreamPolicerTests {
    private static let frame: Int64 = 20_000_000
    private var policer = StreamPolicer()
    private var timestamp: UInt32 = .max - 4800

    /// The next packet of 20 ms, at so many milliseconds.
    private mutating func packet(at milliseconds: Double, skipping frames: Int = 0) -> StreamPolicer.Verdict {
        timestamp &+= UInt32(960 * (1 + frames))
        return police(startsTalkSpurt: false, at: Int64(milliseconds * 1_000_000))
    }

    private mutating func police(startsTalkSpurt: Bool = true, at arrival: Int64) -> StreamPolicer.Verdict {
        policer.police(
            timestamp: timestamp,
            duration: Self.frame,
            startsTalkSpurt: startsTalkSpurt,
            at: arrival,
            lateAfter: 500_000_000
        )
    }

    @Test mutating func `packets in real time are on time, also when the timestamp wraps`() {
        for index in 0..<500 { #expect(packet(at: Double(index) * 20) == .onTime) }
    }

    @Test mutating func `audio after a pause without timestamp progress is on time`() {
        for index in 0..<100 { _ = packet(at: Double(index) * 20) }
        timestamp &+= 960
        let first = police(at: 9_000_000_000)
        #expect(first == .onTime)
        for index in 1..<100 { #expect(packet(at: 9000 + Double(index) * 20) == .onTime) }
    }

    @Test(arguments: [-200.0, 200.0])
    mutating func `a clock that differs by 200 ppm is on time for hours`(partsPerMillion: Double) {
        for index in 0..<200_000 {
            let verdict = packet(at: Double(index) * 20 * (1 + partsPerMillion / 1_000_000))
            guard verdict == .onTime else {
                Issue.record("packet \(index) is \(verdict)")
                return
            }
        }
    }

    @Test mutating func `after a stall the oldest packets are late and the newest are on time`() {
        for index in 0..<100 { _ = packet(at: Double(index) * 20) }
        let verdicts = (0..<150).map { _ in packet(at: 5000) }
        #expect(verdicts.prefix(124).allSatisfy { $0 == .late })
        #expect(verdicts.suffix(24).allSatisfy { $0 == .onTime })
        #expect(packet(at: 5020) == .onTime)
    }

    @Test mutating func `a gap in the timestamps is not a stall`() {
        for index in 0..<100 { _ = packet(at: Double(index) * 20) }
        #expect(packet(at: 5000, skipping: 150) == .onTime)
    }

    @Test mutating func `a sender whose timestamps stopped is late for a second, then has a new reference time`() {
        for index in 0..<100 { _ = packet(at: Double(index) * 20) }
        let verdicts = (0..<100).map { packet(at: 5000 + Double($0) * 20) }
        #expect(verdicts.prefix(50).allSatisfy { $0 == .late })
        #expect(verdicts.suffix(45).allSatisfy { $0 == .onTime })
    }

    @Test mutating func `twice real time is permitted, three times is not`() {
        for index in 0..<2000 { #expect(packet(at: Double(index) * 10.01) == .onTime) }
        let verdicts = (0..<2000).map { packet(at: 20_020 + Double($0) * 20 / 3) }
        #expect(verdicts.prefix(100).allSatisfy { $0 == .onTime }, "a burst is let through")
        let share = Double(verdicts.suffix(1000).count { $0 == .onTime }) / 1000
        #expect(abs(share - 2.0 / 3) < 0.05, "of what comes at three times real time two thirds pass: \(share)")
    }
}
