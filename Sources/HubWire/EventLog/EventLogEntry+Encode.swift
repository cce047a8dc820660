import HubEngine

extension EventLogEntry {
    /// Appends the entry's line, with its end, to `bytes`.
    public func encode(into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes, fractionDigits: 9) { writer in
            writer.object { writeMembers(to: &$0) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Writes the members, in the wire's encoding wherever there is one.
    func writeMembers(to line: inout JSONWriter) {
        line.member("time", time)
        line.member("event", name)
        guard case .event(let event) = content else { return }
        switch event {
        case .sessionOpened(let opening, let token):
            opening.writeMembers(to: &line)
            line.token(token)
        case .sessionResumed(let session, let token):
            line.member("session", session.text)
            line.token(token)
        case .sessionLost(let session), .sessionClosed(let session):
            line.member("session", session.text)
        case .request(let session, let request, let token):
            line.member("session", session.text)
            line.member("method", request.method.rawValue)
            line.object("params") { request.writeMembers(to: &$0) }
            line.token(token)
        case .lookedUp(let token, let result):
            switch token.purpose {
            case .call(let conversation): line.member("conversation", conversation.text)
            case .transfer(let transfer): transfer.writeMembers(to: &line)
            }
            result.writeMembers(to: &line)
        case .screened(let token, let screeningData):
            line.member("session", token.session.text)
            line.member("callUUID", token.callUUID)
            line.key("update")
            line.value(token.update)
            line.object("knowledge") { screeningData.writeMembers(to: &$0) }
            line.token(token.request)
        case .groupNaming(let account, let isNamed):
            line.member("account", account)
            line.member("isNamedInGroups", isNamed)
        case .holdAudio(let account, let audio):
            line.member("account", account)
            line.member("holdAudio", audio)
        case .endConversation(let conversation, let token):
            line.member("conversation", conversation.text)
            line.token(token)
        case .drain(let until):
            line.member("until", until)
        }
    }
}

extension TransferToken {
    fileprivate func writeMembers(to line: inout JSONWriter) {
        line.member("session", session.text)
        line.key("transfer")
        line.value(action)
        line.member("conversation", conversation.text)
        line.optional("joined", joined?.text) { $0.value($1) }
        line.token(request)
    }
}

extension JSONWriter {
    /// Writes a request token unless it is 0, which no hub issues.
    fileprivate mutating func token(_ token: RequestToken) {
        if token.rawValue != 0 { member("token", token.rawValue) }
    }

    fileprivate mutating func names(_ name: String, _ names: KnownNames) {
        guard names != KnownNames() else { return }
        object(name) { writer in
            writer.optional("contact", names.contact) { $0.value($1) }
            writer.optional("directory", names.directory) { $0.value($1) }
            writer.optional("directoryTitle", names.directoryTitle) { $0.value($1) }
        }
    }

    /// Writes a flag only if it is set.
    fileprivate mutating func flagIfSet(_ name: String, _ flag: Bool) {
        if flag { member(name, true) }
    }
}

extension SessionOpening {
    var permissions: [Permission] { (mayCall ? [.call] : []) + (observes ? [.observe] : []) }

    fileprivate func writeMembers(to line: inout JSONWriter) {
        line.member("account", account)
        line.array("handles", handles) { $0.value($1) }
        line.object("device") { writer in
            writer.member("id", deviceID)
            writer.optional("name", deviceName) { $0.value($1) }
            writer.optional("focus", machine) { $0.value($1) }
        }
        line.optional("operates", operatedDevice) { $0.value($1) }
        line.key("provider")
        line.value(provider)
        line.member("fulfillment", fulfillment)
        line.flagIfSet("executesTransactions", executesTransactions)
        line.array("permissions", permissions) { $0.value($1) }
        line.flagIfSet("isAfterReset", isAfterReset)
        if !isNamedInGroups { line.member("isNamedInGroups", false) }
        if holdAudio != .silence { line.member("holdAudio", holdAudio) }
        line.flagIfSet("isGuest", isGuest)
    }
}

extension LookUpResult {
    fileprivate func writeMembers(to line: inout JSONWriter) {
        switch target {
        case .account(let name, let screeningData):
            line.member("target", EventLogEntry.TargetName.account)
            line.member("account", name)
            line.object("knowledge") { screeningData.writeMembers(to: &$0) }
        case .builtIn(let party):
            line.member("target", EventLogEntry.TargetName.builtIn)
            line.member("party", party.rawValue)
        case .unknown:
            line.member("target", EventLogEntry.TargetName.unknown)
        }
        line.optional("callerDisplayName", callerDisplayName) { $0.value($1) }
        line.optional("callerGuestName", callerGuestName) { $0.value($1) }
        line.optional("callerLink", callerInvitation?.text) { $0.value($1) }
        if isCalleeRefused { line.member("isCalleeRefused", true) }
        line.names("calleeNames", calleeNames)
    }
}

extension CallerScreeningData {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.flagIfSet("isBlocked", isBlocked)
        writer.flagIfSet("isBlockedByDirectory", isBlockedByDirectory)
        writer.flagIfSet("doNotDisturb", doNotDisturb)
        if !quietDevices.isEmpty { writer.array("quietDevices", quietDevices.sorted()) { $0.value($1) } }
        writer.flagIfSet("breaksThroughDoNotDisturb", breaksThroughDoNotDisturb)
        writer.flagIfSet("refusesTransfers", refusesTransfers)
        writer.names("names", names)
    }
}
