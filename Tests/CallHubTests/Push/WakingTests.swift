import Foundation
import HubTestSupport
import Testing

/// Tests of Web Push to an offline browser, over a push service that decrypts and verifies independently (row CK-80).
struct WakingTests {
    typealias Object = RawPhone.Object

    @Test func `an absent user receives a push about the call, signs in, and the device rings (CK-80)`() async throws {
        let world = try await PushWorld()
        try await blocking {
            let peer = world.peer
            try world.subscribe("bob", "mobile", "secret-of-bob")
            let alice = try world.phone("alice")
            let before = Date()
            try world.call(from: alice)
            let message = try peer.next("message")
            #expect(message.path == "/secret-of-bob")
            #expect(message.text["type"] as? String == "call")
            #expect(message.text["name"] as? String == "alice")
            #expect(message.text["handle"] as? [String: String] == ["type": "generic", "value": "alice"])
            let end = try Date(
                try #require(message.text["expiresAt"] as? String),
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            )
            #expect((19.5...25).contains(end.timeIntervalSince(before)))
            let headers = message.headers
            #expect((1...20).contains(try #require(Int(headers["ttl"] as? String ?? ""))))
            #expect(headers["urgency"] as? String == "high")
            #expect(headers["content-encoding"] as? String == "aes128gcm")
            let topic = try #require(headers["topic"] as? String)
            #expect(topic.wholeMatch(of: /[A-Za-z0-9_-]{1,32}/) != nil)
            #expect(message.claims["sub"] as? String == "mailto:admin@example.com")

            let bob = try world.phone("bob")
            #expect(
                try bob.ask("push.key").result?["applicationServerKey"] as? String == message.claims["key"] as? String
            )
            let ringing = try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
            #expect(ringing.call["uuid"] as? String == message.text["callUUID"] as? String)
            #expect(ringing.call["mustReport"] as? Bool == true)
            try world.act(bob, "answer", ringing.call["uuid"])
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            let over = try peer.next("the push at the call's end")
            #expect(over.text["type"] as? String == "over")
            #expect(over.text["missed"] as? Bool == false)
            #expect(over.text["callUUID"] as? String == message.text["callUUID"] as? String)
            #expect(over.headers["topic"] as? String == topic, "it replaces the call where that was not delivered")
            #expect(over["bytes"] as? Int == message["bytes"] as? Int, "their lengths do not differ")
            try world.wait(for: 2, "accepted")
            #expect(world.log.contains("result=accepted"))
            #expect(!world.log.contains("secret-of-bob"))
        }
    }

    @Test
    func `all devices but quiet ones receive pushes, also for the missed call; a gone subscription is deleted`()
        async throws
    {
        let world = try await PushWorld()
        try await blocking {
            let peer = world.peer
            try world.subscribe("bob", "mobile", "mobile")
            try world.subscribe("bob", "desk", "gone")
            let tablet = try world.phone("bob", "tablet")
            try tablet.ask("push.subscribe", peer.subscription("tablet"))
            #expect(try tablet.ask("settings.set", ["device": ["doNotDisturb": true]]).result != nil)
            try world.leave(tablet)
            let alice = try world.phone("alice")
            var seen: [[String]] = []
            for _ in 0..<2 {
                let uuid = try world.call(from: alice)
                try peer.next("the call") { $0.path == "/mobile" && $0.text["type"] as? String == "call" }
                if seen.isEmpty { try world.wait(for: 1, "gone") }
                try world.act(alice, "end", uuid)
                let over = try peer.next("the push at the call's end") { $0.path == "/mobile" }
                #expect(over.text["missed"] as? Bool == true)
                seen.append(peer.all.map(\.path).sorted())
            }
            #expect(seen.first?.filter { !$0.isEmpty } == ["/gone", "/mobile", "/mobile"])
            #expect(seen.last?.filter { !$0.isEmpty } == ["/gone"] + Array(repeating: "/mobile", count: 4))
        }
    }

    @Test func `a blocked caller causes no push, and receives the same notifications at the same times (CK-11, CK-80)`()
        async throws
    {
        let world = try await PushWorld(waitSeconds: 6)
        try await blocking {
            let bob = try world.phone("bob")
            try bob.ask("push.subscribe", world.peer.subscription("bob"))
            try bob.ask("block.add", ["handle": ["type": "generic", "value": "mallory"]])
            try world.leave(bob)
            var stories: [[String]] = []
            var times: [Duration] = []
            for name in ["mallory", "alice"] {
                let phone = try world.phone(name)
                let began = ContinuousClock.now
                try world.call(from: phone)
                let end = try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
                times.append(.now - began)
                let states = phone.notifications.compactMap { (($0["params"] as? Object)?.call["state"]) as? String }
                stories.append(states + ["\(end["cause"] ?? "")"])
            }
            #expect(stories[0] == stories[1])
            #expect(stories[0].last == "offline")
            // Finer differences: Tests/Contract/test_timing.py, by medians.
            #expect(abs((times[0] - times[1]) / .milliseconds(1)) < 5_000)
            let first = try world.peer.next("message")
            #expect((first.text["handle"] as? Object)?["value"] as? String == "alice")
        }
    }

    @Test func `a hanging push service delays neither calls nor other pushes`() async throws {
        let world = try await PushWorld()
        try await blocking {
            try world.subscribe("bob", "mobile", "hang")
            try world.subscribe("carol", "mobile", "carol")
            let alice = try world.phone("alice")
            try world.call(from: alice)
            try world.peer.next("message that is not answered") { $0.path == "/hang" }
            let dave = try world.phone("dave")
            try world.call(from: dave, "carol")
            try world.peer.next("message for Carol") { $0.path == "/carol" }
            let bob = try world.phone("bob")
            let began = ContinuousClock.now
            let ringing = try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
            try world.act(bob, "answer", ringing.call["uuid"])
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            #expect(.now - began < .seconds(9))
        }
    }
}
