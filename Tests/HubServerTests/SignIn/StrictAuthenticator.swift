import Foundation
import HubEngine
import HubServer
import HubWire

/// An authenticator that accepts the password `secret`, when the test lets it.
final class StrictAuthenticator: Authenticator, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []
    private let isBlocked: Bool
    private var shown: [Credentials] = []

    /// The permissions of every account.
    var permissions: Set<Permission> = [.call, .observe]

    init(isBlocked: Bool = false) {
        self.isBlocked = isBlocked
    }

    func authenticate(
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        let verdict = verdict(on: credentials)
        guard isBlocked else { return then(verdict) }
        condition.withLock {
            shown.append(credentials)
            waiting.append { then(verdict) }
            condition.broadcast()
        }
    }

    /// Waits for a sign-in.
    func waitForSignIn() {
        condition.withLock { while waiting.isEmpty { condition.wait() } }
    }

    /// The state of each sign-in, in order of arrival: true while its client waits for the verdict.
    var isStillAwaited: [Bool] { condition.withLock { shown.map { $0.isStillAwaited() } } }

    /// Waits for a sign-in, and delivers its verdict.
    func decide() {
        let next = condition.withLock {
            while waiting.isEmpty { condition.wait() }
            return waiting.removeFirst()
        }
        next()
    }

    private func verdict(on credentials: Credentials) -> Result<AuthenticatedIdentity, AuthenticationRefusal> {
        guard let account = credentials.account, let password = credentials.password else {
            return .failure(AuthenticationRefusal(.missing, "params.password is missing"))
        }
        guard password == "secret" else {
            return .failure(AuthenticationRefusal(.wrongPassword, "name or password is wrong"))
        }
        let handles = [Handle.generic(account), Handle(type: .phoneNumber, value: "+49 30 \(account.utf8.count)")]
        return .success(AuthenticatedIdentity(account: account, handles: handles, permissions: permissions))
    }
}
