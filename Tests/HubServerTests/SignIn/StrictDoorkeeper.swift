import Foundation
import HubEngine
import HubServer
import HubWire

/// Lets in whoever says `secret`, after as long as the test wants.
final class StrictDoorkeeper: Doorkeeper, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []
    private let isHeldUp: Bool
    private var shown: [Credentials] = []

    /// What everybody may do.
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

    /// Waits for somebody who wants to be let in.
    func waitForSomebody() {
        condition.withLock { while waiting.isEmpty { condition.wait() } }
    }

    /// Whether they who want to be let in still wait, in the order in which they came.
    var areStillShown: [Bool] { condition.withLock { shown.map { $0.areStillShown() } } }

    /// Waits for somebody who wants to be let in, and decides.
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
