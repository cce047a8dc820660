public import HubEngine
public import HubWire

/// An invitation in the store, without its token or secret, which would let others use it.
public struct StoredInvitation: Hashable, Sendable {
    /// The purpose of an invitation.
    public enum Purpose: Hashable, Sendable {
        /// Calls of guests to one handle.
        case calls(GuestCalls)
        /// An account of one's own.
        case account(NewAccountOffer)
        /// A new password of an account that exists.
        case reset(PasswordReset)
    }

    /// The calls that an invitation's guests may make.
    public struct GuestCalls: Hashable, Sendable {
        /// The handle that its guests may call; nil: unknown for an invitation from before invitations were stored, or
        /// erased.
        public var callee: Handle?
        /// The name that the callee is shown for the guest; nil: none.
        public var name: String?
        /// True if the callee is shown the name that each guest gives.
        public var guestsGiveNames = false
        /// The maximum number of calls of all its guests together; nil: no limit.
        public var maximumCalls: Int?
        /// The number of calls that its guests have begun; 0 for those by a token, which are not counted.
        public var calls = 0

        /// Creates the right to call a handle.
        public init(
            to callee: Handle?,
            name: String? = nil,
            guestsGiveNames: Bool = false,
            maximumCalls: Int? = nil
        ) {
            self.callee = callee
            self.name = name
            self.guestsGiveNames = guestsGiveNames
            self.maximumCalls = maximumCalls
        }
    }

    /// The account that an invitation lets its receiver create, once.
    public struct NewAccountOffer: Hashable, Sendable {
        /// The rights of the account.
        public enum Role: Int64, Hashable, Sendable {
            /// Those of any user.
            case user = 1
            /// Those of an administrator.
            case administrator = 2
            /// Those of the first administrator of a hub that has no accounts.
            case owner = 3
        }

        /// The account's rights.
        public var role: Role
        /// The name of the account: a suggestion until it is created, then its own; nil: none.
        public var account: String?
        /// The name of the invited person; nil: none.
        public var name: String?
        /// The time at which the account was created; nil: it was not.
        public var usedAt: Instant?

        /// Creates the offer of an account.
        public init(role: Role, account: String? = nil, name: String? = nil) {
            self.role = role
            self.account = account
            self.name = name
        }
    }

    /// The account whose user may choose a new password by an invitation, once.
    public struct PasswordReset: Hashable, Sendable {
        /// The name of the account; nil: it was erased.
        public var account: String?
        /// The time at which the password was chosen; nil: it was not.
        public var usedAt: Instant?

        /// Creates the right to choose a new password.
        public init(of account: String?) { self.account = account }
    }

    /// The invitation's identifier.
    public var id: InvitationID
    /// The purpose.
    public var purpose: Purpose
    /// The name of the account that has created it; nil: an operator, at the command line.
    public var createdBy: String?
    /// The time at which it was created, or revoked if nothing else is known of it.
    public var createdAt: Instant
    /// The time at which it expires; its row may be removed then.
    public var expiresAt: Instant
    /// The time at which it was revoked; nil: it was not.
    public var revokedAt: Instant?

    /// Creates an invitation.
    public init(
        id: InvitationID,
        for purpose: Purpose,
        createdBy: String? = nil,
        createdAt: Instant,
        expiresAt: Instant,
        revokedAt: Instant? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    /// True if a secret opens it, false if a token does.
    public var hasSecret = false

    /// The account that it offers; nil: it is for calls.
    public var offer: NewAccountOffer? { if case .account(let offer) = purpose { offer } else { nil } }

    /// The calls of its guests; nil: it is for an account.
    public var guestCalls: GuestCalls? { if case .calls(let calls) = purpose { calls } else { nil } }

    /// The account whose password it replaces; nil: it is for something else.
    public var reset: PasswordReset? { if case .reset(let reset) = purpose { reset } else { nil } }

    /// Returns the reason for which it cannot be used.
    ///
    /// - Parameter now: The time.
    /// - Returns: The reason; nil: it can be used.
    public func fault(at now: Instant) -> InvitationFault? {
        if revokedAt != nil { return .revoked }
        switch purpose {
        case .account(let offer) where offer.usedAt != nil: return .used
        // The callee was erased.
        case .calls(let calls) where calls.callee == nil: return .revoked
        case .calls(let calls) where calls.calls >= calls.maximumCalls ?? .max: return .used
        case .reset(let reset) where reset.account == nil: return .revoked
        case .reset(let reset) where reset.usedAt != nil: return .used
        case .account, .calls, .reset: return expiresAt > now ? nil : .expired
        }
    }
}
