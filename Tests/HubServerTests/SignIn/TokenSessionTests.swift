import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// Sessions that end with a token, unless there is a fresh one.
struct TokenSessionTests {
    typealias Object = RawPhone.Object

    /// Accepts tokens `NAME:SECONDS`.
    private struct ExpiringTokenAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let parts = (credentials.token ?? "").split(separator: ":").map(String.init)
            guard parts.count > 1, let seconds = Double(parts[1]) else {
                return then(.failure(AuthenticationRefusal(.wrongToken, "no token")))
            }
            guard seconds > 0 else { return then(.failure(AuthenticationRefusal(.tokenExpired, "the token is over"))) }
            var identity = AuthenticatedIdentity(account: parts[0], handles: [.generic(parts[0])])
            let now = Int64(Date().timeIntervalSince1970 * 1e9)
            identity.expiresAt = Instant(nanoseconds: now + Int64(seconds * 1e9))
            then(.success(identity))
        }
    }

    private static func hub() throws -> TestHub {
        var services = HubServices()
        services.authenticator = ExpiringTokenAuthenticator()
        return try TestHub(services: services)
    }

    private static func phone(_ hub: TestHub, _ token: String) throws -> RawPhone {
        let phone = try RawPhone(port: hub.port)
        #expect(try phone.open(["token": token]).result != nil)
        return phone
    }

    private static func call(_ phone: RawPhone, _ name: String) throws -> Object {
        let uuid = UUID().uuidString.lowercased()
        let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": name]]
        return try phone.ask("transaction.request", ["actions": [start]])
    }

    @Test func `a token determines the account and its expiry`() async throws {
        try await blocking {
            let hub = try Self.hub()
            let alice = try Self.phone(hub, "alice:600")
            #expect(alice.session["account"] as? String == "alice")
            #expect((alice.session["expiresAt"] as? String)?.hasSuffix("Z") == true)
            let late = try RawPhone(port: hub.port).open(["token": "alice:0"])
            #expect(late.errorCode == 401)
            #expect(((late["error"] as? Object)?["data"] as? Object)?["name"] as? String == "tokenExpired")
        }
    }

    @Test func `without a fresh token the session ends once it has no call`() async throws {
        try await blocking {
            let hub = try Self.hub()
            let alice = try Self.phone(hub, "alice:0.5")
            #expect(try alice.next("session.closing")["reason"] as? String == "expired")
            #expect(try alice.readToEnd() == 1008)
        }
    }

    @Test func `a call continues after its token has expired, and no new one can be started`() async throws {
        try await blocking {
            let hub = try Self.hub()
            let bob = try Self.phone(hub, "bob:600")
            let alice = try Self.phone(hub, "alice:5")
            #expect(try Self.call(alice, "bob").result != nil)
            let ringing = try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            let answer: Object = ["type": "answer", "callUUID": ringing["uuid"] ?? ""]
            #expect(try bob.ask("transaction.request", ["actions": [answer]]).result != nil)
            let deadline = Deadline(seconds: 20)
            while try Self.call(alice, "carol").errorCode != 401, !deadline.isOver {}
            #expect(try Self.call(alice, "carol").errorCode == 401)
            #expect(try alice.ask("session.refresh", ["token": "alice:600"]).result?["expiresAt"] != nil)
            #expect(try alice.ask("session.refresh", ["token": "mallory:600"]).errorCode == 403)
            #expect(try alice.ask("observer.calls").result != nil, "it was never interrupted")
        }
    }
}
