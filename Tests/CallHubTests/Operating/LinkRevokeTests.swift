import Foundation
import HubCrypto
import HubEngine
import HubStore
import HubTestSupport
import Testing

@testable import CommandLineClient
@testable import HubAccounts

/// Links that are listed, and revoked one by one.
struct LinkRevokeTests {
    private static func link(_ hub: OperatedHub, _ words: String...) async throws -> CallLink {
        let all = ["link", "create", "bob"] + words + ["--data", OperatedHub.data(hub.folder)]
        let run = try await CommandRun(all, in: hub.folder)
        #expect(run.code == 0, "\(run.errors)")
        return try CallLink(text: run.output.trimmingCharacters(in: .newlines))
    }

    private static func listed(_ hub: OperatedHub) async throws -> [[String: Any]] {
        let run = try await hub.run("link", "list", "--json", "--data", OperatedHub.data(hub.folder))
        return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    }

    @Test func `revoking one link signs out its guests, those in a call later, and leaves other links valid`()
        async throws
    {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        let (bad, good) = (try await Self.link(hub, "--name", "Bad"), try await Self.link(hub, "--name", "Good"))
        let (idle, talker, other) = (try hub.guest(bad.token), try hub.guest(bad.token), try hub.guest(good.token))
        try talker.call("bob")
        let call = try bob.answer()
        let id = try #require(call["link"] as? String)
        #expect(try await Self.listed(hub).map { $0["name"] as? String } == ["Bad", "Good"])
        #expect(try await Self.listed(hub).first?["id"] as? String == id, "the callee sees what the operator lists")
        let revoke = try await hub.run("link", "revoke", id, "--data", OperatedHub.data(hub.folder))
        #expect(revoke.code == 0, "\(revoke.errors)")
        #expect(revoke.output == "The link \(id) is revoked.\n")
        #expect(try idle.next("session.closing")["reason"] as? String == "expired")
        let refusal = try RawPhone(port: hub.port).open(["token": bad.token])
        #expect(refusal.errorCode == 401)
        #expect(refusal.errorMessage == "the link is not this hub's, or has ended; request a new one")
        #expect(try talker.call("bob").errorCode == 401, "no new call begins")
        try bob.hangUp(call)
        #expect(try talker.next("session.closing")["reason"] as? String == "expired")
        #expect(try other.call("bob").result != nil)
        #expect(try hub.guest(good.token).session["account"] != nil)
        #expect(try await Self.listed(hub).map { $0["state"] as? String } == ["revoked", "valid"])
    }

    @Test func `a revoked link stays revoked after a restart of the hub`() async throws {
        let folder = try TemporaryFolder()
        let tokens = try await { () async throws -> [String] in
            let hub = try await OperatedHub("open", in: folder)
            let (bad, good) = (try await Self.link(hub), try await Self.link(hub))
            let revoke = try await hub.run("link", "revoke", bad.text, "--data", OperatedHub.data(folder))
            #expect(revoke.code == 0, "the link as a whole names it too: \(revoke.errors)")
            hub.log.send(signal: SIGTERM)
            #expect(await hub.log.exitCode() == 0)
            return [bad.token, good.token]
        }()
        let next = try await OperatedHub("open", in: folder)
        #expect(try RawPhone(port: next.port).open(["token": tokens[0]]).errorCode == 401)
        #expect(try RawPhone(port: next.port).open(["token": tokens[1]]).result != nil)
    }

    @Test func `a link without an identifier is accepted, and revoked by the identifier that its calls show`()
        async throws
    {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        let key = try #require(InvitationTokens.key(try hub.store().secret(InvitationTokens.secret) { [] }))
        let claims = TokenClaims(
            account: "guest",
            callee: TokenClaims.Handle(.generic("bob")),
            expires: Date(timeIntervalSinceNow: 600)
        )
        let signer = TokenSigner(key: key, issuer: "callhub-link", audience: "callhub-link")
        let token = try #require(signer.sign(claims, at: Date()))
        let guest = try hub.guest(token)
        try guest.call("bob")
        let call = try bob.answer()
        try bob.hangUp(call)
        let id = try #require(call["link"] as? String)
        let revoke = try await hub.run("link", "revoke", id, "--data", OperatedHub.data(hub.folder))
        #expect(revoke.code == 0)
        #expect(revoke.errors.contains("No link \(id) is listed"))
        #expect(try guest.next("session.closing")["reason"] as? String == "expired")
        #expect(try RawPhone(port: hub.port).open(["token": token]).errorCode == 401)
    }

    @Test func `revoking all links includes unlisted ones, and empties the list`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await CommandRun(["account", "add", "bob", "--no-password"], in: folder).code == 0)
        #expect(try await CommandRun(["link", "create", "bob"], in: folder).code == 0)
        #expect(try await CommandRun(["link", "list"], in: folder).output.contains("valid"))
        #expect(try await CommandRun(["link", "revoke"], in: folder).code == 0)
        let list = try await CommandRun(["link", "list"], in: folder)
        #expect((list.code, list.output) == (0, ""))
        #expect(list.errors == "There are no links; callhub link create HANDLE makes one.\n")
    }
}
