import Foundation
import HubCrypto
import HubEngine
import HubStore
import HubTestSupport
import Testing

@testable import CommandLineClient
@testable import CommandLineTools
@testable import HubAccounts
@testable import OperatorCommands

/// `callhub link`, and the use of its links on a real hub.
struct LinkCommandTests {
    private static func link(_ hub: OperatedHub, _ words: String...) async throws -> CallLink {
        let page = "http://127.0.0.1:\(hub.port)"
        let place = ["--url", page, "--data", OperatedHub.data(hub.folder)]
        let run = try await CommandRun(["link", "create"] + words + place, in: hub.folder)
        #expect(run.code == 0, "\(run.errors)")
        return try CallLink(text: run.output.trimmingCharacters(in: .newlines))
    }

    @Test(arguments: ["open", "accounts", "token", "accounts+token"])
    func `a link lets a guest call one handle, under the link's name, in every sign-in mode`(mode: String) async throws
    {
        let hub = try await OperatedHub(mode)
        let bob =
            mode == "token"
            ? try hub.guest(hub.token(of: "bob", seconds: 60))
            : try hub.bob()
        let link = try await Self.link(hub, "bob", "--name", "Visitor")
        #expect(link.callee == .generic("bob"))
        let guest = try hub.guest(link.token)
        #expect(try guest.call("echo").errorCode == 403)
        #expect(try guest.call("bob").result != nil)
        let ringing = try bob.answer()
        #expect(ringing["localizedCallerName"] as? String == "Visitor", "\(ringing)")
        #expect(try guest.ask("admin.calls").errorCode == 403)
        #expect(try RawPhone(port: hub.port).open(["token": link.token, "permissions": ["admin"]]).errorCode == 403)
    }

    @Test func `a link with --guest-names shows the callee each guest's own name`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        for (options, shown) in [(["--guest-names"], "Dana"), ([], "Visitor")] {
            let place = ["--url", "http://127.0.0.1:\(hub.port)", "--data", OperatedHub.data(hub.folder)]
            let command = ["link", "create", "bob", "--name", "Visitor"] + options + place
            let run = try await CommandRun(command, in: hub.folder)
            let link = try CallLink(text: run.output.trimmingCharacters(in: .newlines))
            let guest = try RawPhone(port: hub.port)
            try guest.open(["token": link.token, "guestName": "Dana"])
            try guest.call("bob")
            let ringing = try bob.answer()
            #expect(ringing["localizedCallerName"] as? String == shown)
            try bob.hangUp(ringing)
            try guest.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        }
        let stored = try hub.store().export("bob")
        #expect(Set(stored.recents.map(\.name)).isSubset(of: ["Dana", "Visitor"]))
        #expect(stored.recents.allSatisfy { $0.linkName == ($0.name == "Dana" ? "Visitor" : nil) })
        #expect(stored.links.map(\.guestsGiveNames) == [true, false])
        let again = try await Self.link(hub, "bob", "--guest-names")
        let phone = try await hub.run("phone", "--link", again.text, "--name", "Dora", "--for", "1", "--json")
        #expect(phone.code == 3, "\(phone.output)")
        let shown = try bob.next("call.changed") { $0.call["localizedCallerName"] as? String == "Dora" }.call
        #expect(shown["link"] != nil)
        let list = try await CommandRun(["link", "list", "--data", OperatedHub.data(hub.folder)], in: hub.folder)
        let lines = list.output.split(separator: "\n")
        #expect(lines.map { $0.contains("  give names  ") } == [false, true, false, true], "\(list.output)")
    }

    @Test func `nothing of a guest is stored except the call in the callee's Recents`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        let guest = try hub.guest(try await Self.link(hub, "bob", "--name", "Visitor").token)
        #expect(try guest.ask("settings.set", ["displayName": "Somebody"]).errorCode == 403)
        try guest.call("bob")
        try bob.hangUp(try bob.answer())
        try guest.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        // What is answered is written, and so is what came before it.
        let contact: RawPhone.Object = ["identifier": "1", "name": "Ann", "handles": []]
        #expect(try bob.ask("contacts.put", contact).result != nil)
        #expect(try hub.store().accounts().map(\.name).sorted() == ["bob", "root"])
        #expect(try hub.store().export("bob").recents.map(\.name) == ["Visitor"])
    }

    @Test func `two users of the same link are two guests`() async throws {
        let hub = try await OperatedHub("accounts")
        let link = try await Self.link(hub, "bob")
        let guests = [try hub.guest(link.token), try hub.guest(link.token)]
        let accounts = guests.compactMap { $0.session["account"] as? String }
        #expect(Set(accounts).count == 2)
        #expect(accounts.allSatisfy { $0.hasPrefix("guest-") })
    }

    @Test func `an expired link, or one signed by another hub's key, is refused`() async throws {
        let hub = try await OperatedHub("open")
        let stored = try hub.store().secret(InvitationTokens.secret) { [] }
        let callee = TokenClaims.Handle(.generic("bob"))
        // A second ago: the end of a link is its end.
        let (now, past) = (Date(), Date(timeIntervalSinceNow: -61))
        let key = try #require(InvitationTokens.key(stored))
        let id = try #require(InvitationID("link-1"))
        let late = try #require(InvitationTokens.token(id, for: callee, name: nil, until: past + 60, at: past, key))
        let other = try #require(SigningKey.generate(.edDSA))
        let forged = try #require(InvitationTokens.token(id, for: callee, name: nil, until: now + 60, at: now, other))
        for token in [late, forged] {
            let reply = try RawPhone(port: hub.port).open(["token": token])
            #expect(reply.errorCode == 401)
            #expect(reply.errorMessage == "the link is not this hub's, or has ended; request a new one")
        }
    }

    @Test func `a running hub applies a revocation: guests are signed out, those in a call after its end`() async throws
    {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        let link = try await Self.link(hub, "bob")
        let (idle, talker) = (try hub.guest(link.token), try hub.guest(link.token))
        try talker.call("bob")
        let call = try bob.answer()
        let revoke = try await hub.run("link", "revoke", "--data", OperatedHub.data(hub.folder))
        #expect(revoke.code == 0)
        #expect(try idle.next("session.closing")["reason"] as? String == "expired")
        #expect(try RawPhone(port: hub.port).open(["token": link.token]).errorCode == 401)
        #expect(try talker.ask("observer.calls").result != nil, "its call goes on")
        #expect(try talker.call("bob").errorCode == 401, "but no new one begins")
        try bob.hangUp(call)
        #expect(try talker.next("session.closing")["reason"] as? String == "expired")
        #expect(try bob.ask("observer.calls").result != nil, "who has a password stays")
        let fresh = try await Self.link(hub, "bob")
        #expect(try hub.guest(fresh.token).session["account"] != nil, "new links are accepted at once")
    }

    @Test func `the phone opened with a link calls at once in a script, and hangs up`() async throws {
        let hub = try await OperatedHub("open")
        let link = try await Self.link(hub, "echo")
        let run = try await hub.run("phone", "--link", link.text, "--for", "1", "--json")
        #expect(run.code == 0, "\(run.output)")
        #expect(run.output.contains("\"state\":\"connected\""))
        _ = try await hub.run("link", "revoke", "--data", OperatedHub.data(hub.folder))
        try await hub.log.line(with: "links revoked")
        let refused = try await hub.run("phone", "--link", link.text)
        #expect(refused.code == 2)
        #expect(refused.errors.contains("the link is not this hub's, or has ended; request a new one."))
    }

    @Test func `on a terminal the Return key calls, and hangs up`() async throws {
        let hub = try await OperatedHub("open")
        let link = try await Self.link(hub, "echo")
        let terminal = try Pseudoterminal(["phone", "--link", link.text], in: hub.folder)
        try terminal.waits(for: "Return calls echo")
        terminal.type("\r")
        try terminal.waits(for: "Connected")
        terminal.type("\r")
        try terminal.waits(for: "ended")
        terminal.type("quit\r")
        #expect(try terminal.end() == 0)
    }

    @Test func `a link to an unknown handle is created with a warning`() async throws {
        let folder = try TemporaryFolder()
        let add = ["account", "add", "alice", "--no-password", "--handle", "phoneNumber:+49 301"]
        #expect(try await CommandRun(add, in: folder).code == 0)
        for (handle, isThere) in [("phoneNumber:49301", true), ("echo", true), ("alice", false)] {
            let run = try await CommandRun("link", "--url", "http://a.example", "create", handle, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("http://a.example/#call="))
            #expect(run.errors.contains("No account") != isThere, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["create"], ["create", "sip:bob"], ["create", "bob", "--hours", "0"], ["create", "bob", "--hours", "9000"],
        ["create", "bob", "--until", "yesterday"], ["create", "bob", "--until", "2001-01-01"],
        ["create", "bob", "--until", "2026-02-30"], ["create", "bob", "--hours", "1", "--until", "2999-01-01"],
        ["create", "bob", "--url", "hub.example.com"], ["create", "bob", "--url", "https://a/?b"],
        ["create", "bob", "--name", ""], ["create", "bob", "--name", "a\u{7}"], ["revoke", "bob"], ["make"],
        ["revoke", "3f1c2a9e-0d6b-4b57-9a51-6f2d8c1e7b40", "x"], ["revoke", "https://a.example/#call=bob"],
    ])
    func `invalid link arguments give exit code 1`(words: [String]) async throws {
        let run = try await CommandRun(["link"] + words, in: try TemporaryFolder())
        #expect(run.code == 1)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }

    @Test func `a date without a time includes that whole day`() throws {
        let now = try #require(Calendar.current.date(from: DateComponents(year: 2026, month: 11, day: 21, hour: 12)))
        let given = try Arguments(["--until", "2026-11-21"], options: LinkCommand.options)
        #expect(try LinkCommand.end(given, from: now).timeIntervalSince(now) == 12 * 3_600)
        let plain = try Arguments([], options: LinkCommand.options)
        #expect(try LinkCommand.end(plain, from: now).timeIntervalSince(now) == 24 * 3_600)
    }
}
