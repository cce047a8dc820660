import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Synchronization
import Testing

/// Guests, who sign in by a link: they may call one handle, and nothing of them is stored.
struct GuestTests {
    typealias Object = RawPhone.Object

    /// A store that counts its requests, and stores nothing.
    private final class CountingStore: AccountDataStore {
        let asked = Atomic(0)

        func write(
            _ changes: [AccountDataChange],
            of account: String,
            by actor: AuditActor?,
            _ then: @escaping @Sendable (StoreFault?) -> Void
        ) {
            note(account)
            then(nil)
        }
        func readPhoto(
            of contact: String?,
            in account: String,
            _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
        ) {
            then(.success(nil))
        }
        func readHoldMusic(
            of account: String,
            unless known: [Int64],
            _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
        ) {
            then(.success(.none))
        }
        func addRecent(_ call: RecentCall, of account: String) { note(account) }
        func recordUnprovisionedSignIn(of account: AccountRecord) { note(account.name) }
        func removeAccount(_ account: String) { note(account) }
        func finishErasure(of accounts: [String]) {}
        func expireRecents(endedBefore moment: Instant) {}
        var statistics: AccountDataStoreStatistics { AccountDataStoreStatistics() }

        private func note(_ account: String) {
            if account.hasPrefix("guest-") { asked.add(1, ordering: .relaxed) }
        }
    }

    private struct Fixture {
        let store = CountingStore()
        let hub: TestHub
        let bob: RawPhone
        let guest: RawPhone

        init() throws {
            var services = HubServices()
            services.authenticator = LinkAuthenticator()
            services.accountData = store
            hub = try TestHub(services: services)
            bob = try RawPhone(port: hub.port, account: "bob")
            guest = try RawPhone(port: hub.port)
            #expect(try guest.open(["token": "link-1"]).result != nil)
        }

        func call(_ name: String) throws -> (uuid: String, reply: Object) {
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": name]]
            return (uuid, try guest.ask("transaction.request", ["actions": [start]]))
        }
    }

    @Test(arguments: [
        ("named-1", "Dana", "Dana", "guest"), ("named-1", nil, "Visitor", "caller"),
        ("link-1", "Dana", "Visitor", "caller"),
    ])
    func `a callee is shown the name that a guest gives if the link lets guests, else the link's`(
        _ link: String,
        _ given: String?,
        _ shown: String,
        _ source: String
    ) async throws {
        try await blocking {
            let fixture = try Fixture()
            let guest = try RawPhone(port: fixture.hub.port)
            var params: Object = ["token": link]
            params["guestName"] = given
            #expect(try guest.open(params).result != nil)
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            #expect(try guest.ask("transaction.request", ["actions": [start]]).result != nil)
            let ringing = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == shown)
            #expect(ringing["nameSource"] as? String == source)
            #expect(ringing["link"] as? String == link)
            #expect(ringing["linkName"] as? String == (source == "guest" ? "Visitor" : nil))
        }
    }

    @Test(arguments: ["", " ", "a\u{202E}b", "a\nb", String(repeating: "x", count: 257)])
    func `a guest's name that is empty, too long or hides characters is refused`(name: String) async throws {
        try await blocking {
            let fixture = try Fixture()
            let reply = try RawPhone(port: fixture.hub.port).open(["token": "named-1", "guestName": name])
            #expect(reply.errorCode == -32602, "\(reply)")
            #expect(reply.errorMessage.contains("; it must be a name of 1 to 256 bytes"), "\(reply)")
        }
    }

    @Test func `a guest may call one handle only`() async throws {
        try await blocking {
            let fixture = try Fixture()
            #expect(try fixture.call("alice").reply.errorCode == 403)
            #expect(try fixture.call("bob").reply.result != nil)
            let ringing = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == "Visitor")
        }
    }

    @Test(
        arguments: [
            ("settings.set", #"{"displayName": "Your Bank"}"#), ("block.add", #"{"prefix": "49"}"#),
            ("block.remove", #"{"prefix": "49"}"#), ("contacts.remove", #"{"identifier": "1"}"#),
            ("contacts.put", #"{"identifier": "1", "name": "B", "handles": []}"#), ("recents.markSeen", "{}"),
            ("recents.remove", "{}"), ("directory.setEnabled", #"{"extension": "x", "enabled": true}"#),
            ("directory.load", #"{"extension": "x", "incremental": false, "blocking": [1], "identification": []}"#),
            ("directory.load", #"{"extension": "x", "cancel": true}"#), ("account.erase", "{}"),
        ]
    )
    func `a guest's account data is not stored, and requests for it are refused with a sentence`(
        _ method: String,
        _ params: String
    ) async throws {
        try await blocking {
            let fixture = try Fixture()
            let read = try JSONSerialization.jsonObject(with: Data(params.utf8)) as? Object
            let reply = try fixture.guest.ask(method, read ?? [:])
            #expect(reply.errorCode == 403, "\(reply)")
            #expect(((reply["error"] as? Object)?["message"] as? String)?.contains("guest") == true)
        }
    }

    @Test func `a guest's Recents are empty, and nothing of a guest is stored`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let call = try fixture.call("bob")
            try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
            let end: Object = ["type": "end", "callUUID": call.uuid]
            #expect(try fixture.guest.ask("transaction.request", ["actions": [end]]).result != nil)
            try fixture.bob.next("recents.changed")
            let recents = try fixture.guest.ask("recents.list").result?["recents"] as? [Object]
            #expect(recents?.isEmpty == true)
            #expect(try fixture.guest.ask("contacts.list").result?["contacts"] as? [Object] != nil)
            #expect(!fixture.guest.methods.contains("recents.changed"))
            let other = try fixture.call("bob")
            try fixture.bob.next("call.changed") {
                $0.call["state"] as? String == "ringing" && $0.call["uuid"] as? String != other.uuid
            }
            // He leaves in the middle of it.
            try fixture.guest.ask("session.close")
            try fixture.bob.next("recents.changed")
            #expect(fixture.store.asked.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `a guest whose link is revoked during the token check is refused`() async throws {
        try await blocking {
            var services = HubServices()
            services.authenticator = LinkAuthenticator(revoked: [try #require(InvitationID("link-1"))])
            let hub = try TestHub(services: services)
            let refusal = try RawPhone(port: hub.port).open(["token": "link-1"])
            #expect(refusal.errorCode == 401)
            #expect(refusal.errorMessage == "the link was revoked just now; ask for a new one")
            #expect(try RawPhone(port: hub.port).open(["token": "link-2"]).result != nil)
        }
    }

    @Test func `a guest is unknown after signing out`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let name = try #require(fixture.guest.session["account"] as? String)
            try fixture.guest.ask("session.close")
            #expect(try fixture.guest.readToEnd() == 1000)
            let start: Object = [
                "type": "start", "callUUID": UUID().uuidString, "handle": ["type": "generic", "value": name],
            ]
            #expect(try fixture.bob.ask("transaction.request", ["actions": [start]]).result != nil)
            let end = try fixture.bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(end["cause"] as? String == "unknownHandle")
        }
    }

    @Test func `a name set by a guest's client does not reach the callee`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let call = try fixture.call("bob")
            try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }
            let update: Object = ["localizedCallerName": "Your Bank"]
            let report: Object = ["callUUID": call.uuid, "update": update]
            #expect(try fixture.guest.ask("provider.reportCall", report).result != nil)
            let calls = try fixture.bob.ask("observer.calls").result?["calls"] as? [Object]
            #expect(calls?.first?["localizedCallerName"] as? String == "Visitor")
        }
    }
}
