import HubCrypto
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Synchronization
import Testing

/// Sessions of passwords and passkeys, when these change or are guessed at.
struct CredentialSessionTests {
    /// Admits everybody to alice: the password `passkey N` is the passkey with the ID N, another one a password.
    private struct PasskeyAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            var identity = AuthenticatedIdentity(account: "alice", handles: [.generic("alice")])
            identity.passwordVersion = 1
            let words = credentials.password?.split(separator: " ") ?? []
            if words.first == "passkey", let id = words.last.flatMap({ UInt8($0) }) { identity.passkey = [id] }
            then(.success(identity))
        }
    }

    /// Finds each password wrong, and counts them.
    private final class WrongPasswords: CredentialService {
        let asked = Atomic(0)

        func answer(
            _ request: CredentialRequest,
            of account: String,
            by actor: AuditActor,
            queueLane lane: String?,
            _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
        ) {
            asked.add(1, ordering: .relaxed)
            then(.failure(WireError(.wrongPassword, "the current password is wrong")))
        }
    }

    private static func record(_ passkeys: Set<[UInt8]>) -> AccountRecord {
        AccountRecord(name: "alice", handles: [.generic("alice")], passwordVersion: 1, passkeys: passkeys)
    }

    private static func hub(_ credentials: (any CredentialService)? = nil) throws -> TestHub {
        var services = HubServices()
        services.authenticator = PasskeyAuthenticator()
        services.credentials = credentials
        var stored = StoredState()
        stored.provisioned = [record([[1], [2]])]
        return try TestHub(services: services, stored: stored)
    }

    private static func phone(_ hub: TestHub, _ password: String, device: String) throws -> RawPhone {
        try RawPhone(port: hub.port, account: "alice", ["password": password, "device": ["id": device]])
    }

    /// Signs a phone in whose connection ends; what would resume its session.
    private static func lostSession(_ hub: TestHub, _ password: String) throws -> RawPhone.Object {
        let session = try phone(hub, password, device: "lost").session
        return ["session": session["session"] ?? "", "token": session["resumeToken"] ?? "", "seq": 0]
    }

    @Test func `a removed passkey signs out its own sessions alone, lost ones included`() async throws {
        try await blocking {
            let hub = try Self.hub()
            let first = try Self.phone(hub, "passkey 1", device: "first")
            let lost = try Self.lostSession(hub, "passkey 1")
            let second = try Self.phone(hub, "passkey 2", device: "second")
            let byPassword = try Self.phone(hub, "secret", device: "password")
            hub.server.take([Self.record([[2]])], erased: [])
            #expect(try first.next("session.closing")["reason"] as? String == "signedOut")
            for phone in [second, byPassword] { #expect(try phone.ask("session.ping").result != nil) }
            let resumed = try RawPhone(port: hub.port).open(["resume": lost])
            #expect(resumed.errorCode == 440)
        }
    }

    @Test func `a passkey that was removed while it was verified opens no session`() async throws {
        try await blocking {
            let hub = try Self.hub()
            hub.server.take([Self.record([[2]])], erased: [])
            let late = try RawPhone(port: hub.port).open(["account": "alice", "password": "passkey 1"])
            #expect(late.errorCode == 401)
        }
    }

    @Test func `twenty wrong passwords in a session make it wait, and no further one is verified`() async throws {
        try await blocking {
            let wrong = WrongPasswords()
            let hub = try Self.hub(wrong)
            let phone = try Self.phone(hub, "secret", device: "phone")
            let parameters: RawPhone.Object = ["current": "guess", "new": "Rosenkohl und Spinat"]
            let start = ContinuousClock.now
            var codes: [Int?] = []
            repeat {
                codes.append(try phone.ask("account.setPassword", parameters).errorCode)
            } while codes.last == 401 && codes.count < 60
            #expect(codes.last == 429)
            // One more for each five seconds that a busy machine has taken.
            let grace = Int((ContinuousClock.now - start) / .seconds(5)) + 1
            #expect((20...20 + grace).contains(codes.count - 1))
            #expect(wrong.asked.load(ordering: .relaxed) == codes.count - 1)
        }
    }
}
