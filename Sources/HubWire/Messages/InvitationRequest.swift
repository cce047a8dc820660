public import HubEngine

/// A request about invitations, or for an account of one's own (docs/protocol.md, Invitations).
///
/// The server handles it, not the engine.
public enum InvitationRequest: Hashable, Sendable {
    /// `invitation.show`, before the sign-in.
    case show(secret: String)
    /// `invitation.accept`, before the sign-in.
    case accept(secret: String, NewAccountRequest)
    /// `account.register`, before the sign-in.
    case register(NewAccountRequest)
    /// `invitations.create`.
    case create(InvitationDraft)
    /// `invitations.list`; `all`: those of all accounts, for an administrator.
    case list(all: Bool, AdminPage)
    /// `invitations.revoke`.
    case revoke(id: String)

    /// Indicates that the request is of a client that has not signed in.
    public var isBeforeSignIn: Bool {
        switch self {
        case .show, .accept, .register: true
        case .create, .list, .revoke: false
        }
    }
}

/// An account that a client asks for.
public struct NewAccountRequest: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The password, which the hub checks.
    public var password: String
    /// The name that others are shown; nil: none.
    public var displayName: String?

    /// Creates a request.
    public init(account: String, password: String, displayName: String? = nil) {
        self.account = account
        self.password = password
        self.displayName = displayName
    }
}

/// The kind of an invitation.
public enum InvitationKind: String, Hashable, Sendable, CaseIterable {
    /// An account.
    case account
    /// The account of the hub's owner, the first administrator.
    case owner
    /// Calls to one handle, without an account.
    case guest
    /// A new password of an account that exists.
    case reset
}

/// The properties of an invitation to be created.
public struct InvitationDraft: Hashable, Sendable {
    /// The kind, which is not `owner`.
    public var kind: InvitationKind
    /// The handle that guests may call; nil: the first of the requesting account.
    public var handle: Handle?
    /// The name of a guest, as callees are shown it, or of the person invited to an account.
    public var name: String?
    /// The suggested name of an account.
    public var account: String?
    /// True for an account with the right to administer the hub.
    public var isAdmin = false
    /// True to show callees the name that each guest gives.
    public var guestNames = false
    /// The maximum number of calls of all guests together, 1 to 1,000; nil: no limit.
    public var maximumCalls: Int?
    /// The expiry; nil: the hub's default.
    public var expiresAt: Instant?
    /// The address of the hub's page, where the link leads; nil: the hub's own setting.
    public var page: String?

    /// Creates a draft.
    public init(_ kind: InvitationKind) { self.kind = kind }
}

/// An invitation in a list, without its secret.
public struct Invitation: Hashable, Sendable {
    /// The identifier, for `invitations.revoke`.
    public var id: InvitationID
    /// The kind.
    public var kind: InvitationKind
    /// The handle that guests may call; nil: it is for an account, or the callee was erased.
    public var handle: Handle?
    /// The name of the guest or the invited person.
    public var name: String?
    /// The suggested name of the account.
    public var account: String?
    /// True for an account with the right to administer the hub.
    public var isAdmin = false
    /// The account that created it; nil: an operator.
    public var createdBy: String?
    /// The time of its creation.
    public var createdAt: Instant
    /// The time at which it expires.
    public var expiresAt: Instant
    /// The time at which it was revoked; nil: it was not.
    public var revokedAt: Instant?
    /// The time at which its account was created; nil: it was not.
    public var usedAt: Instant?
    /// The account that was created by it.
    public var usedBy: String?
    /// The number of calls that its guests have begun; nil: it is for an account.
    public var calls: Int?
    /// The maximum number of these calls; nil: no limit.
    public var maximumCalls: Int?
    /// True if callees are shown the name that each guest gives.
    public var guestNames = false

    /// Creates an invitation.
    public init(id: InvitationID, kind: InvitationKind, createdAt: Instant, expiresAt: Instant) {
        self.id = id
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// An invitation as its receiver is shown it.
public struct InvitationOffer: Hashable, Sendable {
    /// The kind.
    public var kind: InvitationKind
    /// The name of the user who invites; nil: an operator.
    public var from: String?
    /// The suggested name of the account.
    public var account: String?
    /// The handle that the guest may call.
    public var handle: Handle?
    /// The name of the guest or the invited person.
    public var name: String?
    /// True if the guest is to give a name.
    public var asksName = false
    /// The time at which the invitation expires.
    public var expiresAt: Instant
    /// The number of calls that are left; nil: no limit.
    public var callsLeft: Int?

    /// Creates an offer.
    public init(_ kind: InvitationKind, expiresAt: Instant) {
        self.kind = kind
        self.expiresAt = expiresAt
    }
}

/// The result of `invitations.create`: the invitation with its secret, which is shown once.
public struct CreatedInvitation: Hashable, Sendable {
    /// A QR code of the link.
    public struct QR: Hashable, Sendable {
        /// The number of modules of a side.
        public var size: Int
        /// The modules as bits, row by row without padding, the first one in the highest bit; 1: dark.
        public var modules: [UInt8]

        /// Creates a code.
        public init(size: Int, modules: [UInt8]) {
            self.size = size
            self.modules = modules
        }
    }

    /// The invitation.
    public var invitation: Invitation
    /// The secret.
    public var secret: String
    /// The link; nil: the hub does not know the address of its page.
    public var url: String?
    /// The link as a QR code.
    public var qr: QR?

    /// Creates a result.
    public init(_ invitation: Invitation, secret: String, url: String? = nil, qr: QR? = nil) {
        self.invitation = invitation
        self.secret = secret
        self.url = url
        self.qr = qr
    }
}

/// The result of a request about invitations.
public enum InvitationReply: Hashable, Sendable {
    /// The result of `invitation.show`.
    case offer(InvitationOffer)
    /// The result of `invitation.accept` and `account.register`: the account's name.
    case account(String)
    /// The result of `invitations.create`.
    indirect case created(CreatedInvitation)
    /// The result of `invitations.list`; `next` is the start of the next page, nil: it was the last.
    ///
    /// `accounts` is true if the account may invite others to an account.
    case list([Invitation], next: String? = nil, accounts: Bool = false)
}
