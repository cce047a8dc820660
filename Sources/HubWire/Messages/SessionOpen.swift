public import HubEngine

/// The parameters of `session.open`, with the contract's defaults where the client named none.
public struct SessionOpen: Hashable, Sendable {
    /// The name to sign in as; nil: the token names it.
    public var account: String?
    /// For `auth.mode` accounts.
    public var password: String?
    /// For `auth.mode` token.
    public var token: String?
    /// The device; its `id` nil: the hub makes one.
    public var device: Device
    /// The device's provider.
    public var provider: ProviderConfiguration
    /// Who fulfils the actions.
    public var fulfillment: Fulfillment
    /// Whether the client is offered whole transactions first.
    public var executesTransactions: Bool
    /// What the client wants to be able to do.
    public var permissions: [Permission]
    /// How a group's audio is to come.
    public var audioDelivery: AudioDelivery
    /// What program the client is.
    public var client: Program?
    /// The lost session to be taken up; nil: a new one.
    public var resume: Resume?

    /// A sign-in with every default.
    public init(account: String? = nil) {
        self.account = account
        device = Device()
        provider = ProviderConfiguration()
        fulfillment = .automatic
        executesTransactions = false
        permissions = [.call]
        audioDelivery = .mixed
    }

    /// One of a person's devices.
    public struct Device: Hashable, Sendable {
        /// The device's own name for itself; never empty.
        public var id: String?
        /// A name for people.
        public var name: String?

        /// A device of its parts.
        public init(id: String? = nil, name: String? = nil) {
            self.id = id
            self.name = name
        }
    }

    /// A program and its version.
    public struct Program: Hashable, Sendable {
        /// The program's name.
        public var name: String
        /// Its version.
        public var version: String?

        /// A program of its parts.
        public init(name: String, version: String? = nil) {
            self.name = name
            self.version = version
        }
    }

    /// What proves that a lost session is the client's, and how much of it has arrived.
    public struct Resume: Hashable, Sendable {
        /// The session, as the result of its `session.open` named it.
        public var session: String
        /// The `resumeToken` of the same result.
        public var token: String
        /// The `seq` of the last notification that has arrived; 0: none.
        public var seq: UInt64

        /// What a client knows of its lost session.
        public init(session: String, token: String, seq: UInt64) {
            self.session = session
            self.token = token
            self.seq = seq
        }
    }
}

/// What a client may do; each gives up what it does not need.
public enum Permission: String, Hashable, Sendable, CaseIterable {
    /// Place, take and report calls; without it, requests are refused with CallKit's `unentitled` (row CK-61).
    case call
    /// Be told of the calls on the account's other devices (row CK-69).
    case observe
    /// Be told what the account's other devices are told.
    case record
    /// See and change what is everybody's: the `admin` methods.
    case admin
}

/// How the audio of a group comes to a client.
public enum AudioDelivery: String, Hashable, Sendable, CaseIterable {
    /// One stream, mixed by the hub.
    case mixed
    /// Each party's own packets, told apart by SSRC.
    case streams
}
