import HubEngine

// Decoding of the administration's messages (docs/protocol.md, Administration).

extension ClientMethod {
    func readAdminRequest(_ params: JSONMembers) throws(JSONMemberError) -> AdminRequest {
        switch self {
        case .adminDevices: .devices(try params.page())
        case .adminAccounts: .accounts(try params.page())
        case .adminEndCall: .endCall(try params.conversation("conversation"))
        case .adminSignOut: .signOut(session: try params.text("session"))
        case .adminReload: .reload
        case .adminDrain: .drain(grace: try params.grace("graceSeconds"))
        default: .calls(try params.page())
        }
    }
}

extension AdminReply {
    /// Decodes the result of a list; nil if it is none.
    init?(_ result: JSONMembers) throws(JSONMemberError) {
        let next = try result.optionalText("next")
        if result.contains("conversations") {
            let calls = try result.required("conversations", as: [DecodedAdminCall].self, "be an array").map(\.call)
            self = .calls(calls, next: next)
        } else if result.contains("sessions") {
            let devices = try result.required("sessions", as: [DecodedAdminDevice].self, "be an array").map(\.device)
            self = .devices(devices, next: next)
        } else if result.contains("accounts") {
            let accounts = try result.required("accounts", as: [DecodedAdminAccount].self, "be an array").map(\.account)
            self = .accounts(accounts, next: next)
        } else {
            return nil
        }
    }
}

private struct DecodedAdminCall: JSONDecodable {
    let call: AdminCall

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        call = AdminCall(
            conversation: try members.conversation("conversation"),
            state: try members.required("state", "be the state of a call", from: CallSnapshot.State.init(keyword:)),
            caller: try AdminCall.Party(try members.object("caller", "be an object")),
            callee: try AdminCall.Party(try members.object("callee", "be an object")),
            startedAt: try members.optionalDate("startedAt"),
            connectedAt: try members.optionalDate("connectedAt"),
            audioPackets: try members.required("audioPackets", "be a whole number")
        )
    }
}

extension AdminCall.Party {
    fileprivate init(_ members: JSONMembers) throws(JSONMemberError) {
        self.init(
            account: try members.optionalText("account"),
            handle: try members.handle("handle"),
            devices: try members.required("devices", "be an array of strings")
        )
    }
}

private struct DecodedAdminDevice: JSONDecodable {
    let device: AdminDevice

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let named = try members.object("device", "be an object")
        device = AdminDevice(
            session: try members.text("session"),
            account: try members.text("account"),
            device: SessionOpenRequest.Device(id: try named.optionalText("id"), name: try named.optionalText("name")),
            address: try members.optionalText("address"),
            since: try members.date("since"),
            calls: try members.required("calls", "be a whole number")
        )
    }
}

private struct DecodedAdminAccount: JSONDecodable {
    let account: AdminAccount

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        account = AdminAccount(
            account: try members.text("account"),
            handles: try members.required("handles", as: [DecodedHandle].self, "be an array").map(\.handle),
            devices: try members.required("devices", "be a whole number")
        )
    }
}

extension JSONMembers {
    func page() throws(JSONMemberError) -> AdminPage {
        AdminPage(limit: try pageLength("limit", upTo: AdminPage.longest), after: try optionalText("after"))
    }

    fileprivate func conversation(_ name: String) throws(JSONMemberError) -> ConversationID {
        try required(name, "be a call as admin.calls names it, like \"3.0\"", from: ConversationID.init(text:))
    }

    fileprivate func grace(_ name: String) throws(JSONMemberError) -> Duration? {
        let requirement = "be a whole number of seconds from 0 to \(maximumGraceSeconds)"
        guard let seconds = try optional(name, as: Int.self, requirement) else { return nil }
        guard (0...maximumGraceSeconds).contains(seconds) else { throw fault(name, .invalidValue, requirement) }
        return .seconds(seconds)
    }
}

/// The longest time for which a hub can be asked to wait for its calls, in seconds: a day.
///
/// Longer: longer calls may end on their own; a mistyped number keeps the hub from stopping.
private let maximumGraceSeconds = 86_400
