public import HubEngine
public import HubWire

/// Knows who may sign in, and as whom; without one, an account is whoever says its name (`auth.mode` open).
public protocol Doorkeeper: Sendable {
    /// Looks at what somebody shows, without making the caller wait: hashing a password takes a tenth of a second.
    ///
    /// - Parameters:
    ///   - credentials: What `session.open` or `session.refresh` has brought.
    ///   - then: Gets the verdict, on any thread; it may be left out where nobody waits for it any more (`areStillShown`).
    func admit(_ credentials: Credentials, _ then: @escaping @Sendable (Result<Admission, AdmissionRefusal>) -> Void)

    /// Lets in whoever need not be looked at.
    ///
    /// - Parameter credentials: See there.
    /// - Returns: Nil: he is to be looked at.
    func admitAtOnce(_ credentials: Credentials) -> Admission?

    /// Finds out, at once, whether a link was revoked since a guest of it was admitted.
    ///
    /// - Parameter link: The link of an admission.
    /// - Returns: True where the guest is to be refused after all.
    func isRevoked(_ link: CallLinkID) -> Bool
}

extension Doorkeeper {
    /// Everybody is looked at.
    public func admitAtOnce(_ credentials: Credentials) -> Admission? { nil }

    /// No link is revoked.
    public func isRevoked(_ link: CallLinkID) -> Bool { false }
}

/// What somebody shows who wants to sign in.
public struct Credentials: Sendable {
    /// The name that he says; nil: the token names it.
    public var account: String?
    /// The account's password.
    public var password: String?
    /// A signed token.
    public var token: String?
    /// The lane in which they wait: the address of a sign-in, the account of a session that shows a fresh token; nil: an exempt
    /// address, all of which share one lane.
    public var place: String?
    /// Whether who shows them still waits for the verdict; safe on any thread.
    public var areStillShown: @Sendable () -> Bool = { true }

    /// Credentials of their parts.
    public init(account: String? = nil, password: String? = nil, token: String? = nil) {
        self.account = account
        self.password = password
        self.token = token
    }
}

/// Who was let in, and what he may do.
public struct Admission: Hashable, Sendable {
    /// The account.
    public var account: String
    /// How others reach it; the first one is what callees see.
    ///
    /// Not empty.
    public var handles: [Handle]
    /// What the name is that others are shown, where the account has set none.
    public var displayName: String?
    /// What he may do at most.
    public var permissions: Set<Permission>
    /// The date, by the wall clock, until which the token is valid; nil: no fresh one is ever needed.
    public var expiresAt: Instant?
    /// A guest's only callee; nil: he may call anybody.
    public var onlyCallee: Handle?
    /// Which of the account's passwords he has shown, the later ones the greater; nil: something else.
    public var passwordVersion: Int64?
    /// The hub's own link that has let a guest in, who goes when it is revoked; nil: something else has.
    public var link: CallLinkID?

    /// An admission to everything but administration.
    public init(account: String, handles: [Handle], permissions: Set<Permission> = [.call, .observe, .record]) {
        self.account = account
        self.handles = handles
        self.permissions = permissions
    }
}

/// Why somebody was not let in.
public typealias AdmissionRefusal = ServiceRefusal<AdmissionFault>

/// Whose fault it is that somebody was not let in.
public enum AdmissionFault: Hashable, Sendable {
    /// The name or the password is wrong: whoever does that often has to wait.
    case wrongPassword
    /// The token is wrong: likewise.
    case wrongToken
    /// The token is over.
    case tokenExpired
    /// Nothing was shown, or nothing of the kind that this hub asks for.
    case missing
    /// So many of the same address or account wait that this one is not verified.
    case tooManyAtOnce
    /// It cannot be found out at the moment.
    case unavailable
}
