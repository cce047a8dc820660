import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// Names of accounts and handles in any case: one account, one party, one budget.
struct NameCaseTests {
    typealias Object = RawPhone.Object

    /// Accepts the token `NAME` for the account of that name, until an hour from now.
    private struct NameTokenAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let name = credentials.token ?? ""
            var identity = AuthenticatedIdentity(account: name, handles: [.generic(name)])
            identity.expiresAt = Instant(nanoseconds: Int64((Date().timeIntervalSince1970 + 3_600) * 1e9))
            then(.success(identity))
        }
    }

    private static func hub(_ authenticator: any Authenticator) throws -> TestHub {
        var services = HubServices()
        services.authenticator = authenticator
        return try TestHub(services: services)
    }

    private static func generic(_ name: String) -> Object { ["type": "generic", "value": name] }

    /// Calls a handle; returns the outgoing call's UUID.
    private static func call(_ name: String, from phone: RawPhone) throws -> String {
        let uuid = UUID().uuidString.lowercased()
        let start: Object = ["type": "start", "callUUID": uuid, "handle": generic(name)]
        #expect(try phone.ask("transaction.request", ["actions": [start]]).result != nil)
        return uuid
    }

    private static func ringing(_ phone: RawPhone) throws -> Object {
        try phone.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
    }

    @Test(arguments: [("carol", "Carol"), ("Carol", "cAROL"), ("jürgen", "JU\u{308}RGEN"), ("weiß", "WEISS")])
    func `a call reaches the account in any case and normal form of its name`(account: String, called: String)
        async throws
    {
        try await blocking {
            let hub = try TestHub()
            let callee = try RawPhone(port: hub.port, account: account)
            let bob = try RawPhone(port: hub.port, account: "bob")
            _ = try Self.call(called, from: bob)
            #expect(try Self.ringing(callee)["localizedCallerName"] as? String == "bob")
        }
    }

    @Test func `a second sign-in in another case is the same account, spelled as at the first`() async throws {
        try await blocking {
            let hub = try TestHub()
            let desk = try RawPhone(port: hub.port, account: "Alice", ["device": ["id": "desk"]])
            let mobile = try RawPhone(port: hub.port, account: "aLICE", ["device": ["id": "mobile"]])
            #expect(mobile.session["account"] as? String == "Alice")
            #expect((mobile.session["handles"] as? [Object])?.compactMap { $0["value"] as? String } == ["Alice"])
            let bob = try RawPhone(port: hub.port, account: "bob")
            _ = try Self.call("alice", from: bob)
            _ = try Self.ringing(desk)
            _ = try Self.ringing(mobile)
            let devices = try desk.ask("account.devices").result?["sessions"] as? [Object]
            #expect(devices?.count == 2)
            // The same device again replaces its session.
            let again = try RawPhone(port: hub.port, account: "ALICE", ["device": ["id": "desk"]])
            #expect(try desk.next("session.closing")["reason"] as? String == "replaced")
            // What one device has stored, the other one has, after all of them were gone.
            #expect(try again.ask("block.add", ["handle": Self.generic("Mallory")]).result != nil)
            for phone in [again, mobile] { try phone.ask("session.close") }
            let later = try RawPhone(port: hub.port, account: "alice")
            #expect(later.session["account"] as? String == "Alice")
            #expect((try later.ask("block.list").result?["handles"] as? [Object])?.count == 1)
        }
    }

    @Test func `a blocked caller stays blocked in another case of the name`() async throws {
        try await blocking {
            let hub = try TestHub { $0.ringTimeout = .milliseconds(200) }
            let carol = try RawPhone(port: hub.port, account: "carol")
            #expect(try carol.ask("block.add", ["handle": Self.generic("BOB")]).result != nil)
            let bob = try RawPhone(port: hub.port, account: "bob")
            _ = try Self.call("Carol", from: bob)
            try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            try carol.ask("session.ping")
            #expect(carol.notifications.allSatisfy { $0["method"] as? String != "call.changed" })
        }
    }

    @Test func `a contact's name is shown for the caller in any case`() async throws {
        try await blocking {
            let hub = try TestHub()
            let carol = try RawPhone(port: hub.port, account: "carol")
            let contact: Object = ["identifier": "1", "name": "Robert", "handles": [Self.generic("Bob")]]
            #expect(try carol.ask("contacts.put", contact).result != nil)
            let bob = try RawPhone(port: hub.port, account: "bob")
            _ = try Self.call("carol", from: bob)
            let call = try Self.ringing(carol)
            #expect(call["localizedCallerName"] as? String == "Robert")
            #expect((call["remoteHandle"] as? Object)?["value"] as? String == "bob")
        }
    }

    @Test func `the token of an account in another case signs in to it, and prolongs its session`() async throws {
        try await blocking {
            let hub = try Self.hub(NameTokenAuthenticator())
            let alice = try RawPhone(port: hub.port)
            #expect(try alice.open(["token": "alice"]).result != nil)
            let loud = try RawPhone(port: hub.port)
            #expect(try loud.open(["token": "ALICE"]).result?["account"] as? String == "alice")
            #expect((loud.session["handles"] as? [Object])?.first?["value"] as? String == "alice")
            #expect(try alice.ask("session.refresh", ["token": "aLICE"]).result != nil)
            #expect(try alice.ask("session.refresh", ["token": "alicia"]).errorCode == 403)
        }
    }

    @Test func `a session is resumed in any case of the account's name`() async throws {
        try await blocking {
            let hub = try TestHub()
            let alice = try RawPhone(port: hub.port, account: "alice")
            alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            let resume: Object = [
                "session": alice.session["session"] ?? "", "token": alice.session["resumeToken"] ?? "", "seq": 1,
            ]
            let phone = try RawPhone(port: hub.port)
            #expect(try phone.open(["account": "alicia", "resume": resume]).errorCode == 403)
            #expect(try phone.open(["account": "ALICE", "resume": resume]).result?["resumed"] as? Bool == true)
        }
    }

    @Test func `wrong passwords are counted for the account, not for a case of its name`() async throws {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            // Known at this address, so that the budget is the account's own: three more attempts.
            #expect(try RawPhone(port: hub.port).open(["account": "alice", "password": "secret"]).result != nil)
            let guesser = try RawPhone(port: hub.port)
            for _ in 0..<20 { #expect(try guesser.open(["account": "nobody", "password": "x"]).errorCode == 401) }
            for name in ["alice", "Alice", "ALICE"] {
                #expect(try guesser.open(["account": name, "password": "x"]).errorCode == 401, "\(name)")
            }
            for name in ["alice", "Alice", "ALICE", "aLiCe", "alicE"] {
                #expect(try guesser.open(["account": name, "password": "x"]).errorCode == 429, "\(name)")
            }
        }
    }

    @Test(arguments: ["echo", "Echo", "ECHO"])
    func `a built-in handle is reached, and its name is reserved, in any case`(name: String) async throws {
        try await blocking {
            let hub = try TestHub()
            #expect(try RawPhone(port: hub.port).open(["account": name]).errorCode == 409)
            let bob = try RawPhone(port: hub.port, account: "bob")
            let uuid = try Self.call(name, from: bob)
            try bob.next("call.changed") {
                $0.call["state"] as? String == "connected" && $0.call["uuid"] as? String == uuid
            }
        }
    }

    @Test func `a guest calls the handle of the link in any case, and no other`() async throws {
        try await blocking {
            let hub = try Self.hub(LinkAuthenticator())
            let bob = try RawPhone(port: hub.port, account: "Bob")
            let guest = try RawPhone(port: hub.port)
            #expect(try guest.open(["token": "link-1"]).result != nil)
            _ = try Self.call("BOB", from: guest)
            _ = try Self.ringing(bob)
            let other: Object = ["type": "start", "callUUID": UUID().uuidString, "handle": Self.generic("bobby")]
            #expect(try guest.ask("transaction.request", ["actions": [other]]).errorCode == 403)
        }
    }

    @Test func `an account's call rate is one in any case of its name, and so is the rate of calls to it`()
        async throws
    {
        try await blocking {
            let hub = try TestHub { $0.callsByAccountPerMinute = 2 }
            let alice = try RawPhone(port: hub.port, account: "alice", ["device": ["id": "1"]])
            _ = try RawPhone(port: hub.port, account: "carol")
            _ = try Self.call("Carol", from: alice)
            let other = try RawPhone(port: hub.port, account: "ALICE", ["device": ["id": "2"]])
            _ = try Self.call("carol", from: other)
            let start: Object = ["type": "start", "callUUID": UUID().uuidString, "handle": Self.generic("carol")]
            for phone in [alice, other] {
                #expect(try phone.ask("transaction.request", ["actions": [start]]).errorCode == 429)
            }
        }
    }
}
