public import HubEngine

/// An account of the hub's own list.
public struct ListedAccount: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How it is reached; the first one is what callees see.
    public var handles: [Handle]
    /// Whether who signs in by its password may administer the hub.
    public var isAdmin: Bool
    /// Which of its passwords it has, as `Admission.passwordVersion` counts them.
    public var passwordVersion: Int64

    /// An account of its parts.
    public init(name: String, handles: [Handle], isAdmin: Bool = false, passwordVersion: Int64 = 0) {
        self.name = name
        self.handles = handles
        self.isAdmin = isAdmin
        self.passwordVersion = passwordVersion
    }

    /// How who signs in by its password is reached: by its name where it has no handle.
    public var handlesOrName: [Handle] { handles.isEmpty ? [.generic(name)] : handles }
}
