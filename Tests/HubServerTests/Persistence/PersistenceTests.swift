import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// The persistence of account data: written before a change takes effect, while no other client waits for the disk.
struct PersistenceTests {
    typealias Object = RawPhone.Object

    private struct Fixture {
        let store = SlowStore()
        let hub: TestHub
        let bob: RawPhone

        init() throws {
            var services = HubServices()
            services.accountData = store
            hub = try TestHub(services: services)
            bob = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "desk"]])
        }
    }

    private static func handle(_ name: String) -> Object { ["handle": ["type": "generic", "value": name]] }

    @Test func `a change is answered after it is written, and then notified to the other devices`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let mobile = try RawPhone(port: fixture.hub.port, account: "bob", ["device": ["id": "mobile"]])
            try fixture.bob.send("block.add", Self.handle("carol"))
            try mobile.ask("session.ping")
            #expect(!mobile.methods.contains("block.changed"))
            fixture.store.next()
            #expect(try fixture.bob.reply().result?.isEmpty == true)
            try mobile.next("block.changed")
            #expect(fixture.store.written == [.blocked(.handle(.generic("carol")))])
        }
    }

    @Test func `a change that cannot be written is refused with a retry time`() async throws {
        try await blocking {
            let fixture = try Fixture()
            try fixture.bob.send("block.add", Self.handle("carol"))
            fixture.store.next(StoreFault("the hub cannot store this now: the disk is full"))
            let error = try fixture.bob.reply()["error"] as? Object
            #expect(error?["code"] as? Int == 503)
            #expect(error?["message"] as? String == "the hub cannot store this now: the disk is full")
            #expect((error?["data"] as? Object)?["retryAfterSeconds"] as? Int == 5)
            let list = try fixture.bob.ask("block.list").result
            #expect((list?["handles"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `requests of an account are answered in order, each with the effects of earlier ones`()
        async throws
    {
        try await blocking {
            let fixture = try Fixture()
            for name in ["carol", "dave"] { try fixture.bob.send("block.add", Self.handle(name)) }
            try fixture.bob.send("block.add", Self.handle("carol"))
            try fixture.bob.send("block.list")
            fixture.store.next()
            fixture.store.next()
            var replies: [Object] = []
            for _ in 0..<4 { replies.append(try fixture.bob.reply()) }
            #expect(replies.compactMap { $0["id"] as? Int } == [2, 3, 4, 5])
            #expect(replies[2].result?["ignored"] as? Bool == true)
            let handles = replies[3].result?["handles"] as? [Object]
            #expect(handles?.compactMap { $0["value"] as? String } == ["carol", "dave"])
        }
    }

    @Test func `calls are started, answered and ended while the disk is blocked`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let alice = try RawPhone(port: fixture.hub.port, account: "alice")
            try fixture.bob.send("block.add", Self.handle("carol"))
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            #expect(try alice.ask("transaction.request", ["actions": [start]]).result != nil)
            let ringing = try fixture.bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            let end: Object = ["type": "end", "callUUID": ringing["uuid"] ?? ""]
            #expect(try fixture.bob.ask("transaction.request", ["actions": [end]]).result != nil)
            try alice.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            #expect(fixture.store.kept.count == 2)
            #expect(fixture.store.written.isEmpty)
            fixture.store.next()
        }
    }

    @Test func `stored data is loaded at the start`() async throws {
        try await blocking {
            var stored = StoredState()
            var bob = StoredAccountData(name: "bob")
            bob.blocked = [.handle(.generic("carol"))]
            bob.settings.displayName = "Bob B."
            stored.storedAccounts = [bob]
            stored.unprovisionedAccounts = [AccountRecord(name: "alice", handles: [.generic("alice")])]
            let hub = try TestHub(stored: stored)
            let phone = try RawPhone(port: hub.port, account: "bob")
            #expect(try phone.ask("settings.get").result?["displayName"] as? String == "Bob B.")
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "alice"]]
            #expect(try phone.ask("transaction.request", ["actions": [start]]).result != nil)
            let end = try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(end["cause"] as? String == "offline", "known, and not here")
        }
    }
}
