import HubAccountData
import HubEngine

extension HubMessage {
    /// Parses a text message of the hub; throws if it is none that this version understands.
    ///
    /// Notifications of an unknown method, and unknown members, are no error: a hub may be newer. The type of a result
    /// is determined by its members.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        guard let document = try? JSONDocument(bytes) else {
            throw WireError(.parseError, "the hub's message is not JSON: \(quotedExcerpt(bytes[...]))")
        }
        do throws(JSONMemberError) {
            self = try DecodedHubMessage(document.root).message
        } catch {
            throw WireError(error)
        }
    }
}

private struct DecodedHubMessage {
    let message: HubMessage

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        if let method = try members.optionalText("method") {
            let params = try members.object("params", "be an object")
            message = .notification(
                seq: try params.required("seq", "be a whole number of 0 or more"),
                try WireNotification(method: method, params)
            )
        } else if !members.isNull("error") {
            let error = try members.object("error", "be an object")
            message = .reply(try Self.id(of: members), .failure(try WireError(error)))
        } else {
            guard members.contains("result") else {
                throw members.fault("result", .missing, "be there, or error, or method")
            }
            let result = try members.object("result", "be an object")
            message = .reply(try Self.id(of: members), .success(try ReplyPayload(result)))
        }
    }

    /// A client's own identifiers are whole numbers or strings, so that no other type is accepted here.
    private static func id(of members: JSONMembers) throws(JSONMemberError) -> RequestID {
        if members.isNull("id") { return .null }
        if let text = members.value("id")?.string { return .string(text) }
        return RequestID(try members.required("id", as: Int.self, "be a whole number, a string or null"))
    }
}

extension WireNotification {
    init(method: String, _ params: JSONMembers) throws(JSONMemberError) {
        guard let known = NotificationMethod(rawValue: method) else {
            self = .unknown(method: method)
            return
        }
        switch known {
        case .providerDidBegin:
            self = .didBegin(try params.provider("configuration"))
        case .providerDidReset:
            self = .didReset
        case .providerExecute:
            self = .execute(try params.uuid("transaction"), try params.actions("actions"))
        case .providerPerform:
            self = .perform(
                try params.uuid("transaction"),
                try params.action("action"),
                deadline: try params.date("deadline"),
                origin: try params.required("origin", "be \"user\" or \"system\"", from: ActionOrigin.init(keyword:)),
                fulfilled: try params.flag("fulfilled")
            )
        case .providerTimedOutPerforming:
            self = .timedOutPerforming(try params.action("action"))
        case .providerDidActivateAudioSession:
            let session = try params.object("audioSession", "be an object")
            self = .didActivateAudioSession(
                AudioSession(
                    id: try session.uuid("id"),
                    ssrc: try session.ssrc("ssrc"),
                    calls: try session.uuids("calls"),
                    group: try session.optionalUUID("group")
                )
            )
        case .providerDidDeactivateAudioSession:
            let session = try params.object("audioSession", "be an object")
            self = .didDeactivateAudioSession(try session.uuid("id"), calls: try session.uuids("calls"))
        case .callChanged:
            self = .callChanged(try params.required("call", as: DecodedCall.self, "be an object").call)
        case .observerCallChanged:
            self = .observed(try ObservedCall(params))
        case .callDTMF:
            self = .dtmf(
                try params.uuid("callUUID"),
                digits: try params.text("digits"),
                type: try params.keyword("dtmfType")
            )
        case .audioSources:
            self = .audioSources(
                try params.required("sources", as: [DecodedAudioSource].self, "be an array").map(\.source)
            )
        case .audioPacketsDropped:
            self = .packetsDropped(try DroppedPackets(params))
        case .recordTold:
            self = .recorded(try RecordedEvent(params))
        case .recentsChanged:
            self = .changed(.recents)
        case .settingsChanged:
            self = .changed(.settings)
        case .contactsChanged:
            self = .changed(.contacts)
        case .blockChanged:
            self = .changed(.block)
        case .directoryReloadRequested:
            self = .directoryReloadRequested(identifier: try params.text("extension"))
        case .peopleChanged:
            self = .peopleChanged(try params.people("people"))
        case .providersChanged:
            self = .providersChanged
        case .sessionClosing:
            self = .closing(
                ClosingReason(rawValue: try params.text("reason")),
                retryAfterSeconds: try params.optional("retryAfterSeconds", "be a whole number"),
                url: try params.optional("url", "be a string")
            )
        }
    }
}

extension ReplyPayload {
    fileprivate init(_ result: JSONMembers) throws(JSONMemberError) {
        if result.contains("session") {
            self = .opened(try SessionOpenResult(result))
        } else if result.contains("transaction") {
            self = .accepted(try result.uuid("transaction"), actions: try result.uuids("actions"))
        } else if result.contains("transactions") {
            self = .pending(
                transactions: try result.required(
                    "transactions",
                    as: [DecodedPendingTransaction].self,
                    "be an array"
                ).map(\.transaction),
                actions: try result.actions("actions")
            )
        } else if result.contains("calls") {
            let elsewhere = try result.optional("elsewhere", as: [DecodedObservedCall].self, "be an array") ?? []
            self = .calls(try result.calls("calls"), elsewhere: elsewhere.map(\.call))
        } else if result.contains("configuration") {
            self = .configuration(try result.provider("configuration"))
        } else if let invitation = try InvitationReply(result) {
            self = .invitation(invitation)
        } else if let passkey = try PasskeyReply(result) {
            self = .passkey(passkey)
        } else if result.contains("now") {
            self = .pong(result.text(of: "t"), now: try result.date("now"))
        } else if result.contains("expiresAt") {
            self = .refreshed(expiresAt: try result.date("expiresAt"))
        } else if result.contains("applicationServerKey") {
            self = .pushKey(try result.point("applicationServerKey"))
        } else if result.contains("people") {
            self = .people(try result.people("people"), next: try result.optionalText("next"))
        } else if result.contains("providers") {
            let read = try result.required("providers", as: [DecodedListedProvider].self, "be an array of providers")
            self = .providers(read.map(\.provider))
        } else if result.contains("media") {
            self = .media(try result.required("media", "be base64", from: Base64.bytes))
        } else if let list = try AdminReply(result) {
            self = .admin(list)
        } else if let accountData = try ReplyPayload(accountData: result) {
            self = accountData
        } else {
            self = try result.optionalFlag("ignored") == true ? .ignored : .done
        }
    }
}

extension WireError {
    fileprivate init(_ error: JSONMembers) throws(JSONMemberError) {
        let data = try error.object("data", "be an object")
        self.init(
            ErrorCode(
                number: try error.required("code", "be a whole number"),
                name: try data.optionalText("name")
            ),
            try error.text("message"),
            actionIndex: try data.optional("actionIndex", "be a whole number"),
            calls: data.isNull("calls") ? nil : try data.calls("calls"),
            retryAfterSeconds: try data.optional("retryAfterSeconds", "be a whole number"),
            reason: try data.optionalText("reason")
        )
    }
}

extension SessionOpenResult {
    fileprivate init(_ result: JSONMembers) throws(JSONMemberError) {
        let hub = try result.object("hub", "be an object")
        let limits = try result.object("limits", "be an object")
        let device = try result.object("device", "be an object")
        self.init(
            session: try result.text("session"),
            resumeToken: try result.text("resumeToken"),
            resumed: try result.flag("resumed"),
            account: try result.text("account"),
            handles: try result.required("handles", as: [DecodedHandle].self, "be an array").map(\.handle),
            device: SessionOpenRequest.Device(id: try device.optionalText("id"), name: try device.optionalText("name")),
            calls: try result.calls("calls"),
            hub: Hub(name: try hub.text("name"), version: try hub.text("version"), node: try hub.text("node")),
            audio: try AudioFormat(try result.object("audio", "be an object")),
            limits: Limits(
                maximumMessageBytes: try limits.number("maximumMessageBytes"),
                resumeGraceSeconds: try limits.number("resumeGraceSeconds"),
                ringTimeoutSeconds: try limits.number("ringTimeoutSeconds"),
                maximumDirectoryEntries: try limits.optional(
                    "maximumDirectoryEntries",
                    as: Int.self,
                    "be a whole number"
                )
            ),
            expiresAt: try result.optionalDate("expiresAt")
        )
        permissions = try result.optional("permissions", as: [DecodedPermission].self, "be an array")?
            .map(\.permission)
        openIDToken = try result.optionalText("openIDToken")
        confirmedUntil = try result.optionalDate("confirmedUntil")
    }
}

extension SessionOpenResult.AudioFormat {
    fileprivate init(_ audio: JSONMembers) throws(JSONMemberError) {
        self.init()
        payloadType = try audio.number("payloadType")
        clockRate = try audio.number("clockRate")
        channels = try audio.number("channels")
        frameDurations = try audio.required("frameDurations", "be an array of whole numbers")
        staleAfterMilliseconds = try audio.number("staleAfterMilliseconds")
        delivery = try audio.optionalWord("delivery") ?? .streams
        if delivery == .mixed {
            mix = SessionOpenResult.Mix(
                ssrc: try audio.required("mixSSRC", "be a whole number"),
                mixedFrom: try audio.number("mixedFrom")
            )
        }
    }
}

extension JSONMembers {
    fileprivate func number(_ name: String) throws(JSONMemberError) -> Int {
        try required(name, "be a whole number")
    }

    func date(_ name: String) throws(JSONMemberError) -> Instant {
        try required(name, "be an RFC 3339 date", from: RFC3339.instant)
    }

    fileprivate func provider(_ name: String) throws(JSONMemberError) -> ProviderConfiguration {
        try required(name, as: DecodedProvider.self, "be an object").configuration
    }

    fileprivate func action(_ name: String) throws(JSONMemberError) -> Action {
        try required(name, as: DecodedFullAction.self, "be an action").action
    }

    func actions(_ name: String) throws(JSONMemberError) -> [Action] {
        try required(name, as: [DecodedFullAction].self, "be an array of actions").map(\.action)
    }

    fileprivate func calls(_ name: String) throws(JSONMemberError) -> [CallSnapshot] {
        try required(name, as: [DecodedCall].self, "be an array of calls").map(\.call)
    }

    func ssrc(_ name: String) throws(JSONMemberError) -> UInt32 {
        try required(name, "be a number from 0 to 4294967295")
    }

    func uuids<Kind>(_ name: String) throws(JSONMemberError) -> [Identifier<Kind>] {
        var uuids: [Identifier<Kind>] = []
        for text in try required(name, as: [String].self, "be an array of UUIDs") {
            guard let uuid = Identifier<Kind>(uuidText: text) else {
                throw fault(name, .invalidValue, "be an array of UUIDs")
            }
            uuids.append(uuid)
        }
        return uuids
    }
}
