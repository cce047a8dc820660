import Foundation
import HubTestSupport
import Testing

/// Tests that changes by `callhub account` apply to the devices that are signed in.
struct ChangedAccountTests {
    private typealias Object = RawPhone.Object

    private static func root(_ hub: OperatedHub, _ device: String, _ password: String = "root-secret") throws
        -> RawPhone
    {
        let more: Object = ["password": password, "device": ["id": device], "permissions": ["admin", "call"]]
        return try RawPhone(port: hub.port, account: "root", more)
    }

    private static func account(_ hub: OperatedHub, _ words: String..., input: String? = nil) async throws {
        let all = ["account"] + words + ["--data", OperatedHub.data(hub.folder)]
        let run = try await CommandRun(all, in: hub.folder, input: input)
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test func `a changed password ends the sessions and calls of the old one, and prevents their resumption`()
        async throws
    {
        let hub = try await OperatedHub("accounts+token")
        let thief = try Self.root(hub, "thief")
        let bob = try hub.bob()
        let byToken = try hub.guest(hub.token(of: "root", seconds: 60))
        try thief.call("bob")
        try bob.answer()
        let opened = thief.session
        try await Self.account(hub, "passwd", "root", "--password-stdin", input: "another-secret\n")
        #expect(try thief.next("session.closing")["reason"] as? String == "signedOut")
        #expect(try thief.readToEnd() == 1008)
        try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        let again = try RawPhone(port: hub.port)
        let resume: Object = ["session": opened["session"] ?? "", "token": opened["resumeToken"] ?? "", "seq": 0]
        #expect(try again.ask("session.open", ["resume": resume]).errorCode == 440)
        let old: Object = ["account": "root", "password": "root-secret"]
        #expect(try again.ask("session.open", old).errorCode == 401)
        // A session signed in by a token stays, and so does one with the new password.
        #expect(try byToken.ask("session.ping").result != nil)
        let owner = try Self.root(hub, "desk", "another-secret")
        try await Self.account(hub, "handle", "bob", "add", "generic:robert")
        #expect(try owner.ask("admin.calls").result != nil)
    }

    @Test func `a revoked administrator is refused at once, and continues to call`() async throws {
        let hub = try await OperatedHub("accounts")
        let root = try Self.root(hub, "desk")
        #expect(try root.ask("admin.calls").result != nil)
        try await Self.account(hub, "admin", "root", "off")
        try await hub.log.line(with: "administrator permission revoked")
        #expect(try root.ask("admin.calls").errorCode == 403)
        #expect(try root.call("echo").result != nil)
    }

    @Test func `removing a handle ends the session, but no call`() async throws {
        let hub = try await OperatedHub("accounts")
        try await Self.account(hub, "handle", "bob", "add", "generic:robert")
        var bob = try hub.bob()
        // Until the hub has read the change, a new session gets the old handles.
        while (bob.session["handles"] as? [Object])?.count == 1 { bob = try hub.bob() }
        let root = try Self.root(hub, "desk")
        let idle = try RawPhone(port: hub.port, account: "bob", ["password": "bob-secret", "device": ["id": "idle"]])
        try root.call("robert")
        let call = try bob.answer()
        try root.next("call.changed") { $0.call["state"] as? String == "connected" }
        try await Self.account(hub, "handle", "bob", "remove", "generic:robert")
        #expect(try idle.next("session.closing")["reason"] as? String == "expired")
        #expect(try bob.call("echo").errorCode == 401)
        #expect(try bob.ask("session.ping").result != nil)
        try bob.hangUp(call)
        #expect(try bob.next("session.closing")["reason"] as? String == "expired")
        let anew = try hub.bob()
        let handles = anew.session["handles"] as? [Object]
        #expect(handles?.compactMap { $0["value"] as? String } == ["bob"])
    }
}
