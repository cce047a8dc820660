import HubAccountData
import HubEngine

// Decoding of the messages about invitations (docs/protocol.md, Invitations).

extension ClientMethod {
    func readInvitationRequest(_ params: JSONMembers) throws(JSONMemberError) -> InvitationRequest {
        switch self {
        case .invitationShow: .show(secret: try params.nonEmptyText("secret"))
        case .invitationAccept:
            .accept(secret: try params.nonEmptyText("secret"), try NewAccountRequest(params))
        case .accountRegister: .register(try NewAccountRequest(params))
        case .invitationsCreate: .create(try InvitationDraft(params))
        case .invitationsRevoke: .revoke(id: try params.nonEmptyText("id"))
        default: .list(all: try params.optionalFlag("all") ?? false, try params.page())
        }
    }
}

extension NewAccountRequest {
    fileprivate init(_ params: JSONMembers) throws(JSONMemberError) {
        self.init(
            account: try params.nonEmptyText("account"),
            password: try params.nonEmptyText("password"),
            displayName: try params.personName("displayName")
        )
    }
}

extension InvitationDraft {
    fileprivate init(_ params: JSONMembers) throws(JSONMemberError) {
        self.init(try params.keyword("kind"))
        guard kind == .account || kind == .guest else {
            let others = "an owner is invited by callhub up, a new password by admin.resetAccount"
            throw params.fault("kind", .invalidValue, "be \"account\" or \"guest\"; \(others)")
        }
        handle = try params.optionalHandle("handle")
        name = try params.personName("name")
        account = try params.optionalNonEmptyText("account")
        isAdmin = try params.optionalFlag("isAdmin") ?? false
        guestNames = try params.optionalFlag("guestNames") ?? false
        maximumCalls = try params.optionalCount("maximumCalls")
        expiresAt = try params.optionalDate("expiresAt")
        page = try params.pageAddress()
    }
}

extension String {
    /// Indicates that a text is the address of a web page, without a query or a fragment.
    public var isPageAddress: Bool {
        guard let scheme = ["https://", "http://"].first(where: hasPrefix) else { return false }
        let rest = utf8.dropFirst(scheme.utf8.count)
        let isPlain = rest.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"#?<>\\^`{|}".utf8.contains(byte)
        }
        return isPlain && utf8.count <= maximumPageAddressBytes && rest.first.map { $0 != UInt8(ascii: "/") } ?? false
    }
}

/// The maximum length of the address of a page in bytes.
///
/// More: deeper paths; a QR code of more modules, which cameras read worse.
private let maximumPageAddressBytes = 256

extension JSONMembers {
    /// The address of the hub's page as the client knows it; nil: it is absent or null.
    func pageAddress() throws(JSONMemberError) -> String? {
        try optional("page", "be the address of a page, like https://hub.example.com/") {
            $0.isPageAddress ? $0 : nil
        }
    }

    /// A name that people are shown, 1 to 256 bytes; nil: it is absent or null.
    func personName(_ name: String) throws(JSONMemberError) -> String? {
        let requirement = "be a name of 1 to \(maximumNameBytes) bytes without control or invisible characters"
        return try optional(name, requirement) { $0.isGuestName ? $0 : nil }
    }

    private func invitationID(_ name: String) throws(JSONMemberError) -> InvitationID {
        try required(name, "be an identifier", from: InvitationID.init)
    }

    fileprivate func invitation() throws(JSONMemberError) -> Invitation {
        var invitation = Invitation(
            id: try invitationID("id"),
            kind: try keyword("kind"),
            createdAt: try date("createdAt"),
            expiresAt: try date("expiresAt")
        )
        invitation.handle = try optionalHandle("handle")
        invitation.name = try optionalText("name")
        invitation.account = try optionalText("account")
        invitation.isAdmin = try optionalFlag("isAdmin") ?? false
        invitation.createdBy = try optionalText("createdBy")
        invitation.revokedAt = try optionalDate("revokedAt")
        invitation.usedAt = try optionalDate("usedAt")
        invitation.usedBy = try optionalText("usedBy")
        invitation.calls = try optional("calls", as: Int.self, "be a whole number")
        invitation.maximumCalls = try optional("maximumCalls", as: Int.self, "be a whole number")
        invitation.guestNames = try optionalFlag("guestNames") ?? false
        return invitation
    }
}

private struct DecodedInvitation: JSONDecodable {
    let invitation: Invitation

    init(_ value: JSONValue) throws(JSONMemberError) { invitation = try JSONMembers(value).invitation() }
}

extension InvitationReply {
    /// Decodes a result; nil if it is none about invitations.
    init?(_ result: JSONMembers) throws(JSONMemberError) {
        if result.contains("invitations") {
            let list = try result.required("invitations", as: [DecodedInvitation].self, "be an array")
            self = .list(
                list.map(\.invitation),
                next: try result.optionalText("next"),
                accounts: try result.optionalFlag("accounts") ?? false
            )
        } else if result.contains("invitation") {
            self = .created(try CreatedInvitation(result))
        } else if result.contains("kind") {
            var offer = InvitationOffer(try result.keyword("kind"), expiresAt: try result.date("expiresAt"))
            offer.from = try result.optionalText("from")
            offer.account = try result.optionalText("account")
            offer.handle = try result.optionalHandle("handle")
            offer.name = try result.optionalText("name")
            offer.asksName = try result.optionalFlag("asksName") ?? false
            offer.callsLeft = try result.optional("callsLeft", as: Int.self, "be a whole number")
            self = .offer(offer)
        } else if result.contains("account") {
            self = .account(try result.text("account"))
        } else {
            return nil
        }
    }
}

extension CreatedInvitation {
    fileprivate init(_ result: JSONMembers) throws(JSONMemberError) {
        self.init(
            try result.object("invitation", "be an object").invitation(),
            secret: try result.text("secret"),
            url: try result.optionalText("url")
        )
        guard !result.isNull("qr") else { return }
        let code = try result.object("qr", "be an object")
        qr = QR(
            size: try code.required("size", "be a whole number"),
            modules: try code.required("modules", "be base64", from: Base64.bytes)
        )
    }
}
