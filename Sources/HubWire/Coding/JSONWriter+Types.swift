import HubEngine

// Encoding of the engine's types. The protocol determines which absent values are null, and which are left out.

extension JSONWriter {
    mutating func value(_ keyword: some WireKeyword) {
        value(keyword: keyword.keyword)
    }

    mutating func member(_ name: String, _ keyword: some WireKeyword) {
        member(name, keyword: keyword.keyword)
    }

    mutating func value(_ handle: Handle) {
        object { writer in
            writer.member("type", handle.type)
            writer.member("value", handle.value)
        }
    }

    mutating func value(_ configuration: ProviderConfiguration) {
        object { writer in
            writer.member("maximumCallGroups", configuration.maximumCallGroups)
            writer.member("maximumCallsPerCallGroup", configuration.maximumCallsPerCallGroup)
            writer.member("includesCallsInRecents", configuration.includesCallsInRecents)
            writer.member("supportsVideo", configuration.supportsVideo)
            writer.array("supportedHandleTypes", configuration.supportedHandleTypes) { $0.value($1) }
            writer.member("ringtoneSound", configuration.ringtoneSound) { $0.value($1) }
            writer.member("localizedName", configuration.localizedName) { $0.value($1) }
        }
    }

    mutating func value(_ action: Action) {
        value(ActionRequest(uuid: action.uuid, callUUID: action.callUUID, kind: action.kind))
    }

    mutating func value(_ action: ActionRequest) {
        object { writer in
            writer.member("type", action.kind.typeName)
            writer.optional("uuid", action.uuid) { $0.value($1) }
            writer.member("callUUID", action.callUUID)
            writer.members(of: action.kind)
        }
    }

    private mutating func members(of kind: ActionKind) {
        switch kind {
        case .start(let handle, let isVideo, let contactIdentifier, let isExternal):
            key("handle")
            value(handle)
            member("isVideo", isVideo)
            optional("contactIdentifier", contactIdentifier) { $0.value($1) }
            if isExternal { member("isExternal", true) }
        case .answer, .end, .pull, .unknown:
            break
        case .endHere:
            member("onlyHere", true)
        case .decline(let message, let onlyHere):
            if onlyHere { member("onlyHere", true) }
            member("message", message)
        case .setHeld(let isOnHold):
            member("isOnHold", isOnHold)
        case .setMuted(let isMuted):
            member("isMuted", isMuted)
        case .setGroup(let other):
            member("callUUIDToGroupWith", other) { $0.value($1) }
        case .playDTMF(let digits, let type):
            member("digits", digits)
            member("dtmfType", type)
        case .transfer(.call(let other)):
            member("toCallUUID", other)
        case .transfer(.handle(let handle)):
            key("toHandle")
            value(handle)
        case .setTranslating(let isTranslating, let localLanguage, let remoteLanguage):
            member("isTranslating", isTranslating)
            optional("localLanguage", localLanguage) { $0.value($1) }
            optional("remoteLanguage", remoteLanguage) { $0.value($1) }
        }
    }

    mutating func value(_ update: CallUpdate) {
        object { writer in
            writer.optional("remoteHandle", update.remoteHandle) { $0.value($1) }
            writer.optional("localizedCallerName", update.localizedCallerName) { $0.value($1) }
            writer.optional("supportsHolding", update.supportsHolding) { $0.value($1) }
            writer.optional("supportsGrouping", update.supportsGrouping) { $0.value($1) }
            writer.optional("supportsUngrouping", update.supportsUngrouping) { $0.value($1) }
            writer.optional("supportsDTMF", update.supportsDTMF) { $0.value($1) }
            writer.optional("hasVideo", update.hasVideo) { $0.value($1) }
        }
    }
}

extension CallSnapshot {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uuid", uuid)
            writer.member("isOutgoing", isOutgoing)
            writer.member("isOnHold", isOnHold)
            writer.member("hasConnected", hasConnected)
            writer.member("hasEnded", hasEnded)
            writer.member("state", state)
            writer.key("remoteHandle")
            writer.value(remoteHandle)
            writer.member("localizedCallerName", localizedCallerName)
            writer.member("nameSource", nameSource)
            writer.optional("directoryTitle", directoryTitle) { $0.value($1) }
            writer.optional("link", invitation?.text) { $0.value($1) }
            writer.optional("linkName", invitationName) { $0.value($1) }
            writer.member("isMuted", isMuted)
            writer.member("group", group) { $0.value($1) }
            writer.member("hasVideo", hasVideo)
            writer.member("supportsHolding", capabilities.supportsHolding)
            writer.member("supportsGrouping", capabilities.supportsGrouping)
            writer.member("supportsUngrouping", capabilities.supportsUngrouping)
            writer.member("supportsDTMF", capabilities.supportsDTMF)
            writer.member("remoteIsRinging", remoteIsRinging)
            writer.member("remoteIsOnHold", remoteIsOnHold)
            writer.member("isTranslating", isTranslating)
            writer.optional("translationEngine", translationEngine) { $0.value($1) }
            writer.member("isExternal", isExternal)
            writer.member("mustReport", mustReport)
            writer.member("startedAt", startedAt) { $0.value($1) }
            writer.member("startedConnectingAt", startedConnectingAt) { $0.value($1) }
            writer.member("connectedAt", connectedAt) { $0.value($1) }
            writer.member("endedAt", endedAt) { $0.value($1) }
            writer.member("endedReason", endedReason) { $0.value($1) }
            writer.member("cause", cause) { $0.value($1) }
            writer.array("choices", choices) { writer, choice in
                writer.object { writer in
                    writer.member("name", choice.name)
                    writer.array("actions", choice.actions) { $0.value($1) }
                }
            }
            if !participants.isEmpty { writer.array("participants", participants) { $1.write(to: &$0) } }
            if let transferor {
                writer.key("transferredBy")
                transferor.write(to: &writer)
            }
            if let returned {
                writer.object("returnedTransfer") { writer in
                    writer.key("handle")
                    writer.value(returned.handle)
                    writer.member("cause", returned.cause) { $0.value($1) }
                }
            }
            writer.optional("message", message) { $0.value($1) }
        }
    }
}

extension CallParticipant {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("handle")
            writer.value(handle)
            writer.member("name", name)
            writer.member("nameSource", nameSource)
        }
    }
}

extension ObservedCall {
    /// Writes CXCall's five fields, then the device.
    func writeMembers(to writer: inout JSONWriter) {
        writer.object("call") { writer in
            writer.member("uuid", uuid)
            writer.member("isOutgoing", isOutgoing)
            writer.member("isOnHold", isOnHold)
            writer.member("hasConnected", hasConnected)
            writer.member("hasEnded", hasEnded)
        }
        writer.object("device") { writer in
            writer.member("id", deviceID)
            writer.member("name", deviceName) { $0.value($1) }
        }
    }
}
