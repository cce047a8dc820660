import HubEngine

extension EventRecord {
    /// Parses a line, given without its end.
    public init(parsing line: [UInt8]) throws(RecordingFault) {
        self = try Recording.read(ReadRecord.self, from: line).record
    }
}

/// The parsing that both kinds of lines of a recording share.
enum Recording {
    static func read<Value: JSONReadable>(_ type: Value.Type, from line: [UInt8]) throws(RecordingFault) -> Value {
        let root = try root(of: line)
        do throws(MemberFault) {
            guard let value = try Value(root) else { throw MemberFault(.wrongType, root, "be an object") }
            return value
        } catch {
            guard !error.path.isEmpty else {
                throw RecordingFault(message: "this is \(bounded(line[...])); it must \(error.requirement)")
            }
            throw RecordingFault(message: error.sentence)
        }
    }

    private static func root(of line: [UInt8]) throws(RecordingFault) -> JSONValue {
        do throws(JSONSyntaxFault) {
            return try JSONDocument(line).root
        } catch {
            switch error {
            case .unexpected(let position, let expected):
                let place = position < line.count ? "at byte \(position)" : "at its end"
                throw RecordingFault(message: "this is not JSON: \(place) there must be \(expected)")
            case .wrong(let position, let sentence):
                throw RecordingFault(message: "this is not JSON: at byte \(position): \(sentence)")
            case .tooDeep:
                throw RecordingFault(message: "this nests deeper than any event does")
            }
        }
    }
}

private struct ReadRecord: JSONReadable {
    let record: EventRecord

    init(_ value: JSONValue) throws(MemberFault) {
        let line = try Members(value)
        let time = try line.required(
            "time",
            "be an RFC 3339 date, like 2026-11-21T07:22:01.123456789Z",
            from: RFC3339.instant
        )
        record = EventRecord(time: time, try Self.content(try line.word("event"), line))
    }

    private static func content(
        _ name: EventRecord.Name,
        _ line: Members
    ) throws(MemberFault) -> EventRecord.Content {
        switch name {
        case .timePassed: .timePassed
        case .sessionOpened: .event(.sessionOpened(try SessionOpening(line), token: try line.token()))
        case .sessionResumed: .event(.sessionResumed(try line.session(), token: try line.token()))
        case .sessionLost: .event(.sessionLost(try line.session()))
        case .sessionClosed: .event(.sessionClosed(try line.session()))
        case .request: .event(.request(try line.session(), try line.request(), token: try line.token()))
        case .lookedUp: .event(.lookedUp(try line.lookUpToken(), try LookUpResult(line)))
        case .screened: .event(.screened(try line.screeningToken(), try line.knowledge()))
        case .endConversation: .event(.endConversation(try line.conversation(), token: try line.token()))
        case .drain:
            .event(.drain(until: try line.required("until", "be an RFC 3339 date", from: RFC3339.instant)))
        }
    }
}

extension Members {
    fileprivate func session() throws(MemberFault) -> SessionID {
        try required("session", "be a session of the recording, like \"0.0\"", from: SessionID.init(text:))
    }

    fileprivate func token() throws(MemberFault) -> RequestToken {
        RequestToken(rawValue: try optional("token", "be a whole number of 0 or more") ?? 0)
    }

    fileprivate func lookUpToken() throws(MemberFault) -> LookUpToken {
        LookUpToken(conversation: try conversation())
    }

    fileprivate func conversation() throws(MemberFault) -> ConversationID {
        try required(
            "conversation",
            "be a conversation of the recording, like \"0.0\"",
            from: ConversationID.init(text:)
        )
    }

    fileprivate func screeningToken() throws(MemberFault) -> ScreeningToken {
        ScreeningToken(
            session: try session(),
            callUUID: try uuid("callUUID"),
            update: try required("update", as: ReadUpdate.self, "be an object").update,
            request: try token()
        )
    }

    fileprivate func request() throws(MemberFault) -> Request {
        let requirement = "be a method that the engine answers, like \"transaction.request\""
        let method = try required("method", requirement, from: ClientMethod.init(rawValue:))
        guard case .engine(let request) = try method.read(try object("params", "be an object")) else {
            throw fault("method", .senseless, requirement)
        }
        return request
    }

    fileprivate func knowledge() throws(MemberFault) -> CallerKnowledge {
        let members = try object("knowledge", "be an object")
        var knowledge = CallerKnowledge()
        knowledge.isBlocked = try members.optionalFlag("isBlocked") ?? false
        knowledge.isBlockedByDirectory = try members.optionalFlag("isBlockedByDirectory") ?? false
        knowledge.doNotDisturb = try members.optionalFlag("doNotDisturb") ?? false
        knowledge.quietDevices = Set(try members.optional("quietDevices", "be an array of strings") ?? [])
        knowledge.breaksThroughDoNotDisturb = try members.optionalFlag("breaksThroughDoNotDisturb") ?? false
        knowledge.names = try members.names("names")
        return knowledge
    }

    fileprivate func names(_ name: String) throws(MemberFault) -> KnownNames {
        let members = try object(name, "be an object")
        var names = KnownNames()
        names.contact = try members.optionalText("contact")
        names.directory = try members.optionalText("directory")
        return names
    }
}

extension SessionOpening {
    fileprivate init(_ line: Members) throws(MemberFault) {
        let device = try line.object("device", "be an object")
        let permissions = try line.required("permissions", as: [ReadPermission].self, "be an array").map(\.permission)
        self.init(
            account: try line.text("account"),
            handles: try line.required("handles", as: [ReadHandle].self, "be an array").map(\.handle),
            deviceID: try device.text("id"),
            deviceName: try device.optionalText("name"),
            provider: try line.required("provider", as: ReadProvider.self, "be an object").configuration,
            fulfillment: try line.word("fulfillment"),
            executesTransactions: try line.optionalFlag("executesTransactions") ?? false,
            mayCall: permissions.contains(.call),
            observes: permissions.contains(.observe),
            isAfterReset: try line.optionalFlag("isAfterReset") ?? false
        )
    }
}

extension LookUpResult {
    fileprivate init(_ line: Members) throws(MemberFault) {
        let name: EventRecord.TargetName = try line.word("target")
        switch name {
        case .account: self.init(.account(try line.text("account"), try line.knowledge()))
        case .builtIn: self.init(.builtIn(try line.word("party")))
        case .unknown: self.init(.unknown)
        }
        callerDisplayName = try line.optionalText("callerDisplayName")
        callerLink = try line.optionalText("callerLink").flatMap(CallLinkID.init)
        calleeNames = try line.names("calleeNames")
    }
}
