import Foundation
import HubEngine
import HubServer
import HubWire

/// An authenticator that accepts the password `secret`, when the test lets it.
final class StrictDoorkeeper: Doorkeeper, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []
    private let isHeldUp: Bool
    private var shown: [Credentials] = []

    /// The permissions of every account.
    var permissions: Set<Permission> = [.call, .observe]

    init(isHeldUp: Bool = false) {
        self.isHeldUp = isHeldUp
    }

    func admit(_ credentials: Credentials, _ then: @escaping @Sendable (Result<Admission, AdmissionRefusal>) -> Void) {
        let verdict = verdict(on: credentials)
        guard isHeldUp else { return then(verdict) }
        condition.withLock {
            shown.append(credentials)
            waiting.append { then(verdict) }
            condition.broadcast()
        }
    }

    /// Waits for a sign-in.
    func waitForSomebody() {
        condition.withLock { while waiting.isEmpty { condition.wait() } }
    }

    /// The state of each sign-in, in order of arrival: true while its client waits for the verdict.
    var areStillShown: [Bool] { condition.withLock { shown.map { $0.areStillShown() } } }

    /// Waits for a sign-in, and delivers its verdict.
    func decide() {
        let next = condition.withLock {
            while waiting.isEmpty { condition.wait() }
            return waiting.removeFirst()
        }
        next()
    }

    private func verdict(on credentials: Credentials) -> Result<Admission, AdmissionRefusal> {
        guard let account = credentials.account, let password = credentials.password else {
            return .failure(AdmissionRefusal(.missing, "params.password is missing"))
        }
        guard password == "secret" else {
            return .failure(AdmissionRefusal(.wrongPassword, "name or password is wrong"))
        }
        let handles = [Handle.generic(account), Handle(type: .phoneNumber, value: "+49 30 \(account.utf8.count)")]
        return .success(Admission(account: account, handles: handles, permissions: permissions))
    }
}
