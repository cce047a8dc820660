import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// The name in a token, and the one that an account has set for itself.
struct CallerNameTests {
    typealias Object = RawPhone.Object

    /// Every session signs in with a token that contains its name.
    private struct NamingAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let account = credentials.account ?? ""
            var identity = AuthenticatedIdentity(account: account, handles: [.generic(account)])
            identity.displayName = credentials.token
            then(.success(identity))
        }
    }

    private static func ring(_ caller: RawPhone, _ callee: RawPhone) throws -> String? {
        let uuid = UUID().uuidString.lowercased()
        let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
        #expect(try caller.ask("transaction.request", ["actions": [start]]).result != nil)
        let ringing = try callee.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
        let end: Object = ["type": "end", "callUUID": uuid]
        #expect(try caller.ask("transaction.request", ["actions": [end]]).result != nil)
        return ringing["localizedCallerName"] as? String
    }

    @Test func `a callee receives the name in the token, which has priority over the account's name`()
        async throws
    {
        try await blocking {
            var services = HubServices()
            services.authenticator = NamingAuthenticator()
            let hub = try TestHub(services: services)
            let bob = try RawPhone(port: hub.port, account: "bob")
            let nameless = try RawPhone(port: hub.port, account: "carol")
            #expect(try Self.ring(nameless, bob) == "carol")
            let alice = try RawPhone(port: hub.port, account: "alice", ["token": "Alice Liddell"])
            #expect(try Self.ring(alice, bob) == "Alice Liddell")
            #expect(try alice.ask("settings.set", ["displayName": "Al"]).result != nil)
            #expect(try Self.ring(alice, bob) == "Al")
        }
    }
}
