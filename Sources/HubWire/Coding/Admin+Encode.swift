import HubEngine

// Encoding of the administration's messages (docs/protocol.md, Administration).

extension AdminRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .calls(let page), .devices(let page), .accounts(let page): page.writeMembers(to: &params)
        case .reload: break
        case .endCall(let conversation): params.member("conversation", conversation.text)
        case .signOut(let session): params.member("session", session)
        case .drain(let grace): params.optional("graceSeconds", grace) { $0.value($1.components.seconds) }
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
        let next: String?
        switch self {
        case .calls(let calls, let more):
            next = more
            result.array("conversations", calls) { writer, call in writer.object { call.writeMembers(to: &$0) } }
        case .devices(let devices, let more):
            next = more
            result.array("sessions", devices) { writer, device in writer.object { device.writeMembers(to: &$0) } }
        case .accounts(let accounts, let more):
            next = more
            result.array("accounts", accounts) { writer, account in
                writer.object { writer in
                    writer.member("account", account.account)
                    writer.array("handles", account.handles) { $0.value($1) }
                    writer.member("devices", account.devices)
                }
            }
        }
        result.optional("next", next) { $0.value($1) }
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
    }
}
