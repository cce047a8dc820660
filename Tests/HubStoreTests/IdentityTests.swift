import HubAccountData
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubStore

/// The identities of OpenID providers, and the accounts that they find.
struct IdentityTests {
    private let folder: TemporaryFolder
    private let ann = ExternalIdentity(issuer: "https://issuer.example", subject: "1")

    init() throws { folder = try TemporaryFolder() }

    private func file() throws -> StoreFile { try StoreFile(folder("hub.db")) }

    private func claims(_ account: String?, name: String? = nil, isAdmin: Bool? = nil) -> ExternalProfile {
        var claims = ExternalProfile()
        (claims.newAccount, claims.profile.name, claims.isAdmin) = (account, name, isAdmin)
        return claims
    }

    @Test func `the first sign-in creates the account, and later ones find it by any name`() throws {
        let file = try file()
        let first = try file.signIn(by: ann, claims("ann", name: "Ann")).get()
        #expect(first.account == "ann" && first.isChanged)
        for name in ["ann", "other", nil] {
            let found = try file.signIn(by: ann, claims(name)).get()
            #expect(found.account == "ann" && !found.isChanged)
        }
        let account = try #require(try file.accounts().first)
        #expect(account.handles == [.generic("ann")] && !account.hasPassword && !account.isAdmin)
        #expect(account.profile.name == "Ann")
        #expect(try file.identities(of: "ANN").map(\.identity) == [ann])
    }

    @Test func `subjects and issuers are compared byte by byte`() throws {
        let file = try file()
        _ = try file.signIn(by: ann, claims("ann")).get()
        for (issuer, subject) in [
            ("https://issuer.example/", "1"), ("https://ISSUER.example", "1"), ("https://issuer.example", "01"),
            ("https://issuer.example", "1 "), ("", "1"), ("https://issuer.example", "\u{FF11}"),
        ] {
            let other = ExternalIdentity(issuer: issuer, subject: subject)
            #expect(throws: IdentityFault.nameTaken) { try file.signIn(by: other, claims("ann")).get() }
            #expect(throws: IdentityFault.unknown) { try file.signIn(by: other, claims(nil)).get() }
        }
    }

    @Test func `no name leads into an account or data that is there already`() throws {
        let file = try file()
        try file.addAccount(NewAccount("bob", handles: [.generic("bobby")]))
        try file.recordSignIn("carol")
        for name in ["bob", "BOB", "bobby", "carol"] {
            #expect(throws: IdentityFault.nameTaken) { try file.signIn(by: ann, claims(name)).get() }
        }
        #expect(try file.identities().isEmpty)
    }

    @Test func `an operator links an identity to one account, and unlinking ends its credentials`() throws {
        let file = try file()
        try file.addAccount(NewAccount("bob"))
        try file.addAccount(NewAccount("carol"))
        try file.linkIdentity(ann, to: "Bob")
        try file.linkIdentity(ann, to: "bob")
        #expect(throws: StoreError.self) { try file.linkIdentity(ann, to: "carol") }
        #expect(throws: StoreError.self) { try file.linkIdentity(ann, to: "nobody") }
        for part in [ExternalIdentity(issuer: "", subject: "1"), ExternalIdentity(issuer: "x", subject: "")] {
            #expect(throws: StoreError.self) { try file.linkIdentity(part, to: "bob") }
        }
        #expect(try file.signIn(by: ann, claims("ann")).get().account == "bob")
        let version = try #require(try file.accounts().first).passwordVersion
        #expect(try !file.unlinkIdentity(ann, from: "carol"))
        #expect(try file.unlinkIdentity(ann, from: "BOB"))
        #expect(try !file.unlinkIdentity(ann, from: "bob"))
        #expect(try #require(try file.accounts().first).passwordVersion == version + 1)
        #expect(try file.signIn(by: ann, claims("ann")).get().account == "ann")
    }

    @Test func `a disabled or removed account stays closed, and an erased one is forgotten`() throws {
        let file = try file()
        _ = try file.signIn(by: ann, claims("ann")).get()
        try file.setDisabled(true, "ann")
        #expect(throws: IdentityFault.disabled) { try file.signIn(by: ann, claims("ann")).get() }
        try file.setDisabled(false, "ann")
        try file.removeAccount("ann")
        #expect(throws: IdentityFault.disabled) { try file.signIn(by: ann, claims("ann")).get() }
        try file.erase("ann")
        #expect(try file.identities().isEmpty)
        #expect(try file.signIn(by: ann, claims("ann")).get().isChanged)
    }

    @Test func `the last administrator stays one, and another one is there or not by the provider's word`() throws {
        let file = try file()
        _ = try file.signIn(by: ann, claims("ann", isAdmin: true)).get()
        let kept = try file.signIn(by: ann, claims("ann", isAdmin: false)).get()
        #expect(kept.staysLastAdministrator && !kept.isChanged)
        #expect(try file.accounts().map(\.isAdmin) == [true])
        try file.addAccount(NewAccount("root", isAdmin: true))
        try file.setDisabled(true, "root")
        #expect(try file.signIn(by: ann, claims("ann", isAdmin: false)).get().staysLastAdministrator)
        try file.setDisabled(false, "root")
        #expect(try !file.signIn(by: ann, claims("ann", isAdmin: false)).get().staysLastAdministrator)
        #expect(try #require(try file.accounts().first { $0.name == "ann" }).isAdmin == false)
        #expect(try file.signIn(by: ann, claims("ann", isAdmin: nil)).get().isChanged == false)
    }

    @Test func `accounts and rights of the provider's are in the audit log, once`() throws {
        let file = try file()
        try file.addAccount(NewAccount("root", isAdmin: true))
        for isAdmin in [false, false, true, true, false, nil] {
            _ = try file.signIn(by: ann, claims("ann", name: "Ann", isAdmin: isAdmin)).get()
        }
        let found = try file.auditEntries().reversed()
        #expect(found.map(\.act.name) == ["account.add", "account.admin", "account.admin"])
        #expect(found.map(\.act.detail) == [nil, "on", "off"])
        #expect(found.allSatisfy { $0.actor == AuditActor(.provider, account: "ann") && $0.act.target == "ann" })
    }

    @Test func `a new key for a provider's users ends the sessions of those alone`() throws {
        let file = try file()
        try file.addAccount(NewAccount("bob"))
        _ = try file.signIn(by: ann, claims("ann")).get()
        func versions() throws -> [String: Int64] {
            Dictionary(uniqueKeysWithValues: try file.accounts().map { ($0.name, $0.passwordVersion) })
        }
        let before = try versions()
        try file.replaceOpenIDKey(by: [1, 2, 3])
        #expect(try file.secret(StoreFile.openIDKey) { [] } == [1, 2, 3])
        let after = try versions()
        #expect(after["bob"] == before["bob"] && after["ann"] == before["ann"].map { $0 + 1 })
    }

    @Test func `the provider's name and right are taken at each sign-in, and what it does not say stays`() throws {
        let file = try file()
        try file.addAccount(NewAccount("root", isAdmin: true))
        _ = try file.signIn(by: ann, claims("ann", name: "Ann", isAdmin: true)).get()
        func account() throws -> StoredAccount { try #require(try file.accounts().first { $0.name == "ann" }) }
        #expect(try account().isAdmin)
        #expect(try !file.signIn(by: ann, claims("ann")).get().isChanged)
        #expect(try file.signIn(by: ann, claims("ann", name: "Ann B.")).get().isChanged)
        #expect(try file.signIn(by: ann, claims("ann", isAdmin: false)).get().isChanged)
        #expect(try account().profile.name == "Ann B." && !account().isAdmin)
    }

    @Test func `the identities of an account are in its export`() throws {
        let file = try file()
        _ = try file.signIn(by: ann, claims("ann")).get()
        let exported = try file.export("ann")
        #expect(exported.identities.map(\.subject) == ["1"])
        #expect(exported.json.contains("https://issuer.example"))
    }
}
