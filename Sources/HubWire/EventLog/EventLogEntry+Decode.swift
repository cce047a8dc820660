import HubEngine

extension EventLogEntry {
    /// Parses a line, given without its end.
    public init(parsing line: [UInt8]) throws(EventLogError) {
        self = try Recording.read(DecodedRecord.self, from: line).record
    }
}

/// The parsing that both kinds of lines of a recording share.
enum Recording {
    static func read<Value: JSONDecodable>(_ type: Value.Type, from line: [UInt8]) throws(EventLogError) -> Value {
        let root = try root(of: line)
        do throws(MemberError) {
            guard let value = try Value(root) else { throw MemberError(.wrongType, root, "be an object") }
            return value
        } catch {
            guard !error.path.isEmpty else {
                throw EventLogError(message: "this is \(quotedExcerpt(line[...])); it must \(error.requirement)")
            }
            throw EventLogError(message: error.sentence)
        }
    }

    private static func root(of line: [UInt8]) throws(EventLogError) -> JSONValue {
        do throws(JSONSyntaxFault) {
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

private struct DecodedRecord: JSONDecodable {
    let record: EventLogEntry

    init(_ value: JSONValue) throws(MemberError) {
        let line = try Members(value)
        let time = try line.required(
            "time",
            "be an RFC 3339 date, like 2026-11-21T07:22:01.123456789Z",
            from: RFC3339.instant
        )
        record = EventLogEntry(time: time, try Self.content(try line.word("event"), line))
    }

    private static func content(
        _ name: EventLogEntry.Name,
        _ line: Members
    ) throws(MemberError) -> EventLogEntry.Content {
        switch name {
        case .timePassed: .timePassed
        case .sessionOpened: .event(.sessionOpened(try SessionOpening(line), token: try line.token()))
        case .sessionResumed: .event(.sessionResumed(try line.session(), token: try line.token()))
        case .sessionLost: .event(.sessionLost(try line.session()))
        case .sessionClosed: .event(.sessionClosed(try line.session()))
        case .request: .event(.request(try line.session(), try line.request(), token: try line.token()))
        case .lookedUp: .event(.lookedUp(try line.lookUpToken(), try LookUpResult(line)))
        case .screened: .event(.screened(try line.screeningToken(), try line.screeningData()))
        case .endConversation: .event(.endConversation(try line.conversation(), token: try line.token()))
        case .drain:
            .event(.drain(until: try line.required("until", "be an RFC 3339 date", from: RFC3339.instant)))
        }
    }
}

extension Members {
    fileprivate func session() throws(MemberError) -> SessionID {
        try required("session", "be a session of the recording, like \"0.0\"", from: SessionID.init(text:))
    }

    fileprivate func token() throws(MemberError) -> RequestToken {
        RequestToken(rawValue: try optional("token", "be a whole number of 0 or more") ?? 0)
    }

    fileprivate func lookUpToken() throws(MemberError) -> LookUpToken {
        LookUpToken(conversation: try conversation())
    }

    fileprivate func conversation() throws(MemberError) -> ConversationID {
        try required(
            "conversation",
            "be a conversation of the recording, like \"0.0\"",
            from: ConversationID.init(text:)
        )
    }

    fileprivate func screeningToken() throws(MemberError) -> ScreeningToken {
        ScreeningToken(
            session: try session(),
            callUUID: try uuid("callUUID"),
            update: try required("update", as: DecodedUpdate.self, "be an object").update,
            request: try token()
        )
    }

    fileprivate func request() throws(MemberError) -> Request {
        let requirement = "be a method that the engine answers, like \"transaction.request\""
        let method = try required("method", requirement, from: ClientMethod.init(rawValue:))
        guard case .engine(let request) = try method.read(try object("params", "be an object")) else {
            throw fault("method", .invalidValue, requirement)
        }
        return request
    }

    fileprivate func screeningData() throws(MemberError) -> CallerScreeningData {
        let members = try object("knowledge", "be an object")
        var screeningData = CallerScreeningData()
        screeningData.isBlocked = try members.optionalFlag("isBlocked") ?? false
        screeningData.isBlockedByDirectory = try members.optionalFlag("isBlockedByDirectory") ?? false
        screeningData.doNotDisturb = try members.optionalFlag("doNotDisturb") ?? false
        screeningData.quietDevices = Set(try members.optional("quietDevices", "be an array of strings") ?? [])
        screeningData.breaksThroughDoNotDisturb = try members.optionalFlag("breaksThroughDoNotDisturb") ?? false
        screeningData.names = try members.names("names")
        return screeningData
    }

    fileprivate func names(_ name: String) throws(MemberError) -> KnownNames {
        let members = try object(name, "be an object")
        var names = KnownNames()
        names.contact = try members.optionalText("contact")
        names.directory = try members.optionalText("directory")
        return names
    }
}

extension SessionOpening {
    fileprivate init(_ line: Members) throws(MemberError) {
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
            fulfillment: try line.word("fulfillment"),
            executesTransactions: try line.optionalFlag("executesTransactions") ?? false,
            mayCall: permissions.contains(.call),
            observes: permissions.contains(.observe),
            isAfterReset: try line.optionalFlag("isAfterReset") ?? false
        )
    }
}

extension LookUpResult {
    fileprivate init(_ line: Members) throws(MemberError) {
        let name: EventLogEntry.TargetName = try line.word("target")
        switch name {
        case .account: self.init(.account(try line.text("account"), try line.screeningData()))
        case .builtIn: self.init(.builtIn(try line.word("party")))
        case .unknown: self.init(.unknown)
        }
        callerDisplayName = try line.optionalText("callerDisplayName")
        callerInvitation = try line.optionalText("callerLink").flatMap(InvitationID.init)
        calleeNames = try line.names("calleeNames")
    }
}
