import HubEngine

extension ClientRequest {
    /// Appends the request's JSON to `bytes`; with `id` nil it is a JSON-RPC notification without a response.
    public func encode(id: RequestID?, into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes) { writer in
            writer.object { message in
                message.member("jsonrpc", "2.0")
                message.optional("id", id) { $1.write(to: &$0) }
                message.member("method", method.rawValue)
                message.object("params") { writeParams(to: &$0) }
            }
        }
    }

    private func writeParams(to params: inout JSONWriter) {
        switch self {
        case .open(let open): open.writeMembers(to: &params)
        case .close: break
        case .ping(let t): params.optional("t", t) { $0.value($1) }
        case .refresh(let token): params.member("token", token)
        case .engine(let request): request.writeMembers(to: &params)
        case .accountData(let request): request.writeMembers(to: &params)
        case .account(.devices(let page)): page.writeMembers(to: &params)
        case .account(.signOut(let session)): params.member("session", session)
        case .account(.signOutOthers): params.member("others", true)
        case .account(.setPassword(let current, let new, let keepsDevices)):
            params.member("current", current)
            params.member("new", new)
            if keepsDevices { params.member("keepsDevices", true) }
        case .push(let request): request.writeMembers(to: &params)
        case .people(let request): request.writeMembers(to: &params)
        case .appearance(let request): request.writeMembers(to: &params)
        case .admin(let request): request.writeMembers(to: &params)
        case .invitation(let request): request.writeMembers(to: &params)
        case .passkey(let request): request.writeMembers(to: &params)
        }
    }
}

extension SessionOpenRequest {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.optional("account", account) { $0.value($1) }
        params.optional("password", password) { $0.value($1) }
        params.optional("token", token) { $0.value($1) }
        params.optional("invitation", invitation) { $0.value($1) }
        switch openID {
        case .code(let code, let verifier):
            params.object("openID") { writer in
                writer.member("code", code)
                writer.member("verifier", verifier)
            }
        case .token(let token): params.object("openID") { $0.member("token", token) }
        case nil: break
        }
        if let passkey { params.object("passkey") { passkey.writeMembers(to: &$0) } }
        params.optional("guestName", guestName) { $0.value($1) }
        params.object("device") { writer in
            writer.optional("id", device.id) { $0.value($1) }
            writer.optional("name", device.name) { $0.value($1) }
            writer.optional("focus", device.focus) { $0.value($1) }
        }
        params.optional("operates", operates) { $0.value($1) }
        params.key("provider")
        params.value(provider)
        params.member("fulfillment", fulfillment)
        params.member("executesTransactions", executesTransactions)
        params.member("reportsDroppedPackets", reportsDroppedPackets)
        params.array("permissions", permissions) { $0.value($1) }
        if !optionalPermissions.isEmpty { params.array("optionalPermissions", optionalPermissions) { $0.value($1) } }
        params.object("audio") { $0.member("delivery", audioDelivery) }
        if let client {
            params.object("client") { writer in
                writer.member("name", client.name)
                writer.optional("version", client.version) { $0.value($1) }
            }
        }
        if let resume {
            params.object("resume") { writer in
                writer.member("session", resume.session)
                writer.member("token", resume.token)
                writer.member("seq", resume.seq)
            }
        }
    }
}

extension Request {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .transaction(let actions):
            params.array("actions", actions) { $0.value($1) }
        case .fulfill(let action, let date, let engine):
            params.member("action", action)
            params.optional("date", date) { $0.value($1) }
            params.optional("translationEngine", engine) { $0.value($1) }
        case .fail(let action):
            params.member("action", action)
        case .executed(let transaction, let handled):
            params.member("transaction", transaction)
            params.member("handled", handled)
        case .configure(let configuration, let executesTransactions):
            params.key("provider")
            params.value(configuration)
            params.optional("executesTransactions", executesTransactions) { $0.value($1) }
        case .reportNewIncomingCall(let call, let update), .reportCall(let call, let update):
            params.member("callUUID", call)
            params.key("update")
            params.value(update)
        case .reportCallEnded(let call, let reason, let date):
            params.member("callUUID", call)
            params.member("reason", reason)
            params.optional("date", date) { $0.value($1) }
        case .reportOutgoingCall(let call, let event, let date):
            params.member("callUUID", call)
            params.member("event", event)
            params.optional("date", date) { $0.value($1) }
        case .pending(let type, let call):
            params.optional("type", type) { $0.value($1) }
            params.optional("callUUID", call) { $0.value($1) }
        case .invalidate, .calls:
            break
        }
    }
}
