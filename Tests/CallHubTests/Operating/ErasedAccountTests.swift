import Foundation
import HubStore
import HubTestSupport
import Testing

/// Tests of `callhub account erase` for an account that is signed in.
struct ErasedAccountTests {
    @Test(arguments: ["accounts", "open"])
    func `a call ended by an erasure leaves no data of that account, and an entry for the other party`(mode: String)
        async throws
    {
        let hub = try await OperatedHub(mode)
        let bob = try hub.bob()
        let root = try RawPhone(port: hub.port, account: "root", ["password": "root-secret", "device": ["id": "desk"]])
        try root.call("bob")
        try bob.answer()
        try root.next("call.changed") { $0.call["state"] as? String == "connected" }
        let data = OperatedHub.data(hub.folder)
        let erased = try await hub.run("account", "erase", "bob", "--yes", "--data", data)
        #expect(erased.code == 0, "\(erased.errors)")
        #expect(erased.output == "All data of bob is erased, except in backups.\n")
        // The account is gone by the time that the command reports it.
        #expect(try await hub.run("account", "export", "bob", "--data", data).code == 3)
        #expect(try bob.next("session.closing")["reason"] as? String == "signedOut")
        try root.next("recents.changed")
        let recents = try root.ask("recents.list").result?["recents"] as? [RawPhone.Object] ?? []
        #expect(recents.count == 1)
        #expect(recents.first?["outcome"] as? String == "answered", "\(recents)")
        #expect(try await hub.run("account", "export", "bob", "--data", data).code == 3)
        #expect(try hub.store().accounts().map(\.name) == ["root"])
    }
}
