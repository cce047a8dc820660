// What the hub remembers is none of the engine's business, what follows from it is: the engine asks (`Effect.lookUp`,
// `Effect.screen`), whoever remembers answers with these facts, and the engine decides.

/// The names that an account's user knows another party by (row CK-15).
public struct KnownNames: Hashable, Sendable {
    /// From the account's contacts.
    public var contact: String?
    /// From an enabled caller directory.
    public var directory: String?

    /// No names known.
    public init() {}
}

/// What an account has on record that decides whether a caller may ring (callkit.md 2.4; rows CK-11 to CK-13).
public struct CallerKnowledge: Hashable, Sendable {
    /// Whether the caller is on the account's own block list.
    public var isBlocked = false
    /// Whether an enabled caller directory has the caller among its blocking entries.
    public var isBlockedByDirectory = false
    /// Whether the account does not want to be disturbed now.
    public var doNotDisturb = false
    /// The account's devices that do not want to be disturbed, by their own names for themselves.
    ///
    /// Looked up, never iterated: what the engine does must not depend on a set's order.
    public var quietDevices: Set<String> = []
    /// Whether this caller may ring all the same, on whatever device.
    public var breaksThroughDoNotDisturb = false
    /// What to call the caller.
    public var names = KnownNames()

    /// Nothing on record: the call rings.
    public init() {}
}

/// What the engine asks before a call is placed.
public struct LookUp: Hashable, Sendable {
    /// The handle that is called.
    public var handle: Handle
    /// The account that calls.
    public var caller: String
    /// The handle it is seen by.
    public var callerHandle: Handle

    package init(handle: Handle, caller: String, callerHandle: Handle) {
        self.handle = handle
        self.caller = caller
        self.callerHandle = callerHandle
    }
}

/// The answer to a `LookUp`.
public struct LookUpResult: Hashable, Sendable {
    /// Who has a handle.
    public enum Target: Hashable, Sendable {
        /// An account, by its name, with what it knows of the caller; whether it has a device, the engine knows itself.
        case account(String, CallerKnowledge)
        /// A party of the hub's own.
        case builtIn(BuiltInParty)
        /// Nobody.
        case unknown
    }

    /// Who has the handle.
    public var target: Target
    /// The name under which the caller presents itself, if it has set one.
    public var callerDisplayName: String?
    /// The link by which the caller has come; nil: the caller is no link's guest.
    public var callerLink: CallLinkID?
    /// What the caller calls the callee.
    public var calleeNames = KnownNames()

    /// A result without names.
    public init(_ target: Target) {
        self.target = target
    }
}
