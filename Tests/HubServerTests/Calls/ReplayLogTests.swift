import HubEngine
import HubWire
import Testing

@testable import HubServer

/// The log of notifications that are sent again after a lost connection.
struct ReplayLogTests {
    private var log = ReplayLog(HubSettings(), budget: QueueBudget(limit: .max))
    private var now = Instant(nanoseconds: 0)

    private mutating func appendNotifications(_ count: Int) {
        for _ in 0..<count {
            log.append(.unknown(method: "number \(log.nextSeq)"), byteCount: 100, at: now)
        }
    }

    private func words(_ missed: [(seq: UInt64, notification: WireNotification)]) -> [String] {
        missed.map { "\($0.seq): \($0.notification.method)" }
    }

    @Test mutating func `notifications after a seq are replayed with the same seq`() {
        appendNotifications(5)
        #expect(words(log.replay(after: 3)) == ["4: number 4", "5: number 5"])
        #expect(words(log.replay(after: 5)) == [])
        #expect(log.nextSeq == 6)
    }

    @Test mutating func `a seq that was never sent, or is discarded, cannot be resumed from`() {
        appendNotifications(5)
        #expect(!log.canReplay(after: 6))
        #expect(log.canReplay(after: 0))
        now = now + .seconds(181)
        appendNotifications(1)
        #expect(!log.canReplay(after: 0))
        #expect(log.canReplay(after: 5))
    }

    @Test mutating func `a close notification counts as received if the client has its seq`() {
        appendNotifications(3)
        log.noteUnlogged(log.nextSeq)
        appendNotifications(2)
        #expect(log.canReplay(after: 4))
        #expect(words(log.replay(after: 4)) == ["5: number 4", "6: number 5"])
        #expect(log.nextSeq == 7)
    }

    @Test mutating func `without it the client receives later notifications under the same seq`() {
        appendNotifications(3)
        log.noteUnlogged(log.nextSeq)
        appendNotifications(2)
        #expect(words(log.replay(after: 3)) == ["4: number 4", "5: number 5"])
    }

    @Test mutating func `unsent notifications follow the last one sent, which used their seq`() {
        appendNotifications(5)
        log.noteUnlogged(3)
        #expect(words(log.replay(after: 3)) == ["4: number 3", "5: number 4", "6: number 5"])
        #expect(log.nextSeq == 7)
    }

    @Test mutating func `a client that has the close notification but missed discarded ones cannot resume`() {
        appendNotifications(3)
        log.noteUnlogged(log.nextSeq)
        for _ in 0..<200_000 { log.append(.didReset, byteCount: 100, at: now) }
        #expect(!log.canReplay(after: 4))
        #expect(words(log.replay(after: 4)) == [])
    }

    @Test mutating func `the log keeps as much as one replay may send`() {
        let limit = UInt64(HubSettings().transport.maximumQueuedTextBytes / 100)
        for _ in 0..<200_000 { log.append(.didReset, byteCount: 100, at: now) }
        #expect(log.canReplay(after: 200_000 - limit * 7 / 10))
        #expect(!log.canReplay(after: 200_000 - limit * 8 / 10))
    }

    @Test func `no notification is discarded within the grace period`() {
        var settings = HubSettings()
        settings.resumeGrace = .seconds(3_600)
        var log = ReplayLog(settings, budget: QueueBudget(limit: .max))
        for second in 0..<3_600 { log.append(.didReset, byteCount: 100, at: now + .seconds(second)) }
        #expect(log.replay(after: 0).count == 3_600)
    }

    @Test mutating func `an unlogged seq does not keep old entries alive`() {
        appendNotifications(1)
        log.noteUnlogged(log.nextSeq)
        _ = log.replay(after: 2)
        now = now + .seconds(1_000)
        appendNotifications(1)
        now = now + .seconds(1_000)
        appendNotifications(1)
        #expect(!log.canReplay(after: 2))
        #expect(log.canReplay(after: 3))
    }
}
