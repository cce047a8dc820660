import HubEngine

// Encoding of the administration's messages (docs/protocol.md, Administration).

extension AdminRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .calls(let page), .devices(let page): page.writeMembers(to: &params)
        case .accounts(let page, let search), .handles(let page, let search):
            page.writeMembers(to: &params)
            params.optional("search", search) { $0.value($1) }
        case .reload, .status, .backup, .verifyAudit: break
        case .endCall(let conversation): params.member("conversation", conversation.text)
        case .signOut(let session): params.member("session", session)
        case .drain(let grace): params.optional("graceSeconds", grace) { $0.value($1.components.seconds) }
        case .history(let since): params.optional("since", since) { $0.value($1) }
        case .audit(let page, let since):
            page.writeMembers(to: &params)
            params.optional("since", since) { $0.value($1) }
        case .addAccount(let account): account.writeMembers(to: &params)
        case .reset(let reset):
            params.member("account", reset.account)
            params.optional("expiresAt", reset.expiresAt) { $0.value($1) }
            params.optional("page", reset.page) { $0.value($1) }
        case .change(let account, let change):
            params.member("account", account)
            change.writeMembers(to: &params)
        }
    }
}

extension AdminNewAccount {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("account", account)
        params.member("password", password)
        params.optional("name", name) { $0.value($1) }
        params.optional("department", department) { $0.value($1) }
        if !handles.isEmpty { params.array("handles", handles) { $0.value($1) } }
        if isAdmin { params.member("isAdmin", true) }
    }
}

extension AdminAccountChange {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .disabled(let isDisabled): params.member("isDisabled", isDisabled)
        case .admin(let isAdmin): params.member("isAdmin", isAdmin)
        case .addHandle(let handle), .removeHandle(let handle):
            params.key("handle")
            params.value(handle)
        case .remove(let erases): if erases { params.member("erases", true) }
        }
    }
}

extension AdminPage {
    func writeMembers(to params: inout JSONWriter) {
        params.optional("limit", limit) { $0.value($1) }
        params.optional("after", after) { $0.value($1) }
    }
}

extension AdminReply {
    func writeMembers(to result: inout JSONWriter) {
        var next: String?
        switch self {
        case .calls(let calls, let more):
            next = more
            result.array("conversations", calls) { writer, call in writer.object { call.writeMembers(to: &$0) } }
        case .devices(let devices, let more):
            next = more
            result.array("sessions", devices) { writer, device in writer.object { device.writeMembers(to: &$0) } }
        case .accounts(let accounts, let more):
            next = more
            result.array("accounts", accounts) { writer, account in writer.object { account.writeMembers(to: &$0) } }
        case .handles(let handles, let more):
            next = more
            result.array("owners", handles) { writer, entry in
                writer.object { writer in
                    writer.key("handle")
                    writer.value(entry.handle)
                    writer.member("account", entry.account)
                }
            }
        case .audit(let entries, let more):
            next = more
            result.array("entries", entries) { writer, entry in writer.object { entry.writeMembers(to: &$0) } }
        case .auditVerified(let verification): verification.writeMembers(to: &result)
        case .status(let status): status.writeMembers(to: &result)
        case .history(let history): history.writeMembers(to: &result)
        }
        result.optional("next", next) { $0.value($1) }
    }
}

extension AdminAccount {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.array("handles", handles) { $0.value($1) }
        writer.member("devices", devices)
        writer.optional("managed", managed) { writer, managed in
            writer.object { writer in
                writer.member("isAdmin", managed.isAdmin)
                writer.member("isDisabled", managed.isDisabled)
                writer.member("hasPassword", managed.hasPassword)
                writer.member("createdAt", managed.createdAt)
                writer.optional("name", managed.name) { $0.value($1) }
                writer.optional("department", managed.department) { $0.value($1) }
            }
        }
    }
}

extension AdminCall {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("conversation", conversation.text)
        writer.member("state", state)
        writer.object("caller") { caller.writeMembers(to: &$0) }
        writer.object("callee") { callee.writeMembers(to: &$0) }
        writer.member("startedAt", startedAt) { $0.value($1) }
        writer.member("connectedAt", connectedAt) { $0.value($1) }
        writer.member("audioPackets", audioPackets)
    }
}

extension AdminCall.Party {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("account", account) { $0.value($1) }
        writer.key("handle")
        writer.value(handle)
        writer.array("devices", devices) { $0.value($1) }
        writer.optional("audio", audio) { writer, audio in
            writer.object { writer in
                writer.member("received", audio.received)
                writer.member("lost", audio.lost)
                writer.member("dropped", audio.dropped)
                writer.member("droppedSlow", audio.droppedSlow)
                writer.member("jitterMicroseconds", audio.jitterMicroseconds)
            }
        }
    }
}

extension AdminDevice {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("session", session)
        writer.member("account", account)
        writer.object("device") { writer in
            writer.member("id", device.id) { $0.value($1) }
            writer.member("name", device.name) { $0.value($1) }
        }
        writer.member("address", address) { $0.value($1) }
        writer.member("since", since)
        writer.member("calls", calls)
        writer.optional("operates", operates) { $0.value($1) }
    }
}
