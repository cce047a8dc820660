import Foundation
import HubTestSupport
import Testing

@testable import HubConfiguration

/// The members of a provider that is accepted.
private let right = "issuer: \"https://login.example.com/a\", clientID: \"c\""

/// Tests of the settings of a sign-in by a provider.
struct OpenIDSettingsTests {
    private func faults(_ openID: String, _ more: String = "") -> [String] {
        let text = "{auth: {mode: \"accounts\", openID: \(openID)}\(more)}"
        do throws(SettingsError) {
            try ConfigurationFile.read(Array(text.utf8), name: "f").check()
            return []
        } catch {
            return error.faults
        }
    }

    @Test func `a provider with an issuer and a client is accepted`() {
        #expect(faults("{\(right)}") == [])
        #expect(faults("{issuer: \"http://localhost:8081\", clientID: \"c\"}") == [])
    }

    @Test(arguments: [
        "\"http://login.example.com\"", "\"https://\"", "\"https://a?b\"", "\"https://a#b\"", "\"\"", "7",
        "\"https://a b\"", "\"https://user@a\"", "\"ftp://a\"", "\"http://localhost.example.com\"",
        "\"http://127.0.0.1@evil.example\"",
    ])
    func `an issuer that is no https URL is refused with a sentence`(issuer: String) {
        let found = faults("{issuer: \(issuer), clientID: \"c\"}")
        #expect(found.count == 1 && found[0].contains("auth.openID.issuer is"), "\(found)")
    }

    @Test(arguments: [
        ("{clientID: \"c\"}", "has no issuer"), ("{issuer: \"https://a\"}", "clientID is not"),
        ("{\(right), scopes: [\"profile\"]}", "lacks \"openid\""), ("{\(right), scopes: [\"a b\"]}", "list of scopes"),
        ("{\(right), adminClaim: \"groups\"}", "belong together"), ("{\(right), adminValue: \"x\"}", "belong together"),
        ("{\(right), sessionHours: 0}", "1 to 8760"), ("{\(right), sessionHours: 8761}", "1 to 8760"),
        ("{\(right), label: \"\"}", "1 to 64 bytes"), ("{\(right), label: \"a\\u202eb\"}", "1 to 64 bytes"),
        ("{\(right), accountClaim: \"\"}", "name of a claim"), ("{\(right), createsAccounts: 1}", "true or false"),
    ])
    func `what does not fit together is refused with a sentence`(openID: String, words: String) {
        let found = faults(openID)
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }

    @Test func `other machines need the public address, and any provider needs accounts`() {
        let open = ", listen: {host: \"0.0.0.0\"}"
        #expect(faults("{\(right)}", open).first?.contains("http.publicURL") == true)
        #expect(faults("{\(right)}", open + ", http: {publicURL: \"https://a.example/\"}") == [])
        let text = "{auth: {mode: \"open\", openID: {\(right)}}}"
        #expect(throws: SettingsError.self) { try ConfigurationFile.read(Array(text.utf8), name: "f").check() }
    }

    @Test func `the secret is the first line of its file, or a credential of systemd`() throws {
        let folder = try TemporaryFolder()
        var settings = OpenIDSettings()
        #expect(try settings.clientSecret([:]) == nil)
        let path = try folder.write("the secret\nmore", to: "secret")
        settings.clientSecretFile = path
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(try settings.clientSecret([:]) == "the secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: ServeError.self) { try settings.clientSecret([:]) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        settings.clientSecretFile = "credential:secret"
        #expect(throws: ServeError.self) { try settings.clientSecret([:]) }
        #expect(try settings.clientSecret(["CREDENTIALS_DIRECTORY": folder.path]) == "the secret")
        for text in ["", "\nsecond", String(repeating: "a", count: 4_097)] {
            let bad = try folder.write(text, to: "bad")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bad)
            settings.clientSecretFile = bad
            #expect(throws: ServeError.self) { try settings.clientSecret([:]) }
        }
        settings.clientSecretFile = folder.path
        #expect(throws: ServeError.self) { try settings.clientSecret([:]) }
    }

    @Test func `the label is the issuer's host unless another is set`() {
        var settings = OpenIDSettings()
        settings.issuer = "https://login.example.com/realms/staff"
        #expect(settings.shownLabel == "login.example.com")
        settings.label = "Acme"
        #expect(settings.shownLabel == "Acme")
    }
}
