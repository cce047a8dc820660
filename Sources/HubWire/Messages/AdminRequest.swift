public import HubEngine

/// What a session with the permission `admin` may ask (docs/protocol.md, Administration): the server's business.
public enum AdminRequest: Hashable, Sendable {
    /// `admin.calls`.
    case calls(AdminPage)
    /// `admin.devices`.
    case devices(AdminPage)
    /// `admin.accounts`.
    case accounts(AdminPage)
    /// `admin.endCall`.
    case endCall(ConversationID)
    /// `admin.signOut`: the session as `admin.devices` names it.
    case signOut(session: String)
    /// `admin.reload`.
    case reload
    /// `admin.drain`: how long calls may go on; nil: as long as the hub is set to give them.
    case drain(grace: Duration?)
}

/// Which piece of a list an administrator asks for.
public struct AdminPage: Hashable, Sendable {
    /// How many entries at most; nil: as many as the hub gives.
    public var limit: Int?
    /// What the piece before said of where it goes on; nil: from the beginning.
    public var after: String?

    /// A page of its parts.
    public init(limit: Int? = nil, after: String? = nil) {
        self.limit = limit
        self.after = after
    }

    /// How many entries an answer has at most.
    ///
    /// More: fewer requests; a longer answer, which must fit in what may wait for a client.
    public static let longest = 500
}

/// What an administrator is answered, where it is more than that it is done; `next` says where a list goes on, nil: it does not.
public enum AdminReply: Hashable, Sendable {
    /// Of `admin.calls`.
    case calls([AdminCall], next: String? = nil)
    /// Of `admin.devices`.
    case devices([AdminDevice], next: String? = nil)
    /// Of `admin.accounts`.
    case accounts([AdminAccount], next: String? = nil)
}

/// A call as an administrator sees it: both its parties at once.
public struct AdminCall: Hashable, Sendable {
    /// One side of it.
    public struct Party: Hashable, Sendable {
        /// The account; nil: somebody outside, a party of the hub's own, or nobody yet.
        public var account: String?
        /// How this side is reached.
        public var handle: Handle
        /// The devices that have the call, by their own names for themselves: those on which it rings, too.
        public var devices: [String]

        /// A party of its parts.
        public init(account: String?, handle: Handle, devices: [String]) {
            self.account = account
            self.handle = handle
            self.devices = devices
        }
    }

    /// Names it, for `admin.endCall`.
    public var conversation: ConversationID
    /// How far it has come.
    public var state: CallSnapshot.State
    /// Who called.
    public var caller: Party
    /// Who was called.
    public var callee: Party
    /// When it began; nil: the start is not fulfilled yet.
    public var startedAt: Instant?
    /// When both could speak.
    public var connectedAt: Instant?
    /// How many audio packets have come from both sides.
    public var audioPackets: Int

    /// A call of its parts.
    public init(
        conversation: ConversationID,
        state: CallSnapshot.State,
        caller: Party,
        callee: Party,
        startedAt: Instant?,
        connectedAt: Instant?,
        audioPackets: Int
    ) {
        self.conversation = conversation
        self.state = state
        self.caller = caller
        self.callee = callee
        self.startedAt = startedAt
        self.connectedAt = connectedAt
        self.audioPackets = audioPackets
    }
}

/// A device that is signed in, as an administrator sees it.
public struct AdminDevice: Hashable, Sendable {
    /// Names its session, for `admin.signOut`.
    public var session: String
    /// Whose it is.
    public var account: String
    /// Which of the account's.
    public var device: SessionOpen.Device
    /// Where it is connected from; nil: its connection is lost, and may be taken up again.
    public var address: String?
    /// When it signed in.
    public var since: Instant
    /// How many calls it has.
    public var calls: Int

    /// A device of its parts.
    public init(
        session: String,
        account: String,
        device: SessionOpen.Device,
        address: String?,
        since: Instant,
        calls: Int
    ) {
        self.session = session
        self.account = account
        self.device = device
        self.address = address
        self.since = since
        self.calls = calls
    }
}

/// An account as an administrator sees it.
public struct AdminAccount: Hashable, Sendable {
    /// Its name.
    public var account: String
    /// How it is reached.
    public var handles: [Handle]
    /// How many of its devices are signed in.
    public var devices: Int

    /// An account of its parts.
    public init(account: String, handles: [Handle], devices: Int) {
        self.account = account
        self.handles = handles
        self.devices = devices
    }
}
