import HubTestSupport
import Testing

@testable import HubServer

/// Long messages, each handled in an iteration of the loop of its own.
struct LongTextTests {
    private static let long = String(repeating: "x", count: 20_000)

    @Test func `messages are taken in order of arrival, or those of one connection only`() {
        var queue = LongTextQueue()
        let (one, other) = (ConnectionID(slot: 1, generation: 1), ConnectionID(slot: 2, generation: 1))
        #expect(!queue.mustQueue(LongTextQueue.minimumBytes - 1, from: one))
        #expect(queue.mustQueue(LongTextQueue.minimumBytes, from: one))
        for (text, id) in [("a", one), ("b", other), ("c", one), ("d", other)] {
            Array(text.utf8).withUnsafeBytes { queue.add($0, from: id) }
        }
        #expect(queue.mustQueue(1, from: one))
        #expect(queue.next()?.bytes == Array("a".utf8))
        #expect(queue.removeAll(of: one).map(\.bytes) == [Array("c".utf8)])
        #expect(!queue.mustQueue(1, from: one))
        #expect(queue.next()?.bytes == Array("b".utf8))
        #expect(queue.next()?.bytes == Array("d".utf8))
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `the queue has a limit, and its bytes are released when a message is taken`() {
        var queue = LongTextQueue()
        let id = ConnectionID(slot: 1, generation: 1)
        let text = [UInt8](repeating: 0x20, count: 1 << 20)
        var count = 0
        while !queue.isFull {
            text.withUnsafeBytes { queue.add($0, from: id) }
            count += 1
        }
        #expect(count == 9)
        _ = queue.next()
        #expect(!queue.isFull)
    }

    @Test func `long and short messages of a client are answered in order`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "anna")
            for number in 0..<60 {
                try phone.send("session.ping", ["t": number, "pad": number % 3 == 0 ? Self.long : ""])
            }
            for number in 0..<60 { #expect((try phone.reply()["result"] as? RawPhone.Object)?["t"] as? Int == number) }
        }
    }

    @Test func `a long request right before a close is processed`() async throws {
        let hub = try TestHub()
        try await blocking {
            for number in 0..<20 {
                let phone = try RawPhone(port: hub.port, account: "anna")
                try phone.send("settings.set", ["displayName": "Anna \(number)", "pad": Self.long])
                try phone.socket.sendClose(code: 1000)
                _ = try phone.socket.readCloseCode()
                let other = try RawPhone(port: hub.port, account: "anna")
                let settings = try other.ask("settings.get")
                #expect((settings["result"] as? RawPhone.Object)?["displayName"] as? String == "Anna \(number)")
                try other.socket.sendClose(code: 1000)
            }
        }
    }
}
