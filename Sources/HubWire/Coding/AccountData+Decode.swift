import HubAccountData
import HubEngine

// Decoding of the messages about account data (docs/protocol.md, Account data).

extension ClientMethod {
    func readAccountDataRequest(_ params: JSONMembers) throws(JSONMemberError) -> AccountDataRequest {
        switch self {
        case .settingsSet:
            .setSettings(try SettingsUpdate(params))
        case .blockList: .listBlocked
        case .blockAdd:
            .block(try params.blockRule { params throws(JSONMemberError) in try params.storedHandle("handle") })
        case .blockRemove:
            .unblock(try params.blockRule { params throws(JSONMemberError) in try params.handle("handle") })
        case .contactsList: .listContacts
        case .contactsPut: .putContact(try Contact(params, isStored: true), photo: try params.photoChange("photo"))
        case .contactsPhoto: .contactPhoto(identifier: try params.text("identifier"))
        case .contactsRemove: .removeContact(identifier: try params.text("identifier"))
        case .recentsList:
            .listRecents(
                limit: try params.pageLength("limit", upTo: maximumPageLength),
                before: try params.optionalUUID("before")
            )
        case .recentsMarkSeen: .markRecentsSeen(try params.optionalUUIDs("ids"))
        case .recentsRemove: .removeRecents(try params.optionalUUIDs("ids"))
        case .directoryLoad: try readDirectoryLoad(params)
        case .directorySetEnabled:
            .setDirectoryEnabled(identifier: try params.text("extension"), try params.flag("enabled"))
        case .directoryReload: .reloadDirectory(identifier: try params.text("extension"))
        case .directoryStatus: .directoryStatus(identifier: try params.optionalText("extension"))
        case .accountErase: .erase
        default: .getSettings
        }
    }

    private func readDirectoryLoad(_ params: JSONMembers) throws(JSONMemberError) -> AccountDataRequest {
        let identifier = try params.identifier("extension")
        if try params.optionalFlag("cancel") == true {
            return .cancelDirectoryLoad(identifier: identifier, message: try params.optionalMessage("message"))
        }
        var load = DirectoryLoad(identifier, isIncremental: try params.flag("incremental"))
        load.blocking = try params.numbers("blocking")
        load.identification = try params.required(
            "identification",
            as: [DecodedDirectoryEntry].self,
            "be an array of {\"number\", \"label\"}"
        ).map(\.entry)
        load.removeBlocking = params.isNull("removeBlocking") ? [] : try params.numbers("removeBlocking")
        load.removeIdentification =
            params.isNull("removeIdentification") ? [] : try params.numbers("removeIdentification")
        load.removesAllBlocking = try params.optionalFlag("removeAllBlocking") ?? false
        load.removesAllIdentification = try params.optionalFlag("removeAllIdentification") ?? false
        load.title = params.isNull("title") ? nil : try params.shownName("title")
        load.batch = try params.batch("batch")
        load.isFinal = try params.optionalFlag("final") ?? true
        return .loadDirectory(load)
    }
}

extension ReplyPayload {
    /// Decodes the result of a request for account data; nil if it is none.
    init?(accountData result: JSONMembers) throws(JSONMemberError) {
        if result.contains("doNotDisturb") {
            self = .settings(try DeviceSettings(result))
        } else if result.contains("handles") {
            let handles = try result.required("handles", as: [DecodedHandle].self, "be an array").map(\.handle)
            let prefixes = try result.required("prefixes", as: [String].self, "be an array of digits")
            let invitations = try result.optional("links", as: [String].self, "be an array of links' identifiers") ?? []
            self = .blocked(
                handles.map { BlockRule.handle($0) } + prefixes.map { BlockRule.prefix($0) }
                    + invitations.compactMap(InvitationID.init).map { BlockRule.invitation($0) }
            )
        } else if result.contains("contacts") {
            self = .contacts(try result.required("contacts", as: [DecodedContact].self, "be an array").map(\.contact))
        } else if result.contains("photo") {
            self = .photo(try result.required("photo", "be base64", from: Base64.bytes))
        } else if result.contains("recents") {
            self = .recents(try result.required("recents", as: [DecodedRecent].self, "be an array").map(\.entry))
        } else if result.contains("extensions") {
            let read = try result.required("extensions", as: [DecodedDirectoryStatus].self, "be an array")
            self = .directories(read.map(\.status))
        } else if result.contains("blocking") {
            self = .directoryLoaded(
                DirectoryLoadResult(
                    blocking: try result.required("blocking", "be a whole number"),
                    identification: try result.required("identification", "be a whole number"),
                    isExpired: try result.optionalFlag("expired") ?? false
                )
            )
        } else {
            return nil
        }
    }
}

/// A handle that is to be stored.
struct DecodedStoredHandle: JSONDecodable {
    let handle: Handle

    init(_ value: JSONValue) throws(JSONMemberError) {
        handle = try DecodedHandle(value).handle
        guard handle.value.utf8.count <= maximumHandleBytes else {
            let requirement = "be a string of 1 to \(maximumHandleBytes) bytes"
            throw try JSONMembers(value).fault("value", .invalidValue, requirement)
        }
    }
}

private struct DecodedDirectoryEntry: JSONDecodable {
    let entry: DirectoryEntry

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let number: Int64 = try members.required("number", numberRequirement)
        guard phoneNumbers.contains(number) else { throw members.fault("number", .invalidValue, numberRequirement) }
        entry = DirectoryEntry(number, try members.identifier("label"))
    }
}

/// An entry of Recents from the hub, which does not send the devices that had the call.
private struct DecodedRecent: JSONDecodable {
    let entry: RecentEntry

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let call = RecentCall(
            id: try members.uuid("id"),
            handle: try members.handle("handle"),
            name: try members.text("name"),
            invitation: try members.optionalText("link").flatMap(InvitationID.init),
            invitationName: try members.optionalText("linkName"),
            isOutgoing: try members.required("direction", "be \"incoming\" or \"outgoing\"") { keyword in
                keyword == "outgoing" ? true : keyword == "incoming" ? false : nil
            },
            outcome: try members.recentOutcome(),
            isSilenced: try members.flag("silenced"),
            startedAt: try members.date("startedAt"),
            connectedAt: try members.optionalDate("connectedAt"),
            endedAt: try members.date("endedAt"),
            hasVideo: try members.optionalFlag("hasVideo") ?? false,
            provider: try members.optionalText("provider"),
            isUnknown: try members.optionalFlag("unknown") ?? false
        )
        let count = try members.optional("count", as: Int.self, "be a whole number of 1 or more") ?? 1
        entry = RecentEntry(call, isSeen: try members.flag("seen"), count: max(1, count))
    }
}

extension JSONMembers {
    /// The outcome of a call in Recents: an unanswered one is `cancelled` with a reason.
    fileprivate func recentOutcome() throws(JSONMemberError) -> RecentCall.Outcome {
        let outcome: RecentCall.Outcome = try keyword("outcome")
        let isUnanswered = try optionalText("endedReason") == EndReason.unanswered.keyword
        return outcome == .cancelled && isUnanswered ? .unanswered : outcome
    }
}

extension DirectoryLoadFault {
    /// Decodes `lastError`; a code unknown to this version counts as `unknown`.
    fileprivate init(_ members: JSONMembers) throws(JSONMemberError) {
        let code = ErrorCode(number: try members.required("code", "be a whole number"), name: try members.text("name"))
        let known: AccountDataError.Code =
            switch code {
            case .callDirectory(let code): .callDirectory(code)
            case .general(.invalidArgument): .invalidArgument
            case .tooMany: .tooMany
            default: .callDirectory(.unknown)
            }
        self.init(code: known, message: try members.text("message"), at: try members.date("at"))
    }
}

private struct DecodedDirectoryStatus: JSONDecodable {
    let status: DirectoryStatus

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        status = DirectoryStatus(
            identifier: try members.text("extension"),
            isEnabled: try members.text("status") == "enabled",
            blocking: try members.required("blocking", "be a whole number"),
            identification: try members.required("identification", "be a whole number"),
            loadedAt: try members.optionalDate("loadedAt"),
            isIncremental: try members.flag("incremental"),
            title: try members.optionalText("title"),
            lastFault: members.isNull("lastError")
                ? nil : try DirectoryLoadFault(try members.object("lastError", "be an object"))
        )
    }
}

// MARK: - Values with limits

/// The maximum length of a stored handle's value in bytes.
///
/// More: longer addresses; fewer fit into the limits of an account.
private let maximumHandleBytes = 1_024
/// The maximum number of entries of Recents in one response.
///
/// More: fewer requests; more bytes in one message.
private let maximumPageLength = 1_000

private let numberRequirement = "be a telephone number as a whole number: country code and digits"

extension JSONMembers {
    /// A name to be shown to others; it may be empty.
    func shownName(_ name: String) throws(JSONMemberError) -> String {
        try required(name, "be a string of at most \(maximumNameBytes) bytes without control or invisible characters") {
            $0.isValidDisplayName ? $0 : nil
        }
    }

    /// An identifier or a name that is not empty.
    func identifier(_ name: String) throws(JSONMemberError) -> String {
        try required(name, "be a string of 1 to \(maximumNameBytes) bytes without control or invisible characters") {
            !$0.isEmpty && $0.isValidDisplayName ? $0 : nil
        }
    }

    /// A rule of the block list: a handle, a prefix of numbers, or an invitation.
    fileprivate func blockRule(
        handle: (JSONMembers) throws(JSONMemberError) -> Handle
    ) throws(JSONMemberError) -> BlockRule {
        guard isNull("link") else {
            let other = ["handle", "prefix"].first { !isNull($0) }
            if let other { throw fault("link", .invalidValue, "be left out where there is a \(other)") }
            let requirement = "be a link's identifier, as the calls of its guests have it"
            return .invitation(try required("link", requirement, from: InvitationID.init))
        }
        guard !isNull("prefix") else {
            guard contains("handle") else {
                throw fault("handle", .missing, "be a handle, {\"type\", \"value\"}, where there is no prefix")
            }
            return .handle(try handle(self))
        }
        guard isNull("handle") else { throw fault("prefix", .invalidValue, "be left out where there is a handle") }
        let requirement = "be the first 1 to 18 digits of telephone numbers, country code first, such as \"4930\""
        return .prefix(
            try required("prefix", requirement) { text in
                let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
                let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && digits.utf8.first != 0x30
                return isNumber && (1...18).contains(digits.utf8.count) ? digits : nil
            }
        )
    }

    fileprivate func storedHandle(_ name: String) throws(JSONMemberError) -> Handle {
        try required(name, as: DecodedStoredHandle.self, "be a handle, {\"type\", \"value\"}").handle
    }

    fileprivate func batch(_ name: String) throws(JSONMemberError) -> Int {
        let requirement = "be a whole number of 1 or more"
        guard let batch = try optional(name, as: Int.self, requirement) else { return 1 }
        guard (1...Int(Int32.max)).contains(batch) else { throw fault(name, .invalidValue, requirement) }
        return batch
    }

    fileprivate func numbers(_ name: String) throws(JSONMemberError) -> [Int64] {
        let numbers = try required(name, as: [Int64].self, "be an array of telephone numbers as whole numbers")
        guard numbers.allSatisfy({ phoneNumbers.contains($0) }) else {
            throw fault(name, .invalidValue, "be an array of telephone numbers: country code and digits")
        }
        return numbers
    }

    fileprivate func optionalUUIDs<Kind>(_ name: String) throws(JSONMemberError) -> [Identifier<Kind>]? {
        isNull(name) ? nil : try uuids(name)
    }
}
