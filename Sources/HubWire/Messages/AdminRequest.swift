public import HubEngine

/// A request that needs the permission `admin` (docs/protocol.md, Administration).
///
/// The server handles it, not the engine.
public enum AdminRequest: Hashable, Sendable {
    /// `admin.calls`.
    case calls(AdminPage)
    /// `admin.devices`.
    case devices(AdminPage)
    /// `admin.accounts`.
    case accounts(AdminPage)
    /// `admin.endCall`.
    case endCall(ConversationID)
    /// `admin.signOut`, with a session's name from `admin.devices`.
    case signOut(session: String)
    /// `admin.reload`.
    case reload
    /// `admin.drain`, with the time that calls may go on; nil: the hub's configured time.
    case drain(grace: Duration?)
}

/// The requested page of a list.
public struct AdminPage: Hashable, Sendable {
    /// The maximum number of entries, 1 to 500; nil: the hub's own limit.
    public var limit: Int?
    /// The `next` of the page before; nil: from the beginning.
    public var after: String?

    /// Creates a page.
    public init(limit: Int? = nil, after: String? = nil) {
        self.limit = limit
        self.after = after
    }

    /// The maximum number of entries in a response.
    ///
    /// More: fewer requests; a longer response, which must fit into a client's send queue.
    public static let longest = 500
}

/// The result of a request that lists something; `next` is the start of the next page, nil: it was the last.
public enum AdminReply: Hashable, Sendable {
    /// The result of `admin.calls`.
    case calls([AdminCall], next: String? = nil)
    /// The result of `admin.devices`.
    case devices([AdminDevice], next: String? = nil)
    /// The result of `admin.accounts`.
    case accounts([AdminAccount], next: String? = nil)
}

/// A call in an administrator's list, with both of its parties.
public struct AdminCall: Hashable, Sendable {
    /// A party of the call.
    public struct Party: Hashable, Sendable {
        /// The account; nil: a party outside the hub, a built-in one, or none yet.
        public var account: String?
        /// The handle of the party.
        public var handle: Handle
        /// The identifiers of the devices that have the call, ringing ones included.
        public var devices: [String]

        /// Creates a party.
        public init(account: String?, handle: Handle, devices: [String]) {
            self.account = account
            self.handle = handle
            self.devices = devices
        }
    }

    /// The call's identifier for `admin.endCall`.
    public var conversation: ConversationID
    /// The state of the call.
    public var state: CallSnapshot.State
    /// The calling party.
    public var caller: Party
    /// The called party.
    public var callee: Party
    /// The time at which the call started; nil: its start action is not fulfilled yet.
    public var startedAt: Instant?
    /// The time at which the call connected; nil: it has not.
    public var connectedAt: Instant?
    /// The number of audio packets received from both parties.
    public var audioPackets: Int

    /// Creates a call.
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

/// A signed-in device in an administrator's list.
public struct AdminDevice: Hashable, Sendable {
    /// The session's identifier for `admin.signOut`.
    public var session: String
    /// The name of the account.
    public var account: String
    /// The device's identifier and name.
    public var device: SessionOpenRequest.Device
    /// The address of the client; nil: the connection is lost, and the session may be resumed.
    public var address: String?
    /// The time of the sign-in.
    public var since: Instant
    /// The number of the device's calls.
    public var calls: Int

    /// Creates a device.
    public init(
        session: String,
        account: String,
        device: SessionOpenRequest.Device,
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

/// An account in an administrator's list.
public struct AdminAccount: Hashable, Sendable {
    /// The name of the account.
    public var account: String
    /// The handles of the account.
    public var handles: [Handle]
    /// The number of the account's signed-in devices.
    public var devices: Int

    /// Creates an account.
    public init(account: String, handles: [Handle], devices: Int) {
        self.account = account
        self.handles = handles
        self.devices = devices
    }
}
