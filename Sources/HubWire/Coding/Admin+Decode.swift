import HubEngine

// Decoding of the administration's messages (docs/protocol.md, Administration).

extension ClientMethod {
    func readAdminRequest(_ params: JSONMembers) throws(JSONMemberError) -> AdminRequest {
        switch self {
        case .adminDevices: .devices(try params.page())
        case .adminAccounts: .accounts(try params.page(), search: try params.search())
        case .adminHandles: .handles(try params.page(), search: try params.search())
        case .adminStatus: .status
        case .adminHistory: .history(since: try params.optionalDate("since"))
        case .adminAudit: .audit(try params.page(), since: try params.optionalDate("since"))
        case .adminVerifyAudit: .verifyAudit
        case .adminBackup: .backup
        case .adminAddAccount: .addAccount(try AdminNewAccount(params))
        case .adminResetAccount:
            .reset(
                AdminReset(
                    account: try params.nonEmptyText("account"),
                    expiresAt: try params.optionalDate("expiresAt"),
                    page: try params.pageAddress()
                )
            )
        case .adminSetDisabled, .adminSetAdmin, .adminAddHandle, .adminRemoveHandle, .adminRemoveAccount:
            .change(account: try params.nonEmptyText("account"), try readAccountChange(params))
        case .adminEndCall: .endCall(try params.conversation("conversation"))
        case .adminSignOut: .signOut(session: try params.text("session"))
        case .adminReload: .reload
        case .adminDrain: .drain(grace: try params.grace("graceSeconds"))
        default: .calls(try params.page())
        }
    }

    private func readAccountChange(_ params: JSONMembers) throws(JSONMemberError) -> AdminAccountChange {
        switch self {
        case .adminSetDisabled: .disabled(try params.flag("isDisabled"))
        case .adminSetAdmin: .admin(try params.flag("isAdmin"))
        case .adminAddHandle: .addHandle(try params.handle("handle"))
        case .adminRemoveHandle: .removeHandle(try params.handle("handle"))
        default: .remove(erases: try params.optionalFlag("erases") ?? false)
        }
    }
}

extension AdminNewAccount {
    fileprivate init(_ params: JSONMembers) throws(JSONMemberError) {
        self.init(account: try params.nonEmptyText("account"), password: try params.nonEmptyText("password"))
        name = try params.personName("name")
        department = try params.personName("department")
        let requirement = "be an array of at most \(maximumNewHandles) handles"
        handles = try params.optional("handles", as: [DecodedHandle].self, requirement)?.map(\.handle) ?? []
        guard handles.count <= maximumNewHandles else { throw params.fault("handles", .invalidValue, requirement) }
        isAdmin = try params.optionalFlag("isAdmin") ?? false
    }
}

/// The maximum number of handles in one request.
///
/// More: one request blocks the thread of the store for longer.
private let maximumNewHandles = 100

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
        } else if result.contains("owners") {
            let owners = try result.required("owners", as: [DecodedAdminHandle].self, "be an array").map(\.handle)
            self = .handles(owners, next: next)
        } else if result.contains("entries") {
            let entries = try result.required("entries", as: [DecodedAuditEntry].self, "be an array").map(\.entry)
            self = .audit(entries, next: next)
        } else if result.contains("entryCount") {
            self = .auditVerified(try AuditVerification(result))
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
        guard !members.isNull("audio") else { return }
        let audio = try members.object("audio", "be an object")
        self.audio = AdminAudio(
            received: try audio.required("received", "be a whole number"),
            lost: try audio.required("lost", "be a whole number"),
            dropped: try audio.required("dropped", "be a whole number"),
            droppedSlow: try audio.required("droppedSlow", "be a whole number"),
            jitterMicroseconds: try audio.required("jitterMicroseconds", "be a whole number")
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
            calls: try members.required("calls", "be a whole number"),
            operates: try members.optionalText("operates")
        )
    }
}

private struct DecodedAdminAccount: JSONDecodable {
    let account: AdminAccount

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        var account = AdminAccount(
            account: try members.text("account"),
            handles: try members.required("handles", as: [DecodedHandle].self, "be an array").map(\.handle),
            devices: try members.required("devices", "be a whole number")
        )
        if !members.isNull("managed") {
            let managed = try members.object("managed", "be an object")
            account.managed = AdminAccount.Managed(
                isAdmin: try managed.flag("isAdmin"),
                isDisabled: try managed.flag("isDisabled"),
                hasPassword: try managed.flag("hasPassword"),
                createdAt: try managed.date("createdAt"),
                name: try managed.optionalText("name"),
                department: try managed.optionalText("department")
            )
        }
        self.account = account
    }
}

private struct DecodedAdminHandle: JSONDecodable {
    let handle: AdminHandle

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        handle = AdminHandle(handle: try members.handle("handle"), account: try members.text("account"))
    }
}

extension JSONMembers {
    func page() throws(JSONMemberError) -> AdminPage {
        AdminPage(limit: try pageLength("limit", upTo: AdminPage.longest), after: try optionalText("after"))
    }

    /// The text that entries of a list must contain; nil: it is absent or null.
    fileprivate func search() throws(JSONMemberError) -> String? {
        let requirement = "be a text of at most \(maximumNameBytes) bytes"
        return try optional("search", requirement) { $0.utf8.count <= maximumNameBytes ? $0 : nil }
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
