import Foundation
import HubServer
import HubTestSupport
import Testing

/// Links that their callee blocks: all guests of the link are blocked, without being able to detect it.
struct LinkBlockTests {
    typealias Object = RawPhone.Object

    private struct Fixture {
        let hub: TestHub
        let bob: RawPhone

        init(ringTimeout: Duration = .milliseconds(200)) throws {
            var services = HubServices()
            services.authenticator = LinkAuthenticator()
            hub = try TestHub(services: services) { $0.ringTimeout = ringTimeout }
            bob = try RawPhone(port: hub.port, account: "bob")
        }

        func guest(of link: String) throws -> RawPhone {
            let guest = try RawPhone(port: hub.port)
            #expect(try guest.open(["token": link]).result != nil)
            return guest
        }

        /// Calls Bob until the ring timeout; returns the caller's notifications, without values that differ by call.
        func callToItsEnd(from guest: RawPhone) throws -> [String] {
            let start: Object = [
                "type": "start", "callUUID": UUID().uuidString, "handle": ["type": "generic", "value": "bob"],
            ]
            #expect(try guest.ask("transaction.request", ["actions": [start]]).result != nil)
            try guest.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            return try guest.notifications.map { notification in
                let params = notification["params"] as? Object ?? [:]
                let call = params.call.filter { !$0.key.hasSuffix("At") && $0.key != "uuid" }
                let text = try JSONSerialization.data(withJSONObject: call, options: .sortedKeys)
                return "\(notification["method"] ?? "") \(String(decoding: text, as: UTF8.self))"
            }
        }

        func links(of method: String, _ member: String) throws -> [String] {
            let list = try bob.ask(method).result?[member] as? [Any] ?? []
            return list.map { $0 as? String ?? ($0 as? Object)?["link"] as? String ?? "-" }
        }
    }

    @Test func `an incoming call of a guest has the link's identifier, other calls have none`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let toGuest = try fixture.callToItsEnd(from: try fixture.guest(of: "link-1"))
            let ringing = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["link"] as? String == "link-1")
            #expect(!toGuest.contains { $0.contains("link-1") }, "the guest's own call is to Bob, who has no link")
            _ = try fixture.callToItsEnd(from: try RawPhone(port: fixture.hub.port, account: "alice"))
            let alice = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(alice["link"] == nil)
        }
    }

    @Test func `a blocked link blocks all its guests, who receive the same notifications as unblocked ones`()
        async throws
    {
        try await blocking {
            let fixture = try Fixture()
            let early = try fixture.guest(of: "link-1")
            #expect(try fixture.bob.ask("block.add", ["link": "link-1"]).result?.isEmpty == true)
            #expect(try fixture.bob.ask("block.add", ["link": "link-1"]).result?["ignored"] as? Bool == true)
            #expect(try fixture.links(of: "block.list", "links") == ["link-1"])
            let kept = [early, try fixture.guest(of: "link-1")]
            let told = try kept.map { try fixture.callToItsEnd(from: $0) }
            #expect(!fixture.bob.methods.contains("call.changed"))
            #expect((try fixture.bob.ask("recents.list").result?["recents"] as? [Object])?.isEmpty == true)
            let other = try fixture.callToItsEnd(from: try fixture.guest(of: "link-2"))
            #expect(told == [other, other])
            try fixture.bob.next("call.changed") { $0.call["link"] as? String == "link-2" }
        }
    }

    @Test func `a pulled call of a guest has the link's identifier too`() async throws {
        try await blocking {
            let fixture = try Fixture(ringTimeout: .seconds(600))
            let tablet = try RawPhone(port: fixture.hub.port, account: "bob", ["device": ["id": "tablet"]])
            let guest = try fixture.guest(of: "link-1")
            let start: Object = [
                "type": "start", "callUUID": UUID().uuidString, "handle": ["type": "generic", "value": "bob"],
            ]
            #expect(try guest.ask("transaction.request", ["actions": [start]]).result != nil)
            let ringing = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            let uuid = ringing["uuid"] as? String ?? ""
            let answer: Object = ["type": "answer", "callUUID": uuid]
            #expect(try fixture.bob.ask("transaction.request", ["actions": [answer]]).result != nil)
            try guest.next("call.changed") { $0.call["state"] as? String == "connected" }
            let pull: Object = ["type": "pull", "callUUID": uuid]
            #expect(try tablet.ask("transaction.request", ["actions": [pull]]).result != nil)
            let pulled = try tablet.next("call.changed") { $0.call["state"] as? String == "connected" }.call
            #expect(pulled["link"] as? String == "link-1")
        }
    }

    @Test func `calls through a link removed from the block list ring again`() async throws {
        try await blocking {
            let fixture = try Fixture()
            try fixture.bob.ask("block.add", ["link": "link-1"])
            #expect(try fixture.bob.ask("block.remove", ["link": "link-1"]).result?.isEmpty == true)
            #expect(try fixture.bob.ask("block.remove", ["link": "link-1"]).result?["ignored"] as? Bool == true)
            #expect(try fixture.bob.ask("block.list").result?["links"] == nil, "old clients see what they always saw")
            _ = try fixture.callToItsEnd(from: try fixture.guest(of: "link-1"))
            try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
        }
    }

    @Test(arguments: [#"{"link": ""}"#, #"{"link": "a b"}"#, #"{"link": "a", "prefix": "49"}"#, #"{"link": 7}"#])
    func `an invalid link identifier is refused with a sentence`(_ params: String) async throws {
        try await blocking {
            let fixture = try Fixture()
            let read = try JSONSerialization.jsonObject(with: Data(params.utf8)) as? Object ?? [:]
            let reply = try fixture.bob.ask("block.add", read)
            #expect([602, -32602].contains(reply.errorCode))
            #expect(reply.errorMessage.hasPrefix("params.link "))
        }
    }
}
