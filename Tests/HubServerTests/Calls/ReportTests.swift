import Foundation
import HubEngine
import HubTestSupport
import LoopMailbox
import Testing

@testable import HubServer

/// The receiver reports to clients about the audio they send.
struct ReportTests {
    /// Makes the hub miss every other tick, a number of times.
    private static func skipTicks(_ times: Int, on loop: ServerLoop, _ isDone: DispatchSemaphore) {
        guard times > 0, let hub = (loop.handler as? PrimaryLoopHandler)?.hub else {
            isDone.signal()
            return
        }
        func tick() -> Int64 { hub.clock.now.nanoseconds / 20_000_000 }
        let last = tick()
        while tick() == last || !tick().isMultiple(of: 2) { usleep(200) }
        loop.mailbox.post { skipTicks(times - 1, on: $0, isDone) }
    }

    @Test func `a hub that misses ticks still sends reports to every client`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phones = try (0..<4).map { number in
                let phone = try RawPhone(port: hub.port, account: "phone \(number)")
                try phone.request("start", UUID().uuidString, ["handle": ["type": "generic", "value": "echo"]])
                let ssrc = try phone.activation()
                try phone.socket.send(binary: TestPhone.packet([0x08, 1], ssrc: ssrc, number: 0))
                try phone.ask("session.ping")
                return phone
            }
            let before = phones.map(\.packets.count)
            let isDone = DispatchSemaphore(value: 0)
            hub.server.loops.mailbox.post { Self.skipTicks(35, on: $0, isDone) }
            isDone.wait()
            for (phone, before) in zip(phones, before) {
                try phone.ask("session.ping")
                // 35 times two ticks of 20 ms are seven times the 200 ms between reports.
                #expect(phone.packets.dropFirst(before).count { $0[1] == 201 } >= 6)
            }
        }
    }
}
