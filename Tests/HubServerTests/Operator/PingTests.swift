import Foundation
import HubTestSupport
import LoopMailbox
import Testing

@testable import HubServer

@Suite struct PingTests {
    @Test func `a hub with a hanging loop sends no watchdog keep-alive until it continues`() async throws {
        let hub = try TestHub()
        try await blocking {
            let (release, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            hub.server.loops.mailbox.post { _ in release.wait() }
            hub.server.ping { answered.signal() }
            #expect(answered.wait(timeout: .now() + 0.2) == .timedOut)
            release.signal()
            #expect(answered.wait(timeout: .now() + 20) == .success)
        }
    }
}
