public import HubEngine

/// A request that needs the permission `admin` (docs/protocol.md, Administration).
///
/// The server handles it, not the engine.
public enum AdminRequest: Hashable, Sendable {
    /// `admin.calls`.
    case calls(AdminPage)
    /// `admin.devices`.
    case devices(AdminPage)
    /// `admin.accounts`; `search`: those whose name or one of whose handles contains the text, nil: all.
    case accounts(AdminPage, search: String? = nil)
    /// `admin.endCall`.
    case endCall(ConversationID)
    /// `admin.signOut`, with a session's name from `admin.devices`.
    case signOut(session: String)
    /// `admin.reload`.
    case reload
    /// `admin.drain`, with the time that calls may go on; nil: the hub's configured time.
    case drain(grace: Duration?)
    /// `admin.status`.
    case status
    /// `admin.history`, of the time after a date; nil: of the whole last hour.
    case history(since: Instant?)
    /// `admin.handles`; `search`: those that contain the text, or whose account does, nil: all.
    case handles(AdminPage, search: String?)
    /// `admin.addAccount`.
    indirect case addAccount(AdminNewAccount)
    /// `admin.setDisabled`, `admin.setAdmin`, `admin.addHandle`, `admin.removeHandle` and `admin.removeAccount`.
    case change(account: String, AdminAccountChange)
    /// `admin.resetAccount`.
    case reset(AdminReset)
    /// `admin.backup`.
    case backup
    /// `admin.audit`, of the time from a date on; nil: all.
    case audit(AdminPage, since: Instant?)
    /// `admin.verifyAudit`.
    case verifyAudit

    /// Indicates that the request changes something, and does not merely read.
    public var changesSomething: Bool {
        switch self {
        case .calls, .devices, .accounts, .status, .history, .handles, .audit, .verifyAudit: false
        case .endCall, .signOut, .reload, .drain, .addAccount, .change, .reset, .backup: true
        }
    }
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
    /// The result of `admin.handles`.
    case handles([AdminHandle], next: String? = nil)
    /// The result of `admin.audit`, the newest first.
    case audit([AuditEntry], next: String? = nil)
    /// The result of `admin.verifyAudit`.
    case auditVerified(AuditVerification)
    /// The result of `admin.status`.
    indirect case status(AdminStatus)
    /// The result of `admin.history`.
    case history(AdminHistory)
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
        /// The packets of its audio session; nil: none is active.
        public var audio: AdminAudio?

        /// Creates a party.
        public init(account: String?, handle: Handle, devices: [String], audio: AdminAudio? = nil) {
            self.account = account
            self.handle = handle
            self.devices = devices
            self.audio = audio
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
    /// The identifier of the device that this one operates; nil: none.
    public var operates: String?

    /// Creates a device.
    public init(
        session: String,
        account: String,
        device: SessionOpenRequest.Device,
        address: String?,
        since: Instant,
        calls: Int,
        operates: String? = nil
    ) {
        self.operates = operates
        self.session = session
        self.account = account
        self.device = device
        self.address = address
        self.since = since
        self.calls = calls
    }
}

/// The packets of a party's audio session, as the hub has counted them since the session began.
public struct AdminAudio: Hashable, Sendable {
    /// Packets from the party's device.
    public var received: UInt64
    /// Packets from the device that never arrived, less duplicates; at least 0.
    public var lost: Int64
    /// Packets from the device that the hub did not forward.
    public var dropped: UInt64
    /// Packets for the device that its connection did not take in time.
    public var droppedSlow: UInt64
    /// The interarrival jitter (RFC 3550) of the device's packets at present, in microseconds.
    public var jitterMicroseconds: UInt32

    /// Creates the counts of a session.
    public init(received: UInt64, lost: Int64, dropped: UInt64, droppedSlow: UInt64, jitterMicroseconds: UInt32) {
        self.received = received
        self.lost = lost
        self.dropped = dropped
        self.droppedSlow = droppedSlow
        self.jitterMicroseconds = jitterMicroseconds
    }
}
