public import HubAccountData
public import HubEngine

/// An account of the hub's own list.
public struct AccountRecord: Hashable, Sendable {
    /// The name of the account.
    public var name: String
    /// The handles of the account; callees see the first one.
    public var handles: [Handle]
    /// True if sessions that sign in by its password may administer the hub.
    public var isAdmin: Bool
    /// The version of its password, as in `AuthenticatedIdentity.passwordVersion`.
    public var passwordVersion: Int64
    /// The name and department for the directory of the house.
    public var profile: PersonProfile
    /// True if others may find the account unless its user has decided.
    public var isListedByDefault: Bool
    /// The IDs of its passkeys.
    public var passkeys: Set<[UInt8]>

    /// Makes an account from its parts.
    public init(
        name: String,
        handles: [Handle],
        isAdmin: Bool = false,
        passwordVersion: Int64 = 0,
        profile: PersonProfile = PersonProfile(),
        isListedByDefault: Bool = true,
        passkeys: Set<[UInt8]> = []
    ) {
        self.passkeys = passkeys
        self.name = name
        self.handles = handles
        self.isAdmin = isAdmin
        self.passwordVersion = passwordVersion
        self.profile = profile
        self.isListedByDefault = isListedByDefault
    }

    /// The handles of sessions that sign in by its password: its name if it has no handle.
    public var handlesOrName: [Handle] { handles.isEmpty ? [.generic(name)] : handles }
}
