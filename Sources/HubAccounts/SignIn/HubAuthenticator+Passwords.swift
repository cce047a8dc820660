import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// The passwords of users who have signed in already, on the thread of passwords.
extension HubAuthenticator {
    /// Verifies an account's password, and hashes the new one.
    ///
    /// The new one is checked first: nobody waits or is counted for a password that is too short.
    ///
    /// - Parameters:
    ///   - current: The password to verify.
    ///   - new: The new password.
    ///   - account: The name of the account.
    ///   - lane: The lane in which the password waits.
    ///   - then: Called with the stored hash and the new one, or with the error for the client, on any thread.
    func replacePassword(
        _ current: String,
        by new: String,
        of account: String,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<(old: String, new: String), WireError>) -> Void
    ) {
        let checked: NewPassword
        do throws(NewPasswordError) {
            checked = try NewPassword(new, for: account)
        } catch {
            return then(.failure(WireError(.general(.invalidArgument), error.description, reason: error.reason)))
        }
        confirm(current, of: account, queueLane: lane, then) { [cost] hash throws(WireError) in
            guard let new = PasswordHash(checked.password, cost: cost) else {
                let error = NewPasswordError.unusable(.noMemory)
                throw WireError(.overloaded, error.description, retryAfterSeconds: 5)
            }
            return (old: hash, new: new.text)
        }
    }

    /// Verifies an account's password.
    func confirm(
        _ password: String,
        of account: String,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<Void, WireError>) -> Void
    ) {
        confirm(password, of: account, queueLane: lane, then) { _ in }
    }

    /// Verifies an account's password and runs a body with its hash, both on the thread of passwords.
    private func confirm<Value: Sendable>(
        _ text: String,
        of account: String,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<Value, WireError>) -> Void,
        with body: @escaping @Sendable (String) throws(WireError) -> Value
    ) {
        let refuse = { @Sendable in
            then(.failure(WireError(.overloaded, "too many sign-ins are pending; try again", retryAfterSeconds: 5)))
        }
        store.read { file throws(StoreError) in
            try file.password(of: account)
        } then: { [weak self] result in
            guard let self else { return }
            guard case .success(let stored) = result else {
                let message = "the hub cannot verify passwords now; try again in a moment"
                return then(.failure(WireError(.storeFailed, message, retryAfterSeconds: 5)))
            }
            guard let stored, let hash = PasswordHash(text: stored.hash) else {
                let message = "this account has no password; its operator can set one"
                return then(.failure(WireError(.notAllowed, message)))
            }
            let answer = passwords.add(of: lane ?? "", atMost: lane.map { _ in Self.maximumPerLane }, orDrop: refuse) {
                [verify] in
                then(
                    Result { () throws(WireError) in
                        guard let password = try? Password(text), verify(hash, password) else {
                            throw WireError(.wrongPassword, "the current password is wrong")
                        }
                        return try body(stored.hash)
                    }
                )
            }
            if case .queued = answer { return }
            refuse()
        }
    }
}
