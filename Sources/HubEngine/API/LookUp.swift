// The engine stores no account data: it queries it (`Effect.lookUp`, `Effect.screen`), the driver answers with these
// values, and the engine decides.

/// The account data that decides if a caller may ring (callkit-semantics.md 2.4; rows CK-11 to CK-13).
public struct CallerScreeningData: Hashable, Sendable {
    /// True if the caller is on the account's own block list.
    public var isBlocked = false
    /// True if the caller is among the blocking entries of an enabled caller directory.
    public var isBlockedByDirectory = false
    /// True while Do Not Disturb is on for the account.
    public var doNotDisturb = false
    /// The device identifiers of the account's devices on which Do Not Disturb is on.
    ///
    /// Looked up, never iterated: the engine's effects must not depend on a set's order.
    public var quietDevices: Set<String> = []
    /// True if this caller rings in spite of Do Not Disturb, on all devices.
    public var breaksThroughDoNotDisturb = false
    /// True if no transfer may connect the account with this caller: a stranger, and the account refuses strangers.
    public var refusesTransfers = false
    /// The caller's names in the account's data.
    public var names = KnownNames()

    /// Creates a value with nothing on record: the call rings.
    public init() {}
}

/// A query for the owner of a handle that is called.
public struct LookUp: Hashable, Sendable {
    /// The handle that is called.
    public var handle: Handle
    /// The name of the account that calls.
    public var caller: String
    /// The handle that the callee is shown.
    public var callerHandle: Handle

    package init(handle: Handle, caller: String, callerHandle: Handle) {
        self.handle = handle
        self.caller = caller
        self.callerHandle = callerHandle
    }
}

/// The answer to a `LookUp`.
public struct LookUpResult: Hashable, Sendable {
    /// The owner of a handle.
    public enum Target: Hashable, Sendable {
        /// An account, by its name, with its data about the caller; the engine itself finds the account's devices.
        case account(String, CallerScreeningData)
        /// A built-in party.
        case builtIn(BuiltInParty)
        /// No owner: the handle is unknown.
        case unknown
    }

    /// The owner of the handle.
    public var target: Target
    /// The display name that the caller has set, if any.
    public var callerDisplayName: String?
    /// The name that the caller has given as the guest of an invitation, which takes precedence; nil: none.
    public var callerGuestName: String?
    /// The invitation by which the caller has joined; nil if the caller is not a guest.
    public var callerInvitation: InvitationID?
    /// True if no transfer may connect the caller's account with the callee: it has blocked them, or refuses strangers.
    public var isCalleeRefused = false
    /// The callee's names in the data of the caller's account.
    public var calleeNames = KnownNames()

    /// Creates a result without names.
    public init(_ target: Target) {
        self.target = target
    }
}
