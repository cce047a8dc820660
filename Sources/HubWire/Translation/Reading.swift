import HubEngine

// Decoding of the engine's types; the types here only serve to convert JSON into them.

extension Members {
    func uuid<Kind>(_ name: String) throws(MemberFault) -> Identifier<Kind> {
        try required(name, "be a UUID", from: Identifier.init(uuidText:))
    }

    func optionalUUID<Kind>(_ name: String) throws(MemberFault) -> Identifier<Kind>? {
        try optional(name, "be a UUID", from: Identifier.init(uuidText:))
    }

    func optionalDate(_ name: String) throws(MemberFault) -> Instant? {
        try optional(name, "be an RFC 3339 date, like 2026-11-21T07:22:01.123Z", from: RFC3339.instant)
    }

    func word<Word: WireWord & CaseIterable>(_ name: String) throws(MemberFault) -> Word {
        try required(name, "be \(Word.words)", from: Word.init(word:))
    }

    func optionalWord<Word: WireWord & CaseIterable>(
        _ name: String,
        orElse kind: MemberFault.Kind = .senseless
    ) throws(MemberFault) -> Word? {
        try optional(name, "be \(Word.words)", orElse: kind, from: Word.init(word:))
    }

    func flag(_ name: String) throws(MemberFault) -> Bool {
        try required(name, "be true or false")
    }

    func optionalFlag(_ name: String) throws(MemberFault) -> Bool? {
        try optional(name, "be true or false")
    }

    func text(_ name: String) throws(MemberFault) -> String {
        try required(name, "be a string")
    }

    func optionalText(_ name: String) throws(MemberFault) -> String? {
        try optional(name, "be a string")
    }

    /// A string that is not empty.
    func filledText(_ name: String) throws(MemberFault) -> String {
        try required(name, "be a string that is not empty", orElse: .wrongType) { $0.isEmpty ? nil : $0 }
    }

    /// A string that is not empty; nil: it is absent or null.
    func optionalFilledText(_ name: String) throws(MemberFault) -> String? {
        try optional(name, "be a string that is not empty", orElse: .wrongType) { $0.isEmpty ? nil : $0 }
    }

    /// A whole number from 1 to 1,000; nil: it is absent or null.
    func optionalCount(_ name: String) throws(MemberFault) -> Int? {
        let requirement = "be a whole number from 1 to \(largestCount)"
        guard let count = try optional(name, as: Int.self, requirement) else { return nil }
        guard (1...largestCount).contains(count) else { throw fault(name, .senseless, requirement) }
        return count
    }

    /// The maximum number of entries in a response, from 1; nil: it is absent or null.
    func pageLength(_ name: String, upTo most: Int) throws(MemberFault) -> Int? {
        let requirement = "be a whole number from 1 to \(most)"
        guard let length = try optional(name, as: Int.self, requirement) else { return nil }
        guard (1...most).contains(length) else { throw fault(name, .senseless, requirement) }
        return length
    }

    func handle(_ name: String) throws(MemberFault) -> Handle {
        try required(name, as: ReadHandle.self, "be a handle, {\"type\", \"value\"}").handle
    }

    func optionalHandle(_ name: String) throws(MemberFault) -> Handle? {
        try optional(name, as: ReadHandle.self, "be a handle, {\"type\", \"value\"}")?.handle
    }
}

/// The highest value of a provider's limits.
///
/// Larger: a client could have as many calls as the hub has memory; smaller: too few for some switchboards.
private let largestCount = 1_000

struct ReadHandle: JSONReadable {
    let handle: Handle

    init(_ value: JSONValue) throws(MemberFault) {
        let members = try Members(value)
        handle = Handle(
            type: try members.word("type"),
            value: try members.required("value", "be a string that is not empty") { $0.isEmpty ? nil : $0 }
        )
    }
}

struct ReadProvider: JSONReadable {
    let configuration: ProviderConfiguration

    init(_ value: JSONValue) throws(MemberFault) {
        let members = try Members(value)
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = try members.optionalCount("maximumCallGroups") ?? provider.maximumCallGroups
        provider.maximumCallsPerCallGroup =
            try members.optionalCount("maximumCallsPerCallGroup") ?? provider.maximumCallsPerCallGroup
        provider.includesCallsInRecents =
            try members.optionalFlag("includesCallsInRecents") ?? provider.includesCallsInRecents
        provider.supportsVideo = try members.optionalFlag("supportsVideo") ?? provider.supportsVideo
        let types = try members.optional("supportedHandleTypes", as: [ReadHandleType].self, "be an array") ?? []
        provider.supportedHandleTypes = Handle.HandleType.allCases.filter { type in
            types.contains { $0.type == type }
        }
        provider.ringtoneSound = try members.optionalText("ringtoneSound")
        provider.localizedName = try members.optionalText("localizedName")
        configuration = provider
    }
}

private struct ReadHandleType: JSONReadable {
    let type: Handle.HandleType

    init(_ value: JSONValue) throws(MemberFault) {
        let requirement = "be \(Handle.HandleType.words)"
        guard let word = try String(value) else { throw MemberFault(.wrongType, value, requirement) }
        guard let type = Handle.HandleType(word: word) else { throw MemberFault(.senseless, value, requirement) }
        self.type = type
    }
}

struct ReadUpdate: JSONReadable {
    let update: CallUpdate

    init(_ value: JSONValue) throws(MemberFault) {
        let members = try Members(value)
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
struct ReadAction: JSONReadable {
    let action: ActionRequest

    init(_ value: JSONValue) throws(MemberFault) {
        let members = try Members(value)
        let typeName = try members.text("type")
        let uuid: ActionUUID? = try members.optionalUUID("uuid")
        let callUUID: CallUUID = try members.uuid("callUUID")
        let kind =
            if let type = ActionType(word: typeName) {
                try Self.kind(type, of: members)
            } else {
                ActionKind.unknown(type: typeName)
            }
        action = ActionRequest(uuid: uuid, callUUID: callUUID, kind: kind)
    }

    private static func kind(_ type: ActionType, of members: Members) throws(MemberFault) -> ActionKind {
        switch type {
        case .start:
            .start(
                handle: try members.handle("handle"),
                isVideo: try members.optionalFlag("isVideo") ?? false,
                contactIdentifier: try members.optionalText("contactIdentifier"),
                isExternal: try members.optionalFlag("isExternal") ?? false
            )
        case .answer: .answer
        case .end: try members.optionalFlag("onlyHere") == true ? .endHere : .end
        case .pull: .pull
        case .setHeld: .setHeld(try members.flag("isOnHold"))
        case .setMuted: .setMuted(try members.flag("isMuted"))
        case .setGroup: .setGroup(with: try otherCall(of: members))
        case .playDTMF: .playDTMF(digits: try members.text("digits"), type: try members.word("dtmfType"))
        case .setTranslating:
            .setTranslating(
                try members.flag("isTranslating"),
                localLanguage: try members.optionalText("localLanguage"),
                remoteLanguage: try members.optionalText("remoteLanguage")
            )
        }
    }

    /// Null takes the call out of its group; the member is required, so that forgetting it does not.
    private static func otherCall(of members: Members) throws(MemberFault) -> CallUUID? {
        let name: String = "callUUIDToGroupWith"
        guard members.contains(name) else { throw members.fault(name, .missing, "be a call's UUID or null") }
        return try members.optional(name, "be a call's UUID or null", from: CallUUID.init(uuidText:))
    }
}

/// An action in a notification, with its UUID.
struct ReadFullAction: JSONReadable {
    let action: Action

    init(_ value: JSONValue) throws(MemberFault) {
        let request = try ReadAction(value).action
        guard request.kind.type != nil else {
            throw try Members(value).fault("type", .senseless, "be \(ActionType.words)")
        }
        guard let uuid = request.uuid else {
            throw try Members(value).fault("uuid", .missing, "be a UUID")
        }
        action = Action(uuid: uuid, callUUID: request.callUUID, kind: request.kind)
    }
}
