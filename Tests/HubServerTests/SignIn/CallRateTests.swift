import Foundation
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// The rate limits of calls by guests, links and accounts.
struct CallRateTests {
    typealias Object = RawPhone.Object

    /// A hub with Bob, whom the guests of `link-1` and `link-2` may call.
    private struct Fixture {
        let hub: TestHub
        let bob: RawPhone

        init(_ change: (inout HubSettings) -> Void) throws {
            var services = HubServices()
            services.authenticator = LinkAuthenticator()
            hub = try TestHub(services: services, change)
            bob = try RawPhone(port: hub.port, account: "bob")
        }

        func guest(of link: String) throws -> RawPhone {
            let guest = try RawPhone(port: hub.port)
            #expect(try guest.open(["token": link]).result != nil)
            return guest
        }

        /// Calls Bob and ends the call when it rings; returns the refusal, if it is refused.
        func ring(from phone: RawPhone) throws -> Object? {
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            let reply = try phone.ask("transaction.request", ["actions": [start]])
            guard reply["error"] == nil else { return reply }
            try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
            let end: Object = ["type": "end", "callUUID": uuid]
            #expect(try phone.ask("transaction.request", ["actions": [end]]).result != nil)
            try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            return nil
        }

        /// Checks that Bob's Recents have this number of entries, and that he has no call.
        func expectNothingRang(since count: Int) throws {
            let recents = try bob.ask("recents.list").result?["recents"] as? [Object]
            #expect(recents?.count == count)
            #expect(try (bob.ask("observer.calls").result?["calls"] as? [Object])?.isEmpty == true)
        }
    }

    @Test func `a guest's call rate is limited with a retry time; a refused call neither rings nor is stored`()
        async throws
    {
        try await blocking {
            let fixture = try Fixture { $0.callsByGuestPerMinute = 2 }
            let (guest, other) = (try fixture.guest(of: "link-1"), try fixture.guest(of: "link-1"))
            #expect(try fixture.ring(from: guest) == nil)
            #expect(try fixture.ring(from: guest) == nil)
            let count = try #require(fixture.bob.ask("recents.list").result?["recents"] as? [Object]).count
            let refusal = try #require(try fixture.ring(from: guest))
            #expect(refusal.errorCode == 429)
            #expect(refusal.errorMessage.hasPrefix("more than 2 calls a minute by this caller; try again in "))
            let data = (refusal["error"] as? Object)?["data"] as? Object
            #expect((1...30).contains(data?["retryAfterSeconds"] as? Int ?? 0))
            #expect(data?["actionIndex"] as? Int == 0)
            try fixture.expectNothingRang(since: count)
            #expect(try fixture.ring(from: other) == nil, "another guest has a rate of its own")
        }
    }

    @Test func `the call rate of a link's guests is limited in total, independently of other links`() async throws {
        try await blocking {
            let fixture = try Fixture { $0.callsByLinkPerMinute = 3 }
            for _ in 0..<3 { #expect(try fixture.ring(from: try fixture.guest(of: "link-1")) == nil) }
            let refusal = try #require(try fixture.ring(from: try fixture.guest(of: "link-1")))
            #expect(refusal.errorCode == 429)
            #expect(
                refusal.errorMessage.hasPrefix("more than 3 calls a minute by the guests of this link; try again in ")
            )
            #expect(try fixture.ring(from: try fixture.guest(of: "link-2")) == nil)
            #expect(try fixture.ring(from: try RawPhone(port: fixture.hub.port, account: "alice")) == nil)
            let metrics = try fixture.hub.metrics()
            #expect(metrics["callhub_refusals_total{limit=\"callsByLink\"}"] == 1)
        }
    }

    @Test func `an account's call rate is limited for all of its devices together`() async throws {
        try await blocking {
            let fixture = try Fixture { $0.callsByAccountPerMinute = 2 }
            let phones = try (0..<3).map {
                try RawPhone(port: fixture.hub.port, account: "alice", ["device": ["id": "\($0)"]])
            }
            #expect(try fixture.ring(from: phones[0]) == nil)
            #expect(try fixture.ring(from: phones[1]) == nil)
            let refusal = try #require(try fixture.ring(from: phones[2]))
            #expect(refusal.errorCode == 429)
            #expect(refusal.errorMessage.hasPrefix("more than 2 calls a minute by this caller"))
            let echo: Object = [
                "type": "start", "callUUID": UUID().uuidString, "handle": ["type": "generic", "value": "echo"],
            ]
            let reply = try phones[2].ask("transaction.request", ["actions": [echo]])
            #expect(reply.result != nil, "a call to the echo is not limited")
        }
    }

    @Test func `a refused call does not count towards the limits of other callers`() async throws {
        try await blocking {
            let fixture = try Fixture {
                ($0.callsByGuestPerMinute, $0.callsByLinkPerMinute, $0.callsToAccountPerSecond) = (1, 3, 1)
            }
            let guest = try fixture.guest(of: "link-1")
            #expect(try fixture.ring(from: guest) == nil)
            for _ in 0..<10 { #expect(try fixture.ring(from: guest)?.errorCode == 429) }
            for _ in 0..<2 { #expect(try fixture.ring(from: try fixture.guest(of: "link-1")) == nil) }
        }
    }
}
