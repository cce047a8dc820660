import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// Missed calls of a link's guests in their callee's Recents.
struct LinkRecentsTests {
    typealias Object = RawPhone.Object

    @Test func `a link is one entry in Recents, with its number of calls, and displaces no others`()
        async throws
    {
        try await blocking {
            var services = HubServices()
            services.authenticator = LinkAuthenticator()
            let hub = try TestHub(services: services) { $0.accountData.maximumRecents = 4 }
            let bob = try RawPhone(port: hub.port, account: "bob")
            try Self.callAndGiveUp(from: try RawPhone(port: hub.port, account: "alice"), bob)
            for link in ["link-1", "link-2", "link-1", "link-1", "link-2", "link-1"] {
                let guest = try RawPhone(port: hub.port)
                #expect(try guest.open(["token": link]).result != nil)
                try Self.callAndGiveUp(from: guest, bob)
            }
            let recents = try #require(bob.ask("recents.list").result?["recents"] as? [Object])
            #expect(recents.map { $0["link"] as? String } == ["link-1", "link-2", nil])
            #expect(recents.map { $0["count"] as? Int } == [4, 2, nil])
            #expect(recents.map { $0["name"] as? String } == ["Visitor", "Visitor", "alice"])
            let times = recents.compactMap { $0["startedAt"] as? String }
            #expect(times == times.sorted(by: >), "each has the time of its last call")
            let ids = recents.prefix(1).compactMap { $0["id"] as? String }
            #expect(try bob.ask("recents.remove", ["ids": ids]).result?.isEmpty == true)
            #expect((try bob.ask("recents.list").result?["recents"] as? [Object])?.count == 2)
        }
    }

    private static func callAndGiveUp(from phone: RawPhone, _ bob: RawPhone) throws {
        let uuid = UUID().uuidString.lowercased()
        let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
        #expect(try phone.ask("transaction.request", ["actions": [start]]).result != nil)
        try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
        #expect(try phone.ask("transaction.request", ["actions": [["type": "end", "callUUID": uuid]]]).result != nil)
        try bob.next("recents.changed")
    }
}
