import Foundation
import HubAccountData
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// The invitations of a hub in its store, and the accounts that are created by them.
final class HubInvitations: InvitationService, GuestAdmission {
    /// The settings that the service needs.
    struct Settings: Sendable {
        let mode: AuthMode
        let invitations: InvitationSettings
        /// The address of the hub's page for other machines; nil: unknown.
        let publicURL: String?
    }

    /// Hashes a new password on the thread of passwords.
    typealias Hash =
        @Sendable (
            NewAccountRequest, InvitationRequester,
            @escaping @Sendable (Result<PasswordHash, WireError>) -> Void
        ) -> Void

    let settings: Settings
    let store: Store
    let changes: AccountChangeHandler
    private let calls = GuestCallCounts()
    private let hash: Hash

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - store: The store of invitations and accounts.
    ///   - changes: The handler that applies new accounts and revocations to the running hub.
    ///   - hash: Hashes a new password.
    init(_ settings: Settings, _ store: Store, _ changes: AccountChangeHandler, hash: @escaping Hash) {
        (self.settings, self.store, self.changes, self.hash) = (settings, store, changes, hash)
    }

    func answer(
        _ request: InvitationRequest,
        of requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        switch (request, requester) {
        case (.show(let secret), _): show(secret, then)
        case (.accept(let secret, let account), _): accept(secret, account, requester, then)
        case (.register(let account), _): register(account, requester, then)
        case (.create(let draft), .user(_, let handles, let isAdmin, let ownsAdmin, let actor)):
            create(draft, by: actor, handles, isAdmin: isAdmin, ownsAdmin: ownsAdmin, then)
        case (.list(let all, _), .user(let account, _, _, let ownsAdmin, _)):
            list(createdBy: all ? nil : account, ownsAdmin: ownsAdmin, then)
        case (.revoke(let id), .user(let account, _, let isAdmin, _, let actor)):
            revoke(id, createdBy: isAdmin ? nil : account, by: actor, then)
        case (.create, .newcomer), (.list, .newcomer), (.revoke, .newcomer):
            then(.failure(WireError(.notSignedIn, "sign in first")))
        }
    }

    func take(calls count: Int, of invitation: InvitationID) -> Bool { calls.take(count, of: invitation) }

    func settle(calls count: Int, of invitation: InvitationID, wereStarted: Bool) {
        guard wereStarted else { return calls.giveBack(count, of: invitation) }
        store.perform { file throws(StoreError) in
            try file.count(calls: count, of: invitation)
        } then: { _ in
            // If it fails, the calls count until the hub ends.
        }
    }

    // MARK: Opening an invitation

    /// Reads an invitation that can be used.
    ///
    /// - Parameters:
    ///   - secret: The secret as the client has sent it.
    ///   - then: Called on the store's thread.
    private func find(
        _ secret: String,
        _ then: @escaping @Sendable (Result<StoredInvitation, WireError>) -> Void
    ) {
        guard let secret = InvitationSecret(secret) else { return then(.failure(WireError(InvitationFault.unknown))) }
        store.read { file throws(StoreError) in
            try file.invitation(secretHash: secret.hash)
        } then: { [calls] result in
            then(
                Result { () throws(WireError) in
                    guard let found = try result.mapError(WireError.init).get() else {
                        throw WireError(InvitationFault.unknown)
                    }
                    if let fault = found.fault(at: Instant.now) { throw WireError(fault) }
                    if let guests = found.guestCalls, !calls.note(found.id, guests) {
                        throw WireError(InvitationFault.used)
                    }
                    return found
                }
            )
        }
    }

    private func show(_ secret: String, _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void) {
        find(secret) { [accounts = changes.accountCache] found in
            then(
                found.map { invitation in
                    let creator = invitation.createdBy
                    let name = creator.flatMap { accounts[$0]?.profile.name } ?? creator
                    return .offer(InvitationOffer(invitation, from: name))
                }
            )
        }
    }

    /// Admits a guest.
    ///
    /// - Parameters:
    ///   - secret: The invitation's secret.
    ///   - then: Called with the verdict, on any thread.
    func admit(
        _ secret: String,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        find(secret) { found in
            then(
                Result { () throws(AuthenticationRefusal) in
                    switch found {
                    case .success(let invitation):
                        guard let identity = AuthenticatedIdentity(guestOf: invitation) else {
                            let message = "the invitation is for an account; invitation.accept creates it"
                            throw AuthenticationRefusal(.missing, message)
                        }
                        return identity
                    case .failure(let error):
                        let fault = error.reason.flatMap(InvitationFault.init)
                        throw AuthenticationRefusal(
                            fault.map(AuthenticationFault.invitationInvalid) ?? .unavailable,
                            error.message
                        )
                    }
                }
            )
        }
    }

    // MARK: Accounts

    private func accept(
        _ secret: String,
        _ account: NewAccountRequest,
        _ requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        find(secret) { [self] found in
            guard case .success(let invitation) = found else { return then(found.map { _ in nil }) }
            guard invitation.guestCalls == nil, let secret = InvitationSecret(secret) else {
                let message = "the invitation is for a guest's calls; session.open opens it"
                return then(.failure(WireError(.conflict, message)))
            }
            if let reset = invitation.reset {
                return replacePassword(of: reset.account ?? "", by: account, secret, requester, then)
            }
            let act = AuditAct("invitation.accept", on: account.account, invitation.id.text)
            make(account, act, requester, then) { file, account throws(StoreError) in
                try file.accept(secretHash: secret.hash, account).map { _ in account.name }
            }
        }
    }

    private func register(
        _ account: NewAccountRequest,
        _ requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        guard settings.invitations.allowsSelfRegistration else {
            let message = "accounts of this server are by invitation alone; ask its operator for one"
            return then(.failure(WireError(.notAllowed, message)))
        }
        make(account, AuditAct("account.register", on: account.account), requester, then) {
            file,
            account throws(StoreError) in
            try file.register(account)
            return .success(account.name)
        }
    }

    /// Hashes the password, creates the account by a body, and has the running hub know it at once.
    private func make(
        _ account: NewAccountRequest,
        _ act: AuditAct,
        _ requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void,
        _ body: @escaping @Sendable (StoreFile, NewAccount) throws(StoreError) -> Result<String, InvitationFault>
    ) {
        guard settings.mode.usesAccounts else {
            let message = "this hub has no accounts with passwords (auth.mode)"
            return then(.failure(WireError(.notAllowed, message)))
        }
        if let fault = WireError(faultOf: account.account) { return then(.failure(fault)) }
        hash(account, requester) { [self] hashed in
            guard case .success(let hash) = hashed else { return then(hashed.map { _ in nil }) }
            let new = NewAccount(
                account.account,
                passwordHash: hash.text,
                handles: [.generic(account.account)],
                profile: PersonProfile(name: account.displayName)
            )
            change(act, by: AuditActor(requester, account: new.name), then) { file throws(StoreError) in
                try body(file, new)
            }
        }
    }

    /// Replaces the password of an account whose user has been invited to choose one.
    private func replacePassword(
        of name: String,
        by account: NewAccountRequest,
        _ secret: InvitationSecret,
        _ requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        guard FoldedName(account.account) == FoldedName(name) else {
            return then(.failure(.invalid("params.account must be the invitation's, as invitation.show has it")))
        }
        var request = account
        request.account = name
        hash(request, requester) { [self] hashed in
            guard case .success(let hash) = hashed else { return then(hashed.map { _ in nil }) }
            let actor = AuditActor(requester, account: name)
            change(AuditAct("account.newPassword", on: name), by: actor, then) { file throws(StoreError) in
                try file.acceptReset(secretHash: secret.hash, passwordHash: hash.text).map { _ in name }
            }
        }
    }

    /// Performs a change of the accounts with its entry in the audit log, and has the running hub know it at once.
    private func change(
        _ act: AuditAct,
        by actor: AuditActor,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void,
        _ body: @escaping @Sendable (StoreFile) throws(StoreError) -> Result<String, InvitationFault>
    ) {
        store.perform { file throws(StoreError) in
            try file.atomically { () throws(StoreError) in
                let outcome = try body(file)
                if case .success = outcome { try file.record(act, by: actor) }
                return (outcome, try file.accounts())
            }
        } then: { [changes] result in
            then(
                Result { () throws(WireError) in
                    let (outcome, accounts) = try result.mapError(WireError.init).get()
                    let name = try outcome.mapError { WireError($0) }.get()
                    changes.log(.info, "account changed by invitation", ["account": name])
                    changes.apply(accounts)
                    return .account(name)
                }
            )
        }
    }
}

extension AuditActor {
    /// Describes the client of a request about invitations.
    ///
    /// - Parameters:
    ///   - requester: The client.
    ///   - account: The account that a client without a session creates or changes.
    fileprivate init(_ requester: InvitationRequester, account: String) {
        switch requester {
        case .newcomer(_, let address, _): self.init(.invitation, account: account, address: address)
        case .user(_, _, _, _, let actor): self = actor
        }
    }
}
