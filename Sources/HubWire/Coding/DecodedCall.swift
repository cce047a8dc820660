import HubEngine

/// A call sent by the hub; a cause unknown to this version is nil.
struct DecodedCall: JSONDecodable {
    let call: CallSnapshot

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        var capabilities = CallCapabilities()
        capabilities.supportsHolding = try members.flag("supportsHolding")
        capabilities.supportsGrouping = try members.flag("supportsGrouping")
        capabilities.supportsUngrouping = try members.flag("supportsUngrouping")
        capabilities.supportsDTMF = try members.flag("supportsDTMF")
        call = CallSnapshot(
            uuid: try members.uuid("uuid"),
            isOutgoing: try members.flag("isOutgoing"),
            state: try members.required("state", "be a call's state", from: CallSnapshot.State.init(keyword:)),
            hasConnected: try members.flag("hasConnected"),
            remoteHandle: try members.handle("remoteHandle"),
            localizedCallerName: try members.text("localizedCallerName"),
            nameSource: try members.required(
                "nameSource",
                "be a name's source",
                from: CallSnapshot.NameSource.init(keyword:)
            ),
            directoryTitle: try members.optionalText("directoryTitle"),
            invitation: try members.optionalText("link").flatMap(InvitationID.init),
            invitationName: try members.optionalText("linkName"),
            isMuted: try members.flag("isMuted"),
            isOnHold: try members.flag("isOnHold"),
            group: try members.optionalUUID("group"),
            hasVideo: try members.flag("hasVideo"),
            capabilities: capabilities,
            remoteIsRinging: try members.flag("remoteIsRinging"),
            remoteIsOnHold: try members.flag("remoteIsOnHold"),
            isTranslating: try members.optionalFlag("isTranslating") ?? false,
            translationEngine: try members.optionalText("translationEngine").flatMap(TranslationEngine.init(keyword:)),
            isExternal: try members.optionalFlag("isExternal") ?? false,
            mustReport: try members.optionalFlag("mustReport") ?? false,
            startedAt: try members.optionalDate("startedAt"),
            startedConnectingAt: try members.optionalDate("startedConnectingAt"),
            connectedAt: try members.optionalDate("connectedAt"),
            endedAt: try members.optionalDate("endedAt"),
            endedReason: try members.optionalWord("endedReason"),
            cause: try members.optionalText("cause").flatMap(EndCause.init(keyword:)),
            choices: try members.required("choices", as: [DecodedChoice].self, "be an array").compactMap(\.choice),
            participants: try members.optional("participants", as: [DecodedParticipant].self, "be an array")?
                .map(\.participant) ?? [],
            transferor: try members.optional("transferredBy", as: DecodedParticipant.self, "be an object")?.participant,
            returned: try members.optional("returnedTransfer", as: DecodedReturn.self, "be an object")?.returned,
            message: try members.optionalText("message")
        )
    }
}

/// A participant sent by the hub.
private struct DecodedParticipant: JSONDecodable {
    let participant: CallParticipant

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        participant = CallParticipant(
            handle: try members.handle("handle"),
            name: try members.text("name"),
            nameSource: try members.required(
                "nameSource",
                "be a name's source",
                from: CallSnapshot.NameSource.init(keyword:)
            )
        )
    }
}

/// A transfer that has failed, as sent by the hub; a cause unknown to this version is nil.
private struct DecodedReturn: JSONDecodable {
    let returned: ReturnedTransfer

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        returned = ReturnedTransfer(
            handle: try members.handle("handle"),
            cause: try members.optionalText("cause").flatMap(EndCause.init(keyword:))
        )
    }
}

/// A choice sent by the hub; nil if its name or an action is unknown to this version.
private struct DecodedChoice: JSONDecodable {
    let choice: Choice?

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let name = Choice.Name(keyword: try members.text("name"))
        let actions = try members.required("actions", as: [DecodedAction].self, "be an array").map(\.action)
        let isKnown = actions.allSatisfy { $0.kind.type != nil }
        choice = isKnown ? name.map { Choice(name: $0, actions: actions) } : nil
    }
}

/// A call on another device of the account, as sent by the hub.
struct DecodedObservedCall: JSONDecodable {
    let call: ObservedCall

    init(_ value: JSONValue) throws(JSONMemberError) {
        call = try ObservedCall(try JSONMembers(value))
    }
}

extension ObservedCall {
    init(_ members: JSONMembers) throws(JSONMemberError) {
        let call = try members.object("call", "be an object")
        let device = try members.object("device", "be an object")
        self.init(
            uuid: try call.uuid("uuid"),
            isOutgoing: try call.flag("isOutgoing"),
            isOnHold: try call.flag("isOnHold"),
            hasConnected: try call.flag("hasConnected"),
            hasEnded: try call.flag("hasEnded"),
            deviceID: try device.text("id"),
            deviceName: try device.optionalText("name")
        )
    }
}

struct DecodedAudioSource: JSONDecodable {
    let source: AudioSource

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        source = AudioSource(
            ssrc: try members.ssrc("ssrc"),
            callUUID: try members.uuid("callUUID"),
            handle: try members.handle("handle"),
            name: try members.text("name"),
            isHoldAudio: try members.optionalFlag("isHoldAudio") ?? false
        )
    }
}

struct DecodedPendingTransaction: JSONDecodable {
    let transaction: PendingTransaction

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        transaction = PendingTransaction(
            uuid: try members.uuid("transaction"),
            actions: try members.actions("actions")
        )
    }
}
