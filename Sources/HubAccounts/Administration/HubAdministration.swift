import Foundation
import HubAccountData
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// The accounts, the audit log and the certificate of a hub, for its administrators.
final class HubAdministration: AdministrationService {
    /// Hashes a new password on the thread of passwords.
    typealias Hash =
        @Sendable (
            _ account: String, _ password: String,
            _ then: @escaping @Sendable (Result<PasswordHash, WireError>) -> Void
        ) -> Void

    private let mode: AuthMode
    private let publicURL: String?
    private let store: Store
    private let changes: AccountChangeHandler
    private let certificate: @Sendable () -> AdminStatus.Certificate?
    private let hash: Hash

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - store: The store of accounts, invitations and the audit log.
    ///   - changes: The handler that applies changes to the running hub.
    ///   - certificate: Finds out the certificate that clients see; may read files.
    ///   - hash: Hashes a new password.
    init(
        _ settings: ServeSettings,
        _ store: Store,
        _ changes: AccountChangeHandler,
        certificate: @escaping @Sendable () -> AdminStatus.Certificate?,
        hash: @escaping Hash
    ) {
        (mode, publicURL) = (settings.authMode, settings.hub.transport.publicURL)
        (self.store, self.changes, self.certificate, self.hash) = (store, changes, certificate, hash)
    }

    var accounts: [AdminAccount] {
        mode.usesAccounts ? changes.accountCache.all.map(AdminAccount.init) : []
    }

    func answer(
        _ request: AdminRequest,
        by actor: AuditActor,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    ) {
        switch request {
        case .addAccount(let account): add(account, actor, then)
        case .change(let account, let change): apply(change, to: account, actor, then)
        case .reset(let reset): invite(reset, actor, then)
        case .audit(let page, let since): readAudit(page, since, then)
        case .verifyAudit:
            store.read { file throws(StoreError) in
                try file.verifyAudit()
            } then: {
                then($0.mapError(WireError.init(administering:)).map { .admin(.auditVerified($0)) })
            }
        case .calls, .devices, .accounts, .endCall, .signOut, .reload, .drain, .status, .history, .handles, .backup:
            then(.failure(WireError(.internalError, "the hub itself answers this request")))
        }
    }

    func record(_ act: AuditAct, by actor: AuditActor, _ then: @escaping @Sendable (WireError?) -> Void) {
        store.perform { file throws(StoreError) in
            try file.record(act, by: actor, .begun)
        } then: { result in
            if case .failure(let failure) = result { then(WireError(failure)) } else { then(nil) }
        }
    }

    func findStatus(_ then: @escaping @Sendable (AdministrationStatus) -> Void) {
        store.read { file throws(StoreError) in
            try file.auditHead()
        } then: { [certificate] head in
            var status = AdministrationStatus()
            status.auditHead = try? head.get()
            status.certificate = certificate()
            then(status)
        }
    }

    // MARK: Accounts

    private func add(
        _ account: AdminNewAccount,
        _ actor: AuditActor,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    ) {
        let handles = account.handles.isEmpty ? [Handle.generic(account.account)] : account.handles
        if let fault = refusalWithoutAccounts ?? WireError(faultOf: account.account) ?? fault(of: handles) {
            return then(.failure(fault))
        }
        hash(account.account, account.password) { [self] hashed in
            guard case .success(let hash) = hashed else { return then(hashed.map { _ in .done }) }
            let new = NewAccount(
                account.account,
                passwordHash: hash.text,
                handles: handles,
                isAdmin: account.isAdmin,
                profile: PersonProfile(name: account.name, department: account.department)
            )
            let act = AuditAct("account.add", on: new.name, account.isAdmin ? "administrator" : nil)
            perform(act, actor, then) { file throws(StoreError) in try file.addAccount(new) }
        }
    }

    private func apply(
        _ change: AdminAccountChange,
        to account: String,
        _ actor: AuditActor,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    ) {
        if let refusalWithoutAccounts { return then(.failure(refusalWithoutAccounts)) }
        if case .addHandle(let handle) = change, let fault = fault(of: [handle]) { return then(.failure(fault)) }
        let erased = if case .remove(erases: true) = change { [account] } else { [String]() }
        perform(AuditAct(change, to: account), actor, erasing: erased, then) { file throws(StoreError) in
            switch change {
            case .disabled(let isDisabled):
                if isDisabled { try file.requireOtherAdministrator(than: account) }
                try file.setDisabled(isDisabled, account)
            case .admin(let isAdmin):
                if !isAdmin { try file.requireOtherAdministrator(than: account) }
                try file.setAdmin(isAdmin, account)
            case .addHandle(let handle): try file.addHandle(handle, to: account)
            case .removeHandle(let handle): try file.removeHandle(handle, from: account)
            case .remove(let erases):
                try file.requireOtherAdministrator(than: account)
                try file.removeAccount(account)
                if erases { try file.erase(account, notifyingHub: true) }
            }
        }
    }

    /// Performs an act with its entry in the audit log, and applies the accounts to the running hub.
    private func perform(
        _ act: AuditAct,
        _ actor: AuditActor,
        erasing erased: [String] = [],
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void,
        _ work: @escaping @Sendable (StoreFile) throws(StoreError) -> Void
    ) {
        store.perform { file throws(StoreError) in
            let outcome = try file.audited(act, by: actor) { () throws(StoreError) in try work(file) }
            return (outcome, try file.accounts())
        } then: { [changes] result in
            then(
                Result { () throws(WireError) in
                    let (outcome, accounts) = try result.mapError(WireError.init(administering:)).get()
                    try outcome.mapError(WireError.init(administering:)).get()
                    changes.apply(accounts, erased: erased)
                    return .done
                }
            )
        }
    }

    /// The error of a hub without accounts of its own; nil: it has them.
    private var refusalWithoutAccounts: WireError? {
        mode.usesAccounts ? nil : WireError(.notFound, "this hub has no accounts with passwords (auth.mode)")
    }

    private func fault(of handles: [Handle]) -> WireError? {
        for handle in handles {
            guard let fault = handle.accountHandleFault else { continue }
            return .invalid("the handle \(handle.value.prefix(60)) \(fault)")
        }
        return nil
    }

    // MARK: New passwords

    private func invite(
        _ reset: AdminReset,
        _ actor: AuditActor,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    ) {
        if let refusalWithoutAccounts { return then(.failure(refusalWithoutAccounts)) }
        let (secret, now) = (InvitationSecret(), Instant.now)
        let end = reset.expiresAt ?? now + .seconds(86_400)
        guard end > now, end <= now + Self.maximumResetLifetime else {
            return then(.failure(.invalid("params.expiresAt must be in the future, and at most 30 days from now")))
        }
        guard let id = InvitationID(UUID().uuidString.lowercased()) else { return }
        let name = changes.accountCache[reset.account]?.name ?? reset.account
        let invitation = StoredInvitation(
            id: id,
            for: .reset(StoredInvitation.PasswordReset(of: name)),
            createdBy: actor.account,
            createdAt: now,
            expiresAt: end
        )
        let url = (publicURL ?? reset.page).map(secret.link)
        store.perform { file throws(StoreError) in
            try file.audited(AuditAct("account.reset", on: name, id.text), by: actor) { () throws(StoreError) in
                try file.addReset(invitation, secretHash: secret.hash)
            }
        } then: { result in
            then(
                Result { () throws(WireError) in
                    let outcome = try result.mapError(WireError.init(administering:)).get()
                    try outcome.mapError(WireError.init(administering:)).get()
                    return .invitation(.created(CreatedInvitation(Invitation(invitation), secret, url: url)))
                }
            )
        }
    }

    /// The longest time for which a user may choose a new password by an invitation.
    ///
    /// Longer: whoever finds an old message has the account.
    private static let maximumResetLifetime = Duration.seconds(30 * 86_400)

    // MARK: Audit log

    private func readAudit(
        _ page: AdminPage,
        _ since: Instant?,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    ) {
        let before = page.after.map { Int64($0) }
        if case .some(nil) = before {
            return then(.failure(.invalid("params.after is none of the hub's; it must be what an answer had as next")))
        }
        let limit = min(page.limit ?? Self.auditPage, Self.auditPage)
        store.read { file throws(StoreError) in
            try file.auditEntries(before: before ?? nil, since: since, limit: limit + 1)
        } then: { result in
            then(
                result.mapError(WireError.init(administering:)).map { entries in
                    let shown = Array(entries.prefix(limit))
                    let next = entries.count > limit ? shown.last.map { String($0.number) } : nil
                    return .admin(.audit(shown, next: next))
                }
            )
        }
    }

    /// The maximum number of entries in an answer; one has at most some 8 KB.
    ///
    /// More: fewer requests; an answer may exceed the client's send queue.
    private static let auditPage = 100
}

extension AuditAct {
    /// Describes a change of an account.
    fileprivate init(_ change: AdminAccountChange, to account: String) {
        switch change {
        case .disabled(let isDisabled): self.init(isDisabled ? "account.disable" : "account.enable", on: account)
        case .admin(let isAdmin): self.init("account.admin", on: account, isAdmin ? "on" : "off")
        case .addHandle(let handle): self.init("account.addHandle", on: account, handle.auditText)
        case .removeHandle(let handle): self.init("account.removeHandle", on: account, handle.auditText)
        case .remove(let erases): self.init(erases ? "account.erase" : "account.remove", on: account)
        }
    }
}

extension Handle {
    /// The handle in the audit log, `TYPE:VALUE`.
    var auditText: String {
        let name =
            switch type {
            case .generic: "generic"
            case .phoneNumber: "phoneNumber"
            case .emailAddress: "emailAddress"
            }
        return "\(name):\(value)"
    }
}

extension AdminAccount {
    fileprivate init(_ stored: StoredAccount) {
        self.init(account: stored.name, handles: stored.handles, devices: 0)
        guard let createdAt = stored.createdAt else { return }
        managed = Managed(
            isAdmin: stored.isAdmin,
            isDisabled: stored.isDisabled,
            hasPassword: stored.hasPassword,
            createdAt: createdAt,
            name: stored.profile.name,
            department: stored.profile.department
        )
    }
}

extension WireError {
    /// Converts a failure of the store to change an account.
    fileprivate init(administering failure: StoreError) {
        switch failure.kind {
        case .noSuchAccount: self.init(.notFound, failure.message)
        case .lastAdministrator: self.init(.conflict, failure.message, reason: "lastAdministrator")
        default: self.init(failure)
        }
    }
}
