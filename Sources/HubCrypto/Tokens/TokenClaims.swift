public import FoundationEssentials

/// The claims of a token about its bearer.
///
/// As JSON, in the token's payload (RFC 7519), beside `iss`, `aud`, `iat` and `nbf`, which ``TokenPolicy`` is for:
///
/// - `sub`, required: the account.
/// - `exp`, required: the expiry of the token, in seconds since 1970.
/// - `name`: the display name of the account.
/// - `department`: its department in the directory of the house; ignored unless it is a text.
/// - `handles`: its addresses, `[{"type": "phoneNumber", "value": "+49 30 1234"}]`; the types are `generic`,
///   `phoneNumber` and `emailAddress`.
/// - `callhub`: its permissions, an array of `"call"`, `"observe"`, `"record"`, `"operate"` and `"admin"`. Without it
///   the words of `scope` that begin with `callhub:` take its place (`"openid callhub:call callhub:observe"`; RFC 8693
///   section 4.2), for issuers that have only that. Without either the permission is `"call"`. An unknown permission is
///   rejected, since it may be a misspelt one.
/// - `callee`: `{"type", "value"}`: the only handle that the bearer may call, for invitations of guests.
/// - `jti`: the ID of the token.
/// - `guestNames`: true if each guest of an invitation gives a name of their own.
public struct TokenClaims: Hashable, Sendable {
    /// A permission of the bearer.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        /// Place and receive calls.
        case call
        /// Receive notifications of the calls on the account's other devices.
        case observe
        /// Receive copies of the notifications to the account's other devices, to record a scenario; no audio.
        case record
        /// See and operate the calls of another device of the account.
        case operate
        /// Administer the hub.
        case admin
    }

    /// A handle of a user: an address that can be called.
    public struct Handle: Hashable, Sendable {
        /// The type of a handle, with the names of the protocol.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A name that is specific to the hub.
            case generic
            /// A telephone number.
            case phoneNumber
            /// An e-mail address.
            case emailAddress
        }

        /// The type of the address.
        public var type: Kind
        /// The address; never empty in a token that was verified.
        public var value: String

        /// Creates a handle from a type and a value.
        public init(type: Kind, value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The account of the bearer (`sub`).
    public var account: String
    /// The display name of the account, if the issuer provides one.
    public var name: String?
    /// The department of the account's user, if the issuer provides one.
    public var department: String?
    /// The handles of the account, if the issuer provides any.
    public var handles: [Handle]
    /// The permissions of the bearer.
    public var permissions: Set<Permission>
    /// The only handle that the bearer may call; nil: no restriction.
    public var callee: Handle?
    /// The time at which the token expires.
    public var expires: Date
    /// The ID of the token (`jti`).
    public var identifier: String?
    /// True if the bearers are guests who give names of their own (`guestNames`).
    public var guestsGiveNames: Bool

    /// Creates claims; by default the bearer may call everybody.
    public init(
        account: String,
        name: String? = nil,
        department: String? = nil,
        handles: [Handle] = [],
        permissions: Set<Permission> = [.call],
        callee: Handle? = nil,
        expires: Date,
        identifier: String? = nil,
        guestsGiveNames: Bool = false
    ) {
        self.account = account
        self.name = name
        self.department = department
        self.handles = handles
        self.permissions = permissions
        self.callee = callee
        self.expires = expires
        self.identifier = identifier
        self.guestsGiveNames = guestsGiveNames
    }
}
