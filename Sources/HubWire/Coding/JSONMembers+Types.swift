import HubEngine

// Decoding of the engine's types; the types here only serve to convert JSON into them.

extension JSONMembers {
    func uuid<Kind>(_ name: String) throws(JSONMemberError) -> Identifier<Kind> {
        try required(name, "be a UUID", from: Identifier.init(uuidText:))
    }

    func optionalUUID<Kind>(_ name: String) throws(JSONMemberError) -> Identifier<Kind>? {
        try optional(name, "be a UUID", from: Identifier.init(uuidText:))
    }

    func optionalDate(_ name: String) throws(JSONMemberError) -> Instant? {
        try optional(name, "be an RFC 3339 date, like 2026-11-21T07:22:01.123Z", from: RFC3339.instant)
    }

    func keyword<Word: WireKeyword & CaseIterable>(_ name: String) throws(JSONMemberError) -> Word {
        try required(name, "be \(Word.keywords)", from: Word.init(keyword:))
    }

    func optionalWord<Word: WireKeyword & CaseIterable>(
        _ name: String,
        orElse kind: JSONMemberError.Kind = .invalidValue
    ) throws(JSONMemberError) -> Word? {
        try optional(name, "be \(Word.keywords)", orElse: kind, from: Word.init(keyword:))
    }

    func flag(_ name: String) throws(JSONMemberError) -> Bool {
        try required(name, "be true or false")
    }

    func optionalFlag(_ name: String) throws(JSONMemberError) -> Bool? {
        try optional(name, "be true or false")
    }

    func text(_ name: String) throws(JSONMemberError) -> String {
        try required(name, "be a string")
    }

    func optionalText(_ name: String) throws(JSONMemberError) -> String? {
        try optional(name, "be a string")
    }

    /// A string that is not empty.
    func nonEmptyText(_ name: String) throws(JSONMemberError) -> String {
        try required(name, "be a string that is not empty", orElse: .wrongType) { $0.isEmpty ? nil : $0 }
    }

    /// A string that is not empty; nil: it is absent or null.
    func optionalNonEmptyText(_ name: String) throws(JSONMemberError) -> String? {
        try optional(name, "be a string that is not empty", orElse: .wrongType) { $0.isEmpty ? nil : $0 }
    }

    /// A text that the other party is shown, of one line; nil: it is absent or null.
    func optionalMessage(_ name: String) throws(JSONMemberError) -> String? {
        let requirement =
            "be one line of 1 to \(maximumMessageTextBytes) bytes without control or invisible characters"
        return try optional(name, requirement) { $0.isValidMessage ? $0 : nil }
    }

    /// A whole number from 1 to 1,000; nil: it is absent or null.
    func optionalCount(_ name: String) throws(JSONMemberError) -> Int? {
        let requirement = "be a whole number from 1 to \(maximumProviderLimit)"
        guard let count = try optional(name, as: Int.self, requirement) else { return nil }
        guard (1...maximumProviderLimit).contains(count) else { throw fault(name, .invalidValue, requirement) }
        return count
    }

    /// The maximum number of entries in a response, from 1; nil: it is absent or null.
    func pageLength(_ name: String, upTo most: Int) throws(JSONMemberError) -> Int? {
        let requirement = "be a whole number from 1 to \(most)"
        guard let length = try optional(name, as: Int.self, requirement) else { return nil }
        guard (1...most).contains(length) else { throw fault(name, .invalidValue, requirement) }
        return length
    }

    func handle(_ name: String) throws(JSONMemberError) -> Handle {
        try required(name, as: DecodedHandle.self, "be a handle, {\"type\", \"value\"}").handle
    }

    func optionalHandle(_ name: String) throws(JSONMemberError) -> Handle? {
        try optional(name, as: DecodedHandle.self, "be a handle, {\"type\", \"value\"}")?.handle
    }
}

/// The highest value of a provider's limits.
///
/// Larger: a client could have as many calls as the hub has memory; smaller: too few for some switchboards.
private let maximumProviderLimit = 1_000

struct DecodedHandle: JSONDecodable {
    let handle: Handle

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        handle = Handle(
            type: try members.keyword("type"),
            value: try members.required("value", "be a string that is not empty") { $0.isEmpty ? nil : $0 }
        )
    }
}

struct DecodedProvider: JSONDecodable {
    let configuration: ProviderConfiguration

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = try members.optionalCount("maximumCallGroups") ?? provider.maximumCallGroups
        provider.maximumCallsPerCallGroup =
            try members.optionalCount("maximumCallsPerCallGroup") ?? provider.maximumCallsPerCallGroup
        provider.includesCallsInRecents =
            try members.optionalFlag("includesCallsInRecents") ?? provider.includesCallsInRecents
        provider.supportsVideo = try members.optionalFlag("supportsVideo") ?? provider.supportsVideo
        let types = try members.optional("supportedHandleTypes", as: [DecodedHandleType].self, "be an array") ?? []
        provider.supportedHandleTypes = Handle.HandleType.allCases.filter { type in
            types.contains { $0.type == type }
        }
        provider.ringtoneSound = try members.optionalText("ringtoneSound")
        provider.localizedName = try members.optionalText("localizedName")
        configuration = provider
    }
}

private struct DecodedHandleType: JSONDecodable {
    let type: Handle.HandleType

    init(_ value: JSONValue) throws(JSONMemberError) {
        let requirement = "be \(Handle.HandleType.keywords)"
        guard let keyword = try String(value) else { throw JSONMemberError(.wrongType, value, requirement) }
        guard let type = Handle.HandleType(keyword: keyword) else {
            throw JSONMemberError(.invalidValue, value, requirement)
        }
        self.type = type
    }
}

struct DecodedUpdate: JSONDecodable {
    let update: CallUpdate

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        var update = CallUpdate()
        update.remoteHandle = try members.optionalHandle("remoteHandle")
        update.localizedCallerName = try members.optionalText("localizedCallerName")
        update.supportsHolding = try members.optionalFlag("supportsHolding")
        update.supportsGrouping = try members.optionalFlag("supportsGrouping")
        update.supportsUngrouping = try members.optionalFlag("supportsUngrouping")
        update.supportsDTMF = try members.optionalFlag("supportsDTMF")
        update.hasVideo = try members.optionalFlag("hasVideo")
        self.update = update
    }
}

/// An action; one of an unknown type is passed to the engine, which refuses it in order.
struct DecodedAction: JSONDecodable {
    let action: ActionRequest

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let typeName = try members.text("type")
        let uuid: ActionUUID? = try members.optionalUUID("uuid")
        let callUUID: CallUUID = try members.uuid("callUUID")
        let kind =
            if let type = ActionType(keyword: typeName) {
                try Self.kind(type, of: members)
            } else {
                ActionKind.unknown(type: typeName)
            }
        action = ActionRequest(uuid: uuid, callUUID: callUUID, kind: kind)
    }

    private static func kind(_ type: ActionType, of members: JSONMembers) throws(JSONMemberError) -> ActionKind {
        switch type {
        case .start:
            .start(
                handle: try members.handle("handle"),
                isVideo: try members.optionalFlag("isVideo") ?? false,
                contactIdentifier: try members.optionalText("contactIdentifier"),
                isExternal: try members.optionalFlag("isExternal") ?? false
            )
        case .answer: .answer
        case .end: try end(members)
        case .pull: .pull
        case .setHeld: .setHeld(try members.flag("isOnHold"))
        case .setMuted: .setMuted(try members.flag("isMuted"))
        case .setGroup: .setGroup(with: try otherCall(of: members))
        case .transfer: .transfer(to: try transferTarget(of: members))
        case .playDTMF: .playDTMF(digits: try members.text("digits"), type: try members.keyword("dtmfType"))
        case .setTranslating:
            .setTranslating(
                try members.flag("isTranslating"),
                localLanguage: try members.optionalText("localLanguage"),
                remoteLanguage: try members.optionalText("remoteLanguage")
            )
        }
    }

    private static func end(_ members: JSONMembers) throws(JSONMemberError) -> ActionKind {
        let onlyHere = try members.optionalFlag("onlyHere") == true
        guard let message = try members.optionalMessage("message") else { return onlyHere ? .endHere : .end }
        return .decline(message: message, onlyHere: onlyHere)
    }

    /// Reads the target of a transfer: exactly one of the two members.
    private static func transferTarget(of members: JSONMembers) throws(JSONMemberError) -> TransferTarget {
        let handle = try members.optionalHandle("toHandle")
        let call: CallUUID? = try members.optional("toCallUUID", "be a call's UUID", from: CallUUID.init(uuidText:))
        switch (call, handle) {
        case (let call?, nil): return .call(call)
        case (nil, let handle?): return .handle(handle)
        case (nil, nil): throw members.fault("toCallUUID", .missing, "be a call's UUID, unless there is a toHandle")
        case (_?, _?): throw members.fault("toHandle", .invalidValue, "be absent beside toCallUUID")
        }
    }

    /// Null takes the call out of its group; the member is required, so that its omission does not.
    private static func otherCall(of members: JSONMembers) throws(JSONMemberError) -> CallUUID? {
        let name: String = "callUUIDToGroupWith"
        guard members.contains(name) else { throw members.fault(name, .missing, "be a call's UUID or null") }
        return try members.optional(name, "be a call's UUID or null", from: CallUUID.init(uuidText:))
    }
}

/// An action in a notification, with its UUID.
struct DecodedFullAction: JSONDecodable {
    let action: Action

    init(_ value: JSONValue) throws(JSONMemberError) {
        let request = try DecodedAction(value).action
        guard request.kind.type != nil else {
            throw try JSONMembers(value).fault("type", .invalidValue, "be \(ActionType.keywords)")
        }
        guard let uuid = request.uuid else {
            throw try JSONMembers(value).fault("uuid", .missing, "be a UUID")
        }
        action = Action(uuid: uuid, callUUID: request.callUUID, kind: request.kind)
    }
}
