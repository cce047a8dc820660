import HubEngine
import Testing

@testable import HubServer

/// What is kept for a client that lost its connection.
struct ReplayLogTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)

    @Test func `nothing is forgotten that a client may still come back for`() {
        var settings = HubSettings()
        settings.resumeGrace = .seconds(3_600)
        var log = ReplayLog(settings)
        for second in 0..<3_600 { log.append([UInt8(second & 255)], at: start + .seconds(second)) }
        #expect(log.after(0)?.count == 3_600)
    }

    @Test func `what no client can have missed any more is forgotten`() {
        var log = ReplayLog(HubSettings())
        for second in 0..<3_600 { log.append([UInt8(second & 255)], at: start + .seconds(second)) }
        #expect(log.after(0) == nil)
        #expect(log.after(3_500)?.count == 100)
        #expect(log.after(3_600)?.isEmpty == true)
        #expect(log.after(3_601) == nil)
    }

    @Test func `what is told again fits in what may wait for a connection`() {
        let settings = HubSettings()
        var log = ReplayLog(settings)
        for _ in 0..<100 { log.append([UInt8](repeating: 0, count: 60_000), at: start) }
        let kept = (0...100).compactMap { log.after(UInt64($0)) }.first ?? []
        #expect(kept.count > 5)
        #expect(kept.reduce(0) { $0 + $1.count } <= settings.transport.maximumQueuedTextBytes * 3 / 4)
    }
}
