import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// The requests of administrators, and their refusal for other accounts.
struct AdminTests {
    typealias Object = RawPhone.Object

    private struct Fixture {
        let hub: TestHub
        let admin: RawPhone
        let alice: RawPhone
        let bob: RawPhone

        init() throws {
            let authenticator = StrictAuthenticator()
            authenticator.permissions = [.call, .observe, .admin]
            var services = HubServices()
            services.authenticator = authenticator
            let hub = try TestHub(services: services)
            func phone(_ name: String, _ device: String, _ permissions: [String]) throws -> RawPhone {
                let more: Object = ["password": "secret", "device": ["id": device], "permissions": permissions]
                return try RawPhone(port: hub.port, account: name, more)
            }
            admin = try phone("root", "console", ["admin"])
            alice = try phone("alice", "desk", ["call"])
            bob = try phone("robert", "mobile", ["call"])
            self.hub = hub
        }

        func connect() throws {
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "robert"]]
            #expect(try alice.ask("transaction.request", ["actions": [start]]).result != nil)
            let ringing = try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            let answer: Object = ["type": "answer", "callUUID": ringing["uuid"] ?? ""]
            #expect(try bob.ask("transaction.request", ["actions": [answer]]).result != nil)
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
        }
    }

    @Test func `requests without an administrator sign-in are refused`() async throws {
        try await blocking {
            let fixture = try Fixture()
            for method in ["admin.calls", "admin.devices", "admin.accounts", "admin.reload", "admin.drain"] {
                #expect(try fixture.alice.ask(method).errorCode == 403, "\(method)")
            }
        }
    }

    @Test func `a call is listed for both parties, and ended for both`() async throws {
        try await blocking {
            let fixture = try Fixture()
            try fixture.connect()
            let call = try #require((try fixture.admin.ask("admin.calls").result?["conversations"] as? [Object])?.first)
            #expect((call["caller"] as? Object)?["account"] as? String == "alice")
            #expect((call["callee"] as? Object)?["account"] as? String == "robert")
            #expect((call["callee"] as? Object)?["devices"] as? [String] == ["mobile"])
            #expect(call["state"] as? String == "connected")
            let name: Object = ["conversation": call["conversation"] ?? ""]
            #expect(try fixture.admin.ask("admin.endCall", name).result != nil)
            for phone in [fixture.alice, fixture.bob] {
                let end = try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
                #expect(end["cause"] as? String == "administrator")
            }
            #expect(try fixture.admin.ask("admin.endCall", name).errorCode == 404)
            #expect((try fixture.admin.ask("admin.calls").result?["conversations"] as? [Object])?.isEmpty == true)
        }
    }

    @Test func `a signed-out device is notified, and its calls end`() async throws {
        try await blocking {
            let fixture = try Fixture()
            try fixture.connect()
            let reply = try fixture.admin.ask("admin.devices")
            let devices = try #require(reply.result?["sessions"] as? [Object], "\(reply)")
            #expect(devices.compactMap { $0["account"] as? String } == ["alice", "robert", "root"])
            #expect(devices.compactMap { $0["calls"] as? Int } == [1, 1, 0])
            let robert = try #require(devices.first { $0["account"] as? String == "robert" })
            let session: Object = ["session": robert["session"] ?? ""]
            #expect(try fixture.admin.ask("admin.signOut", session).result != nil)
            #expect(try fixture.bob.next("session.closing")["reason"] as? String == "signedOut")
            #expect(try fixture.bob.readToEnd() == 1008)
            try fixture.alice.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            #expect(try fixture.admin.ask("admin.signOut", session).errorCode == 404)
        }
    }

    @Test func `accounts are listed with their handles and their number of signed-in devices`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let accounts = try fixture.admin.ask("admin.accounts").result?["accounts"] as? [Object] ?? []
            #expect(accounts.compactMap { $0["account"] as? String } == ["alice", "robert", "root"])
            #expect(accounts.compactMap { $0["devices"] as? Int } == [1, 1, 1])
            let handles = accounts.first?["handles"] as? [Object]
            #expect(handles?.compactMap { $0["type"] as? String } == ["generic", "phoneNumber"])
        }
    }

    @Test func `lists are paged with each entry once, also if they exceed one reply`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let more = try (0..<7).map { number in
                let device: Object = ["id": String(repeating: "\(number)", count: 256)]
                return try RawPhone(
                    port: fixture.hub.port,
                    account: "several",
                    ["password": "secret", "device": device]
                )
            }
            var (sessions, pages, after): ([String], Int, Any) = ([], 0, NSNull())
            repeat {
                let reply = try fixture.admin.ask("admin.devices", ["limit": 3, "after": after])
                let page = try #require(reply.result?["sessions"] as? [Object], "\(reply)")
                #expect((1...3).contains(page.count))
                sessions += page.compactMap { $0["session"] as? String }
                pages += 1
                after = reply.result?["next"] ?? NSNull()
                // A device that signs out in between does not hide another one.
                if pages == 1 { try fixture.alice.ask("session.close") }
            } while !(after is NSNull)
            #expect(pages == 4)
            #expect(sessions.count == 10)
            #expect(Set(sessions).count == 10)
            #expect(Set(more.compactMap { $0.session["session"] as? String }).isSubset(of: sessions))
            #expect(try fixture.admin.ask("admin.devices", ["after": "nonsense"]).errorCode == 602)
            #expect(try fixture.admin.ask("admin.accounts", ["limit": 1]).result?["next"] is String)
            #expect(try fixture.admin.ask("admin.accounts").result?["next"] == nil)
        }
    }

    @Test func `an administrator drains the hub`() async throws {
        try await blocking {
            let fixture = try Fixture()
            #expect(try fixture.admin.ask("admin.drain", ["graceSeconds": 0]).result != nil)
            #expect(try fixture.alice.next("session.closing")["reason"] as? String == "draining")
        }
    }
}
