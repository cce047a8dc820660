import HubEngine

extension ClientMethod {
    /// Decodes the parameters of this method; `t` of `session.ping` is kept as JSON text.
    func read(_ params: JSONMembers) throws(JSONMemberError) -> ClientRequest {
        switch self {
        case .sessionOpen: .open(try SessionOpenRequest(params))
        case .sessionClose: .close
        case .sessionPing: .ping(params.text(of: "t"))
        case .sessionRefresh: .refresh(token: try params.nonEmptyText("token"))
        case .transactionRequest: .engine(.transaction(try readActions(params)))
        case .actionFulfill, .actionFail, .providerExecuted, .providerConfigure, .providerInvalidate,
            .providerReportNewIncomingCall, .providerReportCall, .providerReportCallEnded,
            .providerReportOutgoingCall, .providerPending, .observerCalls:
            .engine(try readRequest(params))
        case .settingsGet, .settingsSet, .blockList, .blockAdd, .blockRemove, .contactsList, .contactsPut,
            .contactsRemove, .contactsPhoto, .recentsList, .recentsMarkSeen, .recentsRemove, .directoryLoad,
            .directorySetEnabled, .directoryReload, .directoryStatus, .accountErase:
            .accountData(try readAccountDataRequest(params))
        case .accountDevices: .account(.devices(try params.page()))
        case .accountSignOut:
            .account(
                try params.optionalFlag("others") == true
                    ? .signOutOthers : .signOut(session: try params.text("session"))
            )
        case .accountSetPassword:
            .account(
                .setPassword(
                    current: try params.nonEmptyText("current"),
                    new: try params.nonEmptyText("new"),
                    keepsDevices: try params.optionalFlag("keepsDevices") ?? false
                )
            )
        case .pushKey, .pushSubscribe, .pushUnsubscribe: .push(try readPushRequest(params))
        case .peopleList, .peopleSubscribe, .peoplePhoto, .presenceSet: .people(try readPeopleRequest(params))
        case .providerSetAppearance, .providerList, .providerMedia:
            .appearance(try readAppearanceRequest(params))
        case .adminCalls, .adminDevices, .adminAccounts, .adminEndCall, .adminSignOut, .adminReload, .adminDrain,
            .adminStatus, .adminHistory, .adminHandles, .adminAddAccount, .adminSetDisabled, .adminSetAdmin,
            .adminAddHandle, .adminRemoveHandle, .adminRemoveAccount, .adminResetAccount, .adminBackup, .adminAudit,
            .adminVerifyAudit:
            .admin(try readAdminRequest(params))
        case .invitationShow, .invitationAccept, .accountRegister, .invitationsCreate, .invitationsList,
            .invitationsRevoke:
            .invitation(try readInvitationRequest(params))
        case .passkeyChallenge, .passkeysConfirm, .passkeysCreate, .passkeysAdd, .passkeysList, .passkeysRename,
            .passkeysRemove:
            .passkey(try readPasskeyRequest(params))
        }
    }

    private func readActions(_ params: JSONMembers) throws(JSONMemberError) -> [ActionRequest] {
        try params.required("actions", as: [DecodedAction].self, "be an array of actions").map(\.action)
    }

    private func readRequest(_ params: JSONMembers) throws(JSONMemberError) -> Request {
        switch self {
        case .actionFulfill:
            .fulfill(
                try params.uuid("action"),
                date: try params.optionalDate("date"),
                using: try params.optionalWord("translationEngine")
            )
        case .actionFail:
            .fail(try params.uuid("action"))
        case .providerExecuted:
            .executed(try params.uuid("transaction"), handled: try params.flag("handled"))
        case .providerConfigure:
            .configure(
                try params.required("provider", as: DecodedProvider.self, "be an object").configuration,
                executesTransactions: try params.optionalFlag("executesTransactions")
            )
        case .providerInvalidate:
            .invalidate
        case .providerReportNewIncomingCall:
            .reportNewIncomingCall(try params.uuid("callUUID"), try params.update())
        case .providerReportCall:
            .reportCall(try params.uuid("callUUID"), try params.update())
        case .providerReportCallEnded:
            .reportCallEnded(
                try params.uuid("callUUID"),
                try params.keyword("reason"),
                date: try params.optionalDate("date")
            )
        case .providerReportOutgoingCall:
            .reportOutgoingCall(
                try params.uuid("callUUID"),
                try params.keyword("event"),
                date: try params.optionalDate("date")
            )
        case .providerPending:
            .pending(type: try params.optionalWord("type"), callUUID: try params.optionalUUID("callUUID"))
        default:
            .calls
        }
    }
}

extension JSONMembers {
    fileprivate func update() throws(JSONMemberError) -> CallUpdate {
        try required("update", as: DecodedUpdate.self, "be an object").update
    }
}

extension SessionOpenRequest {
    fileprivate init(_ params: JSONMembers) throws(JSONMemberError) {
        self.init(account: try params.optionalNonEmptyText("account"))
        password = try params.optionalText("password")
        token = try params.optionalNonEmptyText("token")
        invitation = try params.optionalNonEmptyText("invitation")
        openID = try params.optional("openID", as: DecodedOpenIDProof.self, "be an object")?.proof
        passkey = try params.optional("passkey", as: DecodedPasskeyAssertion.self, "be an object")?.assertion
        guestName = try params.optional(
            "guestName",
            "be a name of 1 to \(maximumNameBytes) bytes without control or invisible characters",
            orElse: .wrongType
        ) { $0.isGuestName ? $0 : nil }
        if let read = try params.optional("device", as: DecodedDevice.self, "be an object") { device = read.device }
        if let read = try params.optional("provider", as: DecodedProvider.self, "be an object") {
            provider = read.configuration
        }
        operates = try params.deviceText("operates")
        fulfillment = try params.optionalWord("fulfillment", orElse: .wrongType) ?? fulfillment
        executesTransactions = try params.optionalFlag("executesTransactions") ?? executesTransactions
        reportsDroppedPackets = try params.optionalFlag("reportsDroppedPackets") ?? reportsDroppedPackets
        if let read = try params.optional("permissions", as: [DecodedPermission].self, "be an array") {
            permissions = Permission.allCases.filter { read.map(\.permission).contains($0) }
        }
        if let read = try params.optional("optionalPermissions", as: [DecodedPermission].self, "be an array") {
            optionalPermissions = Permission.allCases.filter { read.map(\.permission).contains($0) }
        }
        if let read = try params.optional("audio", as: DecodedAudio.self, "be an object") {
            audioDelivery = read.delivery
        }
        client = try params.optional("client", as: DecodedProgram.self, "be an object")?.program
        resume = try params.optional("resume", as: DecodedResume.self, "be an object")?.resume
        let operatesAnother = (permissions + optionalPermissions).contains(.operate)
        guard resume != nil || (operates != nil) == operatesAnother else {
            let requirement =
                "be the id of a device of the account with the permission \"operate\", and absent without it"
            throw params.fault("operates", operatesAnother ? .missing : .wrongType, requirement)
        }
        guard operates == nil || operates != device.id else {
            throw params.fault("operates", .wrongType, "be another device's id than device.id")
        }
    }
}

extension JSONMembers {
    /// An identifier of a device or machine; nil: it is absent or null.
    fileprivate func deviceText(_ name: String) throws(JSONMemberError) -> String? {
        let requirement = "be a string of 1 to \(maximumNameBytes) bytes without control or invisible characters"
        return try optional(name, requirement, orElse: .wrongType) {
            !$0.isEmpty && $0.isValidDisplayName ? $0 : nil
        }
    }
}

private struct DecodedOpenIDProof: JSONDecodable {
    let proof: SessionOpenRequest.OpenIDProof

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        if let token = try members.optionalNonEmptyText("token") {
            proof = .token(token)
        } else {
            proof = .code(try members.nonEmptyText("code"), verifier: try members.nonEmptyText("verifier"))
        }
    }
}

private struct DecodedDevice: JSONDecodable {
    let device: SessionOpenRequest.Device

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let requirement = "bytes without control or invisible characters"
        device = SessionOpenRequest.Device(
            id: try members.deviceText("id"),
            name: try members.optional(
                "name",
                "be a string of at most \(maximumNameBytes) \(requirement)",
                orElse: .wrongType
            ) { $0.isValidDisplayName ? $0 : nil },
            focus: try members.deviceText("focus")
        )
    }
}

private struct DecodedAudio: JSONDecodable {
    let delivery: AudioDelivery

    init(_ value: JSONValue) throws(JSONMemberError) {
        delivery = try JSONMembers(value).optionalWord("delivery", orElse: .wrongType) ?? .streams
    }
}

struct DecodedPermission: JSONDecodable {
    let permission: Permission

    init(_ value: JSONValue) throws(JSONMemberError) {
        guard let permission = try String(value).flatMap(Permission.init(keyword:)) else {
            throw JSONMemberError(.wrongType, value, "be \(Permission.keywords)")
        }
        self.permission = permission
    }
}

private struct DecodedProgram: JSONDecodable {
    let program: SessionOpenRequest.Program

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        program = SessionOpenRequest.Program(
            name: try members.text("name"),
            version: try members.optionalText("version")
        )
    }
}

private struct DecodedResume: JSONDecodable {
    let resume: SessionOpenRequest.Resume

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        resume = SessionOpenRequest.Resume(
            session: try members.text("session"),
            token: try members.text("token"),
            seq: try members.required("seq", "be a whole number of 0 or more")
        )
    }
}
