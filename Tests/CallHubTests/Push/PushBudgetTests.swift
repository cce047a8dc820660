import Foundation
import HubTestSupport
import Testing

/// Push messages that one account receives, and that one caller causes.
struct PushBudgetTests {
    typealias Object = RawPhone.Object

    @Test func `repeated calls send an absent account a limited number of pushes`() async throws {
        let world = try await PushWorld(waitSeconds: 60)
        try await blocking {
            let phone = try world.phone("bob")
            for number in 0..<20 {
                #expect(try phone.ask("push.subscribe", world.peer.subscription("bob-\(number)")).result != nil)
            }
            try world.leave(phone)
            try world.subscribe("carol", "mobile", "carol")
            let callers = try (0..<8).map { try world.phone("mallory\($0)") }
            for caller in callers { try world.call(from: caller) }
            try world.wait(forAll: 8 * 20)
            // Dave is another caller, and Carol another callee.
            let dave = try world.phone("dave")
            try world.call(from: dave, "carol")
            try world.peer.next("message for Carol") { $0.path == "/carol" }
            let calls = world.peer.all.filter { $0.path.hasPrefix("/bob") && $0.text["type"] as? String == "call" }
            #expect((120..<160).contains(calls.count), "a minute's worth, and what flows in meanwhile")
            let pairs = calls.map { "\($0.path) \($0.text["callUUID"] as? String ?? "")" }
            #expect(Set(pairs).count == pairs.count, "one message a call and subscription")
        }
    }
}
