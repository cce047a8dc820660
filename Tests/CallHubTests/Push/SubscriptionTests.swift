import Foundation
import HubTestSupport
import Testing

/// Tests of the push subscriptions that the hub accepts, and of its errors for those that it refuses.
struct SubscriptionTests {
    typealias Object = RawPhone.Object

    private static func subscription(_ peer: FakePushService, _ changes: Object) -> Object {
        peer.subscription("bob").merging(changes) { $1 }
    }

    @Test func `an endpoint that cannot receive pushes is refused with a sentence`() async throws {
        let world = try await PushWorld()
        try await blocking {
            let bob = try world.phone("bob")
            let keys = try #require(world.peer.subscription("bob")["keys"] as? Object)
            // 65 bytes that begin as an uncompressed point does, and are none.
            let noPoint = "BA" + String(repeating: "A", count: 85)
            let wrong =
                [
                    "endpoint": "https://localhost:\(world.peer.port)/bob",
                    "keys": keys.merging(["p256dh": noPoint]) { $1 },
                ] as Object
            let refused = try bob.ask("push.subscribe", wrong)
            #expect(refused.errorCode == 602)
            #expect(refused.errorMessage.contains("params.keys.p256dh must be 65 bytes"))
            for endpoint in [
                "https://push.example.com/x", "https://localhost/x", "https://127.0.0.1:\(world.peer.port)/x",
                "https://localhost:\(world.peer.port)@push.example.com/x",
                "https://evil.localhost:\(world.peer.port)/x",
            ] {
                let reply = try bob.ask("push.subscribe", ["endpoint": endpoint, "keys": keys])
                #expect([403, 602].contains(reply.errorCode), "\(endpoint): \(reply)")
            }
            let elsewhere = try bob.ask("push.subscribe", ["endpoint": "https://push.example.com/x", "keys": keys])
            #expect(elsewhere.errorCode == 403)
            let list = "params.endpoint must be of one of its push.services: localhost:\(world.peer.port)"
            #expect(elsewhere.errorMessage == "this hub sends no messages to push.example.com; " + list)
        }
    }

    @Test func `a subscription is stored once, until it is removed or the account has too many`() async throws {
        let world = try await PushWorld()
        try await blocking {
            let bob = try world.phone("bob")
            func ask(_ method: String, _ params: Object = [:]) throws -> Bool? {
                let result = try bob.ask(method, params).result
                return result.map { $0["ignored"] as? Bool != true }
            }
            #expect(try ask("push.subscribe", world.peer.subscription("0")) == true)
            #expect(try ask("push.subscribe", world.peer.subscription("0")) == false)
            for number in 1..<20 { #expect(try ask("push.subscribe", world.peer.subscription("\(number)")) == true) }
            let surplus = try bob.ask("push.subscribe", world.peer.subscription("20"))
            #expect(surplus.errorCode == 429)
            #expect(surplus.errorMessage.contains("push.unsubscribe"))
            #expect(try ask("push.unsubscribe", ["endpoint": world.peer.subscription("3")["endpoint"] ?? ""]) == true)
            #expect(try ask("push.unsubscribe", ["endpoint": world.peer.subscription("3")["endpoint"] ?? ""]) == false)
            #expect(try ask("push.subscribe", world.peer.subscription("20")) == true)
            // No account can end the subscription of another account.
            let carol = try world.phone("carol")
            let strange = try carol.ask(
                "push.unsubscribe",
                ["endpoint": world.peer.subscription("5")["endpoint"] ?? ""]
            )
            #expect(strange.result?["ignored"] as? Bool == true)
            #expect(try ask("push.unsubscribe") == true)
            #expect(try ask("push.unsubscribe") == false)
        }
    }

    @Test func `a browser in which another user signs in receives pushes for that user only`() async throws {
        let world = try await PushWorld()
        try await blocking {
            try world.subscribe("bob", "browser", "shared")
            try world.subscribe("carol", "browser", "shared")
            let alice = try world.phone("alice")
            try world.call(from: alice)
            let dave = try world.phone("dave")
            try world.call(from: dave, "carol")
            let message = try world.peer.next("message")
            #expect((message.text["handle"] as? Object)?["value"] as? String == "dave")
        }
    }
}
