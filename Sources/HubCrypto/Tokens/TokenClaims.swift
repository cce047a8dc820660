public import FoundationEssentials

/// What a token says of its bearer.
///
/// As JSON, in the token's payload (RFC 7519), beside `iss`, `aud`, `iat` and `nbf`, which ``TokenPolicy`` looks at:
///
/// - `sub`, required: the account.
/// - `exp`, required: when the token ends, in seconds since 1970.
/// - `name`: what the account is called.
/// - `handles`: how it is reached, `[{"type": "phoneNumber", "value": "+49 30 1234"}]`; the types are `generic`,
///   `phoneNumber` and `emailAddress`.
/// - `callhub`: what it may do, an array of `"call"`, `"observe"`, `"record"` and `"admin"`. Without it the words of `scope` that
///   begin with `callhub:` say so (`"openid callhub:call callhub:observe"`; RFC 8693 section 4.2), for issuers that
///   have only that. Without either it may call. An unknown word of ours is refused, since it may be a known one
///   misspelt.
/// - `callee`: `{"type", "value"}`: the one that the bearer may call, for links that a guest is given.
/// - `jti`: the token's own name.
public struct TokenClaims: Hashable, Sendable {
    /// What a bearer may do.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        /// Place calls and take them.
        case call
        /// See what goes on at the hub.
        case observe
        /// See all that the account's devices are told.
        case record
        /// Change what goes on at the hub.
        case admin
    }

    /// How somebody is reached.
    public struct Handle: Hashable, Sendable {
        /// What a handle's value is, by the protocol's words.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A name of the hub's own.
            case generic
            /// A telephone number.
            case phoneNumber
            /// An e-mail address.
            case emailAddress
        }

        /// What kind of address `value` is.
        public var type: Kind
        /// The address; never empty in a token that was verified.
        public var value: String

        /// A handle of a type and a value.
        public init(type: Kind, value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The account that the bearer is.
    public var account: String
    /// What the account is called, if the issuer says so.
    public var name: String?
    /// How the account is reached, if the issuer says so.
    public var handles: [Handle]
    /// What the bearer may do.
    public var permissions: Set<Permission>
    /// The only one whom the bearer may call; nil: everybody.
    public var callee: Handle?
    /// When the token ends.
    public var expires: Date
    /// The token's own name (`jti`), by which it can be told from others.
    public var identifier: String?

    /// Claims; without more words the bearer may call everybody.
    public init(
        account: String,
        name: String? = nil,
        handles: [Handle] = [],
        permissions: Set<Permission> = [.call],
        callee: Handle? = nil,
        expires: Date,
        identifier: String? = nil
    ) {
        self.account = account
        self.name = name
        self.handles = handles
        self.permissions = permissions
        self.callee = callee
        self.expires = expires
        self.identifier = identifier
    }
}
