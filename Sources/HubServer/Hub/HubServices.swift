/// What stands beside a hub and has threads and files of its own; each may be missing.
public struct HubServices: Sendable {
    /// Knows who may sign in; nil: whoever says a name.
    public var doorkeeper: (any Doorkeeper)?
    /// Keeps what the hub remembers; nil: nobody.
    public var memory: (any MemoryStore)?
    /// Wakes devices that are away; nil: nobody.
    public var push: (any PushService)?
    /// What SIGHUP has done, for `admin.reload`; nil: nothing.
    public var reload: (@Sendable () -> Void)?

    /// Nothing beside the hub: it forgets everything when it ends, and lets everybody in.
    public init() {}
}
