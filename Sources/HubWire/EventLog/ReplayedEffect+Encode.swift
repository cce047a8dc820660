import HubEngine

extension ReplayedEffect {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("to", device) { $0.value($1) }
        switch effect {
        case .reply(_, let reply):
            reply.writeMember(to: &writer)
        case .notify(_, let notification):
            let wire = WireNotification(notification)
            writer.member("method", wire.method)
            writer.object("params") { wire.writeParams(to: &$0) }
        case .audioRouteChanged:
            writer.object("audioRoute") { writer in
                writer.member("obstacle", route?.gateReason) { $0.value($1.logText) }
                writer.array("listeners", route?.listeners ?? []) { $0.value($1) }
                writer.array("plays", route?.playedSources ?? []) { $0.value($1) }
                writer.optional("holdAudio", route?.holdAudio) { $0.value($1) }
            }
        case .sessionEnded(_, let end):
            writer.member("sessionEnded", end?.rawValue ?? "left")
        case .sessionClosing(_, let end):
            writer.member("sessionClosing", end.rawValue)
        case .lookUp(let token, let lookUp):
            writer.object("lookUp") { writer in
                switch token.purpose {
                case .call(let conversation): writer.member("conversation", conversation.text)
                case .transfer(let transfer):
                    writer.key("transfer")
                    writer.value(transfer.action)
                }
                writer.key("handle")
                writer.value(lookUp.handle)
                writer.member("caller", lookUp.caller)
            }
        case .screen(let token, let account, let caller):
            writer.object("screen") { writer in
                writer.member("callUUID", token.callUUID)
                writer.member("account", account)
                writer.key("caller")
                writer.value(caller)
            }
        case .sendPush(let pushRequest):
            writer.object("wake") { pushRequest.writeMembers(to: &$0) }
        case .cancelPush(let account, let call, let isMissed):
            writer.object("wakeOver") { writer in
                writer.member("account", account)
                writer.member("callUUID", call)
                writer.member("isMissed", isMissed)
            }
        case .addRecent(let account, let call):
            writer.object("remember") { writer in
                writer.member("account", account)
                call.writeMembers(to: &writer)
            }
        }
    }
}

extension PushRequest {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("callUUID", callUUID)
        writer.key("caller")
        writer.value(caller)
        writer.member("callerName", callerName)
        writer.array("quietDevices", quietDevices.sorted()) { $0.value($1) }
        writer.member("expiresAt", expiresAt)
    }
}

extension Reply {
    /// Writes the wire's `result` or `error`; of a sign-in only the members that the engine sets.
    fileprivate func writeMember(to writer: inout JSONWriter) {
        switch outcome {
        case .success(let payload):
            writer.key("result")
            payload.write(to: &writer)
        case .failure(let error):
            writer.key("error")
            error.write(to: &writer)
        case nil:
            guard case .opened(let session, _, let calls) = self else { return }
            writer.object("result") { writer in
                writer.member("session", session.text)
                writer.array("calls", calls) { $1.write(to: &$0) }
            }
        }
    }
}

extension RecentCall {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.key("handle")
        writer.value(handle)
        writer.member("name", name)
        writer.optional("link", invitation?.text) { $0.value($1) }
        writer.optional("linkName", invitationName) { $0.value($1) }
        writer.member("isOutgoing", isOutgoing)
        writer.member("outcome", outcome.rawValue)
        writer.member("isSilenced", isSilenced)
        writer.array("devices", devices) { $0.value($1) }
        writer.member("startedAt", startedAt)
        writer.member("connectedAt", connectedAt) { $0.value($1) }
        writer.member("endedAt", endedAt)
    }
}
