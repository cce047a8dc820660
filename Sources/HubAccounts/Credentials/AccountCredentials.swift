import Foundation
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// The passwords and passkeys of accounts in the store, which users manage themselves.
final class AccountCredentials: CredentialService {
    private let store: Store
    private let changes: AccountChangeHandler
    private let authenticator: HubAuthenticator

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - store: The store of passwords and passkeys.
    ///   - changes: The handler that applies changes to the running hub.
    ///   - authenticator: The verifier of passwords, on its own thread.
    init(_ store: Store, _ changes: AccountChangeHandler, _ authenticator: HubAuthenticator) {
        (self.store, self.changes, self.authenticator) = (store, changes, authenticator)
    }

    func answer(
        _ request: CredentialRequest,
        of account: String,
        by actor: AuditActor,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
    ) {
        switch request {
        case .setPassword(let current, let new):
            authenticator.replacePassword(current, by: new, of: account, queueLane: lane) { [self] hashes in
                guard case .success(let (old, new)) = hashes else { return then(hashes.map { _ in .done }) }
                setPassword(old, by: new, of: account, actor, then)
            }
        case .createPasskey(.passkey(let passkey)):
            authenticator.confirm(passkey, of: account, from: actor.address, queueLane: lane) { [self] verdict in
                guard case .success = verdict else { return then(verdict.map { .done }) }
                beginPasskey(of: account, then)
            }
        case .createPasskey(.password(let password)):
            authenticator.confirm(password, of: account, queueLane: lane) { [self] verdict in
                guard case .success = verdict else { return then(verdict.map { .done }) }
                beginPasskey(of: account, then)
            }
        case .createPasskey(.freshSignIn): beginPasskey(of: account, then)
        case .addPasskey(let registration, let name, let challenge, let site):
            authenticator.register(registration, challenge, at: site, queueLane: lane) { [self] verified in
                switch verified {
                case .success(let verified): add(StoredPasskey(verified, name, site), to: account, actor, then)
                case .failure(let error): then(.failure(error))
                }
            }
        case .listPasskeys: list(account, then)
        case .renamePasskey(let id, let name):
            change(id, of: account, "passkey.rename", "passkey renamed", by: actor, then) { file throws(StoreError) in
                try file.renamePasskey(id, of: account, to: name)
            }
        case .removePasskey(let id):
            change(id, of: account, "passkey.remove", "passkey removed", by: actor, then) { file throws(StoreError) in
                try file.removePasskey(id, of: account)
            }
        }
    }

    private func setPassword(
        _ old: String,
        by new: String,
        of account: String,
        _ actor: AuditActor,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
    ) {
        store.perform { file throws(StoreError) in
            let version = try file.replacePassword(old, by: new, of: account)
            if version != nil { try file.record(AuditAct("account.password", on: account), by: actor) }
            return (version, try file.accounts())
        } then: { [changes] result in
            switch result {
            case .success((let version?, let accounts)):
                // The session must have the new version before the others are signed out for theirs.
                then(.success(.passwordVersion(version)))
                changes.changed(account, "password changed by its user", accounts)
            case .success((nil, _)):
                then(.failure(WireError(.conflict, "the password was changed elsewhere just now; try again")))
            case .failure(let failure): then(.failure(WireError(failure)))
            }
        }
    }

    // MARK: Passkeys

    private func beginPasskey(
        of account: String,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
    ) {
        let fresh = SecureRandom.bytes(64)
        store.perform { file throws(StoreError) in
            (try file.passkeyUser(of: account, orStore: fresh), try file.passkeys(of: account).map(\.id))
        } then: { result in
            then(
                Result { () throws(WireError) in
                    let (user, passkeys) = try result.mapError(WireError.init).get()
                    guard passkeys.count < Self.maximumPasskeys else { throw Self.tooMany }
                    return .passkeyUser(user, passkeys: passkeys)
                }
            )
        }
    }

    private func add(
        _ passkey: StoredPasskey,
        to account: String,
        _ actor: AuditActor,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
    ) {
        store.perform { file throws(StoreError) -> Result<[StoredAccount], WireError> in
            guard try file.passkeys(of: account).count < Self.maximumPasskeys else { return .failure(Self.tooMany) }
            guard try file.add(passkey, to: account) else {
                return .failure(WireError(.conflict, "an account has this passkey already; use another authenticator"))
            }
            try file.record(AuditAct("passkey.add", passkey: passkey.id, of: account), by: actor)
            return .success(try file.accounts())
        } then: { [changes] result in
            let added = result.mapError(WireError.init).flatMap { $0 }
            then(added.map { _ in .added(Passkey(passkey)) })
            if case .success(let accounts) = added { changes.changed(account, "passkey added", accounts) }
        }
    }

    private func list(_ account: String, _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void) {
        store.read { file throws(StoreError) in
            try file.passkeys(of: account)
        } then: { result in
            then(result.map { .passkeys($0.map(Passkey.init)) }.mapError(WireError.init))
        }
    }

    /// Changes a passkey of an account, which a body says that it has.
    private func change(
        _ id: [UInt8],
        of account: String,
        _ act: String,
        _ what: StaticString,
        by actor: AuditActor,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void,
        _ body: @escaping @Sendable (StoreFile) throws(StoreError) -> Bool
    ) {
        store.perform { file throws(StoreError) in
            let isThere = try body(file)
            if isThere { try file.record(AuditAct(act, passkey: id, of: account), by: actor) }
            return (isThere, try file.accounts())
        } then: { [changes] result in
            switch result {
            case .success((true, let accounts)):
                // The requesting session must have forgotten the passkey before those of it are signed out.
                then(.success(.done))
                changes.changed(account, what, accounts)
            case .success((false, _)):
                then(.failure(WireError(.notFound, "this account has no such passkey; passkeys.list has them")))
            case .failure(let failure): then(.failure(WireError(failure)))
            }
        }
    }

    /// The maximum number of an account's passkeys.
    ///
    /// More: more devices without one that synchronises passkeys; longer lists.
    private static let maximumPasskeys = 20

    private static let tooMany = WireError(
        .tooMany,
        "this account has \(maximumPasskeys) passkeys; remove one first"
    )
}

extension Passkey {
    /// Converts a stored passkey for a list.
    fileprivate init(_ stored: StoredPasskey) {
        self.init(
            id: stored.id,
            site: stored.site,
            name: stored.name,
            createdAt: stored.createdAt,
            lastUsedAt: stored.lastUsedAt
        )
    }
}

extension StoredPasskey {
    fileprivate init(_ verified: PasskeyRegistration.Verified, _ name: String, _ site: PasskeySite) {
        self.init(
            id: verified.id,
            site: site.id,
            name: name,
            algorithm: verified.key.algorithm.rawValue,
            publicKey: verified.key.bytes,
            counter: verified.counter,
            createdAt: .now
        )
    }
}
