import Foundation
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
package import HubStore
package import HubWire
import QRCode

/// The invitations that users create, list and revoke.
extension HubInvitations {
    func create(
        _ draft: InvitationDraft,
        by actor: AuditActor,
        _ handles: [Handle],
        isAdmin: Bool,
        ownsAdmin: Bool,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        let secret = InvitationSecret()
        let now = Instant.now
        let account = actor.account ?? ""
        do throws(WireError) {
            let purpose = try purpose(of: draft, handles, isAdmin: isAdmin, ownsAdmin: ownsAdmin)
            guard let id = InvitationID(UUID().uuidString.lowercased()) else { return }
            let invitation = StoredInvitation(
                id: id,
                for: purpose,
                createdBy: account,
                createdAt: now,
                expiresAt: try expiry(of: draft, from: now)
            )
            // The operator's own address first: a page that is open as localhost leads nobody else there.
            let url = (settings.publicURL ?? draft.page).map(secret.link)
            store.perform { file throws(StoreError) -> Bool in
                let own = try file.invitations().filter { $0.createdBy == account && $0.fault(at: now) == nil }
                guard own.count < Self.maximumPerAccount else { return false }
                return try file.atomically { () throws(StoreError) in
                    try file.add(invitation, secretHash: secret.hash)
                    // Guests that users invite to call themselves are no act of an administrator's.
                    let isAdministrative = isAdmin || invitation.offer != nil
                    if isAdministrative { try file.record(AuditAct(creating: invitation), by: actor) }
                    return true
                }
            } then: { [changes] result in
                then(
                    Result { () throws(WireError) in
                        guard try result.mapError(WireError.init).get() else {
                            let message = "this account has \(Self.maximumPerAccount) valid invitations; revoke some"
                            throw WireError(.tooMany, message)
                        }
                        changes.log(.info, "invitation created", ["account": account, "invitation": id.text])
                        return .created(CreatedInvitation(Invitation(invitation), secret, url: url))
                    }
                )
            }
        } catch {
            then(.failure(error))
        }
    }

    func list(
        createdBy account: String?,
        ownsAdmin: Bool,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        let accounts = mayInviteToAccounts(ownsAdmin: ownsAdmin)
        let key = account.map(FoldedName.init)
        store.read { file throws(StoreError) in
            try file.invitations().filter(\.hasSecret)
        } then: { result in
            let own = result.mapError(WireError.init).map { all in
                all.filter { key == nil || $0.createdBy.map(FoldedName.init) == key }
            }
            then(own.map { .list($0.map(Invitation.init), accounts: accounts) })
        }
    }

    func revoke(
        _ text: String,
        createdBy account: String?,
        by actor: AuditActor,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    ) {
        let unknown = WireError(.notFound, "there is no such invitation of yours; invitations.list has them")
        guard let id = InvitationID(text) else { return then(.failure(unknown)) }
        store.perform { file throws(StoreError) in
            try file.atomically { () throws(StoreError) in
                guard let invitation = try file.revokeInvitation(id, createdBy: account) else { return false }
                let isAdministrative = account == nil || invitation.guestCalls == nil
                if isAdministrative { try file.record(AuditAct("invitation.revoke", on: id.text), by: actor) }
                return true
            }
        } then: { [changes] result in
            then(
                Result { () throws(WireError) in
                    guard try result.mapError(WireError.init).get() else { throw unknown }
                    changes.revoked(id)
                    return nil
                }
            )
        }
    }

    // MARK: Checks

    private func purpose(
        of draft: InvitationDraft,
        _ handles: [Handle],
        isAdmin: Bool,
        ownsAdmin: Bool
    ) throws(WireError) -> StoredInvitation.Purpose {
        switch draft.kind {
        case .account, .owner: .account(try offer(of: draft, isAdmin: isAdmin, ownsAdmin: ownsAdmin))
        case .guest: .calls(try calls(of: draft, handles, isAdmin: isAdmin))
        case .reset: throw .invalid("params.kind must be \"account\" or \"guest\"")
        }
    }

    private func offer(
        of draft: InvitationDraft,
        isAdmin: Bool,
        ownsAdmin: Bool
    ) throws(WireError) -> StoredInvitation.NewAccountOffer {
        guard draft.handle == nil, draft.maximumCalls == nil, !draft.guestNames else {
            throw .invalid("params.handle, maximumCalls and guestNames are of guests; leave them out for an account")
        }
        guard mayInviteToAccounts(ownsAdmin: ownsAdmin) else {
            let message =
                settings.mode.usesAccounts
                ? "this account may not invite to an account here (invitations.accounts)"
                : "this hub has no accounts with passwords (auth.mode)"
            throw WireError(.notAllowed, message)
        }
        guard isAdmin || !draft.isAdmin else {
            throw WireError(.notAllowed, "only administrators may invite administrators; leave params.isAdmin out")
        }
        if let fault = draft.account.flatMap(WireError.init(faultOf:)) { throw fault }
        return StoredInvitation.NewAccountOffer(
            role: draft.isAdmin ? .administrator : .user,
            account: draft.account,
            name: draft.name
        )
    }

    private func mayInviteToAccounts(ownsAdmin: Bool) -> Bool {
        guard settings.mode.usesAccounts else { return false }
        return switch settings.invitations.accounts {
        case .everyone: true
        case .admins: ownsAdmin
        case .nobody: false
        }
    }

    private func calls(
        of draft: InvitationDraft,
        _ handles: [Handle],
        isAdmin: Bool
    ) throws(WireError) -> StoredInvitation.GuestCalls {
        guard draft.account == nil, !draft.isAdmin else {
            throw .invalid("params.account and isAdmin are of accounts; leave them out for a guest")
        }
        guard let handle = draft.handle ?? handles.first, handle.value.utf8.count <= Self.maximumHandleBytes else {
            throw .invalid("params.handle is too long; it must have at most \(Self.maximumHandleBytes) bytes")
        }
        guard isAdmin || handles.contains(where: { $0.key == handle.key }) else {
            throw WireError(.notAllowed, "params.handle is not yours; guests may be invited to call you alone")
        }
        return StoredInvitation.GuestCalls(
            to: handle,
            name: draft.name,
            guestsGiveNames: draft.guestNames,
            maximumCalls: draft.maximumCalls
        )
    }

    private func expiry(of draft: InvitationDraft, from now: Instant) throws(WireError) -> Instant {
        let usual = draft.kind == .guest ? Duration.seconds(86_400) : .seconds(7 * 86_400)
        guard let end = draft.expiresAt else { return now + usual }
        guard end > now, end <= now + Self.maximumLifetime else {
            throw .invalid("params.expiresAt must be in the future, and at most 366 days from now")
        }
        return end
    }

    /// The maximum lifetime of an invitation, as that of a link by a token.
    private static let maximumLifetime = Duration.seconds(366 * 86_400)

    /// The maximum number of an account's invitations that can be used.
    ///
    /// More: rows of the database that one user can fill.
    private static let maximumPerAccount = 1_000

    private static let maximumHandleBytes = 1_024
}

extension AuditAct {
    /// Describes the creation of an invitation, without its secret.
    package init(creating invitation: StoredInvitation) {
        var details = [InvitationKind(invitation).rawValue]
        if let callee = invitation.guestCalls?.callee { details.append("to \(callee.auditText)") }
        if let account = invitation.offer?.account { details.append("for \(account)") }
        if invitation.offer?.role == .administrator { details.append("administrator") }
        self.init("invitation.create", on: invitation.id.text, details.joined(separator: ", "))
    }
}

extension CreatedInvitation {
    init(_ invitation: Invitation, _ secret: InvitationSecret, url: String?) {
        let code = url.flatMap { QRCode($0) }
        self.init(invitation, secret: secret.text, url: url, qr: code.map { QR(size: $0.size, modules: $0.bits) })
    }
}
