import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// Clients that constantly send fresh tokens, and others that sign in meanwhile.
struct RefreshFloodTests {
    /// Accepts tokens `NAME`; while it is blocked, up to a hundred wait, and more are refused.
    private final class QueueingAuthenticator: Authenticator, @unchecked Sendable {
        private let lock = NSLock()
        private var isBlocked = false
        private var waiting: [@Sendable () -> Void] = []
        private var shown: [Credentials] = []

        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let name = credentials.token ?? ""
            var identity = AuthenticatedIdentity(account: name, handles: [.generic(name)])
            let now = Int64(Date().timeIntervalSince1970 * 1e9)
            identity.expiresAt = Instant(nanoseconds: now + 600_000_000_000)
            let verdict = identity
            let mayWait: Bool? = lock.withLock {
                shown.append(credentials)
                guard isBlocked else { return nil }
                guard waiting.count < 100 else { return false }
                waiting.append { then(.success(verdict)) }
                return true
            }
            switch mayWait {
            case nil: then(.success(identity))
            case false: then(.failure(AuthenticationRefusal(.unavailable, "too many sign in at the moment")))
            default: break
            }
        }

        func block() { lock.withLock { isBlocked = true } }

        func unblock() {
            let all = lock.withLock {
                isBlocked = false
                defer { waiting = [] }
                return waiting
            }
            for decide in all { decide() }
        }

        var credentials: [Credentials] { lock.withLock { shown } }
    }

    private static func phone(_ hub: TestHub, _ token: String) throws -> RawPhone {
        let phone = try RawPhone(port: hub.port)
        #expect(try phone.open(["token": token]).result != nil)
        return phone
    }

    @Test func `a flood of session.refresh is refused, without affecting other clients' sign-ins`() async throws {
        let authenticator = QueueingAuthenticator()
        var services = HubServices()
        services.authenticator = authenticator
        let hub = try TestHub(services: services)
        try await blocking {
            let flood = try Self.phone(hub, "flood")
            authenticator.block()
            for _ in 0..<300 { try flood.send("session.refresh", ["token": "flood"]) }
            #expect(try flood.ask("session.ping").result != nil, "all before it have been looked at")
            let stranger = try RawPhone(port: hub.port)
            try stranger.send("session.open", ["token": "stranger"])
            while !authenticator.credentials.contains(where: { $0.token == "stranger" }) { usleep(1_000) }
            authenticator.unblock()
            #expect(try stranger.reply().result?["account"] as? String == "stranger")
            #expect(
                authenticator.credentials.count { $0.token == "flood" } == 2,
                "the sign-in and one refresh at a time"
            )
            #expect(try flood.ask("session.refresh", ["token": "flood"]).result?["expiresAt"] != nil)
        }
    }

    @Test func `an account may send a number of fresh tokens, then one a second`() async throws {
        let authenticator = QueueingAuthenticator()
        var services = HubServices()
        services.authenticator = authenticator
        let hub = try TestHub(services: services)
        try await blocking {
            let flood = try Self.phone(hub, "flood")
            var refusals: [RawPhone.Object] = []
            let start = ContinuousClock.now
            for _ in 0..<300 {
                let reply = try flood.ask("session.refresh", ["token": "flood"])
                if reply.errorCode != 0 { refusals.append(reply) }
            }
            #expect(refusals.count >= 239 - Int((ContinuousClock.now - start) / .seconds(1)))
            #expect(refusals.allSatisfy { $0.errorCode == 429 })
            #expect(refusals.allSatisfy { $0.errorData["retryAfterSeconds"] as? Int == 1 })
            let other = try Self.phone(hub, "other")
            #expect(try other.ask("session.refresh", ["token": "other"]).result?["expiresAt"] != nil)
            #expect(try Self.phone(hub, "flood").ask("session.ping").result != nil, "sign-ins are counted apart")
        }
    }
}
