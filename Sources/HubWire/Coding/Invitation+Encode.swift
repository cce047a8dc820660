import HubEngine

// Encoding of the messages about invitations (docs/protocol.md, Invitations).

extension InvitationRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .show(let secret): params.member("secret", secret)
        case .accept(let secret, let account):
            params.member("secret", secret)
            account.writeMembers(to: &params)
        case .register(let account): account.writeMembers(to: &params)
        case .create(let draft): draft.writeMembers(to: &params)
        case .list(let all, let page):
            if all { params.member("all", true) }
            page.writeMembers(to: &params)
        case .revoke(let id): params.member("id", id)
        }
    }
}

extension NewAccountRequest {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("account", account)
        params.member("password", password)
        params.optional("displayName", displayName) { $0.value($1) }
    }
}

extension InvitationDraft {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("kind", kind)
        params.optional("handle", handle) { $0.value($1) }
        params.optional("name", name) { $0.value($1) }
        params.optional("account", account) { $0.value($1) }
        if isAdmin { params.member("isAdmin", true) }
        if guestNames { params.member("guestNames", true) }
        params.optional("maximumCalls", maximumCalls) { $0.value($1) }
        params.optional("expiresAt", expiresAt) { $0.value($1) }
        params.optional("page", page) { $0.value($1) }
    }
}

extension InvitationReply {
    func writeMembers(to result: inout JSONWriter) {
        switch self {
        case .offer(let offer): offer.writeMembers(to: &result)
        case .account(let name): result.member("account", name)
        case .created(let created):
            result.object("invitation") { created.invitation.writeMembers(to: &$0) }
            result.member("secret", created.secret)
            result.optional("url", created.url) { $0.value($1) }
            if let qr = created.qr {
                result.object("qr") { writer in
                    writer.member("size", qr.size)
                    writer.member("modules", Base64.text(of: qr.modules))
                }
            }
        case .list(let invitations, let next, let accounts):
            result.array("invitations", invitations) { writer, invitation in
                writer.object { invitation.writeMembers(to: &$0) }
            }
            result.optional("next", next) { $0.value($1) }
            if accounts { result.member("accounts", true) }
        }
    }
}

extension InvitationOffer {
    fileprivate func writeMembers(to result: inout JSONWriter) {
        result.member("kind", kind)
        result.optional("from", from) { $0.value($1) }
        result.optional("account", account) { $0.value($1) }
        result.optional("handle", handle) { $0.value($1) }
        result.optional("name", name) { $0.value($1) }
        if asksName { result.member("asksName", true) }
        result.member("expiresAt", expiresAt)
        result.optional("callsLeft", callsLeft) { $0.value($1) }
    }
}

extension Invitation {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("kind", kind)
        writer.optional("handle", handle) { $0.value($1) }
        writer.optional("name", name) { $0.value($1) }
        writer.optional("account", account) { $0.value($1) }
        if isAdmin { writer.member("isAdmin", true) }
        writer.optional("createdBy", createdBy) { $0.value($1) }
        writer.member("createdAt", createdAt)
        writer.member("expiresAt", expiresAt)
        writer.optional("revokedAt", revokedAt) { $0.value($1) }
        writer.optional("usedAt", usedAt) { $0.value($1) }
        writer.optional("usedBy", usedBy) { $0.value($1) }
        writer.optional("calls", calls) { $0.value($1) }
        writer.optional("maximumCalls", maximumCalls) { $0.value($1) }
        if guestNames { writer.member("guestNames", true) }
    }
}
