import HubEngine

extension EventLogEntry {
    /// Parses a line, given without its end.
    public init(parsing line: [UInt8]) throws(EventLogError) {
        self = try EventLogLine.read(DecodedEntry.self, from: line).entry
    }
}

/// The parsing that both kinds of lines of an event log share.
enum EventLogLine {
    static func read<Value: JSONDecodable>(_ type: Value.Type, from line: [UInt8]) throws(EventLogError) -> Value {
        let root = try root(of: line)
        do throws(JSONMemberError) {
            guard let value = try Value(root) else { throw JSONMemberError(.wrongType, root, "be an object") }
            return value
        } catch {
            guard !error.path.isEmpty else {
                throw EventLogError(message: "this is \(quotedExcerpt(line[...])); it must \(error.requirement)")
            }
            throw EventLogError(message: error.sentence)
        }
    }

    private static func root(of line: [UInt8]) throws(EventLogError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONDocument(line).root
        } catch {
            switch error {
            case .unexpected(let position, let expected):
                let place = position < line.count ? "at byte \(position)" : "at its end"
                throw EventLogError(message: "this is not JSON: \(place) there must be \(expected)")
            case .wrong(let position, let sentence):
                throw EventLogError(message: "this is not JSON: at byte \(position): \(sentence)")
            case .tooDeep:
                throw EventLogError(message: "this nests deeper than any event does")
            }
        }
    }
}

private struct DecodedEntry: JSONDecodable {
    let entry: EventLogEntry

    init(_ value: JSONValue) throws(JSONMemberError) {
        let line = try JSONMembers(value)
        let time = try line.required(
            "time",
            "be an RFC 3339 date, like 2026-11-21T07:22:01.123456789Z",
            from: RFC3339.instant
        )
        entry = EventLogEntry(time: time, try Self.content(try line.keyword("event"), line))
    }

    private static func content(
        _ name: EventLogEntry.Name,
        _ line: JSONMembers
    ) throws(JSONMemberError) -> EventLogEntry.Content {
        switch name {
        case .timePassed: .timePassed
        case .sessionOpened: .event(.sessionOpened(try SessionOpening(line), token: try line.token()))
        case .sessionResumed: .event(.sessionResumed(try line.session(), token: try line.token()))
        case .sessionLost: .event(.sessionLost(try line.session()))
        case .sessionClosed: .event(.sessionClosed(try line.session()))
        case .request: .event(.request(try line.session(), try line.request(), token: try line.token()))
        case .lookedUp: .event(.lookedUp(try line.lookUpToken(), try LookUpResult(line)))
        case .screened: .event(.screened(try line.screeningToken(), try line.screeningData()))
        case .groupNaming:
            .event(.groupNaming(account: try line.text("account"), isNamed: try line.flag("isNamedInGroups")))
        case .holdAudio: .event(.holdAudio(account: try line.text("account"), try line.keyword("holdAudio")))
        case .endConversation: .event(.endConversation(try line.conversation(), token: try line.token()))
        case .drain:
            .event(.drain(until: try line.required("until", "be an RFC 3339 date", from: RFC3339.instant)))
        }
    }
}

extension JSONMembers {
    fileprivate func session() throws(JSONMemberError) -> SessionID {
        try required("session", "be a session of the event log, like \"0.0\"", from: SessionID.init(text:))
    }

    fileprivate func token() throws(JSONMemberError) -> RequestToken {
        RequestToken(rawValue: try optional("token", "be a whole number of 0 or more") ?? 0)
    }

    fileprivate func lookUpToken() throws(JSONMemberError) -> LookUpToken {
        guard contains("transfer") else { return LookUpToken(conversation: try conversation()) }
        return LookUpToken(
            transfer: TransferToken(
                session: try session(),
                action: try required("transfer", as: DecodedAction.self, "be an action").action,
                request: try token(),
                conversation: try conversation(),
                joined: contains("joined") ? try conversation("joined") : nil
            )
        )
    }

    fileprivate func conversation(_ name: String = "conversation") throws(JSONMemberError) -> ConversationID {
        try required(
            name,
            "be a conversation of the event log, like \"0.0\"",
            from: ConversationID.init(text:)
        )
    }

    fileprivate func screeningToken() throws(JSONMemberError) -> ScreeningToken {
        ScreeningToken(
            session: try session(),
            callUUID: try uuid("callUUID"),
            update: try required("update", as: DecodedUpdate.self, "be an object").update,
            request: try token()
        )
    }

    fileprivate func request() throws(JSONMemberError) -> Request {
        let requirement = "be a method that the engine answers, like \"transaction.request\""
        let method = try required("method", requirement, from: ClientMethod.init(rawValue:))
        guard case .engine(let request) = try method.read(try object("params", "be an object")) else {
            throw fault("method", .invalidValue, requirement)
        }
        return request
    }

    fileprivate func screeningData() throws(JSONMemberError) -> CallerScreeningData {
        let members = try object("knowledge", "be an object")
        var screeningData = CallerScreeningData()
        screeningData.isBlocked = try members.optionalFlag("isBlocked") ?? false
        screeningData.isBlockedByDirectory = try members.optionalFlag("isBlockedByDirectory") ?? false
        screeningData.doNotDisturb = try members.optionalFlag("doNotDisturb") ?? false
        screeningData.quietDevices = Set(try members.optional("quietDevices", "be an array of strings") ?? [])
        screeningData.breaksThroughDoNotDisturb = try members.optionalFlag("breaksThroughDoNotDisturb") ?? false
        screeningData.refusesTransfers = try members.optionalFlag("refusesTransfers") ?? false
        screeningData.names = try members.names("names")
        return screeningData
    }

    fileprivate func names(_ name: String) throws(JSONMemberError) -> KnownNames {
        let members = try object(name, "be an object")
        var names = KnownNames()
        names.contact = try members.optionalText("contact")
        names.directory = try members.optionalText("directory")
        names.directoryTitle = try members.optionalText("directoryTitle")
        return names
    }
}

extension SessionOpening {
    fileprivate init(_ line: JSONMembers) throws(JSONMemberError) {
        let device = try line.object("device", "be an object")
        let permissions = try line.required("permissions", as: [DecodedPermission].self, "be an array").map(
            \.permission
        )
        self.init(
            account: try line.text("account"),
            handles: try line.required("handles", as: [DecodedHandle].self, "be an array").map(\.handle),
            deviceID: try device.text("id"),
            deviceName: try device.optionalText("name"),
            provider: try line.required("provider", as: DecodedProvider.self, "be an object").configuration,
            fulfillment: try line.keyword("fulfillment"),
            executesTransactions: try line.optionalFlag("executesTransactions") ?? false,
            mayCall: permissions.contains(.call),
            observes: permissions.contains(.observe),
            isAfterReset: try line.optionalFlag("isAfterReset") ?? false,
            isNamedInGroups: try line.optionalFlag("isNamedInGroups") ?? true,
            holdAudio: try line.optionalWord("holdAudio") ?? .silence,
            machine: try device.optionalText("focus"),
            operatedDevice: try line.optionalText("operates"),
            isGuest: try line.optionalFlag("isGuest") ?? false
        )
    }
}

extension LookUpResult {
    fileprivate init(_ line: JSONMembers) throws(JSONMemberError) {
        let name: EventLogEntry.TargetName = try line.keyword("target")
        switch name {
        case .account: self.init(.account(try line.text("account"), try line.screeningData()))
        case .builtIn: self.init(.builtIn(try line.keyword("party")))
        case .unknown: self.init(.unknown)
        }
        callerDisplayName = try line.optionalText("callerDisplayName")
        callerGuestName = try line.optionalText("callerGuestName")
        callerInvitation = try line.optionalText("callerLink").flatMap(InvitationID.init)
        // Logs of former hubs have the name of the time before strangers could be refused.
        let formerly = try line.optionalFlag("isCalleeBlocked")
        isCalleeRefused = try line.optionalFlag("isCalleeRefused") ?? formerly ?? false
        calleeNames = try line.names("calleeNames")
    }
}
