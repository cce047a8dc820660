public import HubEngine

/// An account in an administrator's list.
public struct AdminAccount: Hashable, Sendable {
    /// The name of the account.
    public var account: String
    /// The handles of the account.
    public var handles: [Handle]
    /// The number of the account's signed-in devices.
    public var devices: Int
    /// The properties of an account that an operator has created; nil: it has only signed in.
    public var managed: Managed?

    /// Creates an account.
    public init(account: String, handles: [Handle], devices: Int, managed: Managed? = nil) {
        self.account = account
        self.handles = handles
        self.devices = devices
        self.managed = managed
    }

    /// The properties that an administrator sees, and may change.
    public struct Managed: Hashable, Sendable {
        /// True if the account may administer the hub.
        public var isAdmin: Bool
        /// True if the account may not sign in.
        public var isDisabled: Bool
        /// True if the account has a password.
        public var hasPassword: Bool
        /// The time of its creation.
        public var createdAt: Instant
        /// The name that the operator has given its user; nil: none.
        public var name: String?
        /// The department that the operator has given its user; nil: none.
        public var department: String?

        /// Creates the properties.
        public init(
            isAdmin: Bool,
            isDisabled: Bool,
            hasPassword: Bool,
            createdAt: Instant,
            name: String? = nil,
            department: String? = nil
        ) {
            self.isAdmin = isAdmin
            self.isDisabled = isDisabled
            self.hasPassword = hasPassword
            self.createdAt = createdAt
            self.name = name
            self.department = department
        }
    }
}

/// A handle and the account that it leads to.
public struct AdminHandle: Hashable, Sendable {
    /// The handle.
    public var handle: Handle
    /// The name of the account.
    public var account: String

    /// Creates an entry.
    public init(handle: Handle, account: String) {
        self.handle = handle
        self.account = account
    }
}

/// The properties of an account that an administrator creates.
public struct AdminNewAccount: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The first password, which the hub checks.
    public var password: String
    /// The name of its user; nil: none.
    public var name: String?
    /// The department of its user; nil: none.
    public var department: String?
    /// The handles; empty: its name.
    public var handles: [Handle] = []
    /// True if the account may administer the hub.
    public var isAdmin = false

    /// Creates the properties.
    public init(account: String, password: String) {
        self.account = account
        self.password = password
    }
}

/// A change of one property of an account.
public enum AdminAccountChange: Hashable, Sendable {
    /// `admin.setDisabled`: refuses or permits its sign-ins.
    case disabled(Bool)
    /// `admin.setAdmin`: grants or withdraws the permission `admin`.
    case admin(Bool)
    /// `admin.addHandle`.
    case addHandle(Handle)
    /// `admin.removeHandle`.
    case removeHandle(Handle)
    /// `admin.removeAccount`; `erases`: all of its stored data, too.
    case remove(erases: Bool)
}

/// The invitation by which the user of an account chooses a new password.
public struct AdminReset: Hashable, Sendable {
    /// The account.
    public var account: String
    /// The time at which it expires; nil: after a day.
    public var expiresAt: Instant?
    /// The address of the hub's page as the client knows it; nil: unknown.
    public var page: String?

    /// Creates a request for an invitation.
    public init(account: String, expiresAt: Instant? = nil, page: String? = nil) {
        self.account = account
        self.expiresAt = expiresAt
        self.page = page
    }
}
