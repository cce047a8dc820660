public import HubEngine

/// The parameters of `session.open`, with the protocol's defaults for absent ones.
public struct SessionOpenRequest: Hashable, Sendable {
    /// The account's name; nil: the token names it.
    public var account: String?
    /// The account's password, for `auth.mode` accounts.
    public var password: String?
    /// The signed token, for `auth.mode` token.
    public var token: String?
    /// The secret of a guest's invitation.
    public var invitation: String?
    /// The proof of a sign-in by an OpenID provider.
    public var openID: OpenIDProof?
    /// The use of a passkey, in place of name and password.
    public var passkey: PasskeyAssertion?
    /// The name that a guest gives, which callees are shown if the invitation lets guests; nil: none.
    public var guestName: String?
    /// The device; if its `id` is nil, the hub generates one.
    public var device: Device
    /// The configuration of the device's provider.
    public var provider: ProviderConfiguration
    /// The party that fulfils the actions: the client or the hub.
    public var fulfillment: Fulfillment
    /// Indicates that the client is offered whole transactions first (`provider.execute`).
    public var executesTransactions: Bool
    /// Indicates that the client requests notifications of audio packets that the hub drops.
    public var reportsDroppedPackets: Bool
    /// The permissions that the client requests.
    public var permissions: [Permission]
    /// The permissions that the client requests if the account has them; others are left out without an error.
    public var optionalPermissions: [Permission] = []
    /// The device of the account that the client operates, with the permission `operate`; nil: none.
    public var operates: String?
    /// The requested delivery of a group's audio.
    public var audioDelivery: AudioDelivery
    /// The client's program.
    public var client: Program?
    /// The lost session to resume; nil: a new one is opened.
    public var resume: Resume?

    /// Creates the parameters with all defaults.
    public init(account: String? = nil) {
        self.account = account
        device = Device()
        provider = ProviderConfiguration()
        fulfillment = .automatic
        executesTransactions = false
        reportsDroppedPackets = false
        permissions = [.call]
        audioDelivery = .streams
    }

    /// The proof that a provider has signed the user in.
    public enum OpenIDProof: Hashable, Sendable {
        /// The code of the page's fragment, once, and the secret whose digest the sign-in began with.
        case code(String, verifier: String)
        /// The token of an earlier session (`openIDToken`).
        case token(String)
    }

    /// A device of an account.
    public struct Device: Hashable, Sendable {
        /// The device's identifier, which it has chosen itself; never empty.
        public var id: String?
        /// The device's name for people.
        public var name: String?
        /// The machine that the device's program runs on; nil: not said.
        ///
        /// Sessions of the account that name the same one are one device for the rule of one active call.
        public var focus: String?

        /// Creates a device.
        public init(id: String? = nil, name: String? = nil, focus: String? = nil) {
            self.id = id
            self.name = name
            self.focus = focus
        }
    }

    /// A program and its version.
    public struct Program: Hashable, Sendable {
        /// The program's name.
        public var name: String
        /// Its version.
        public var version: String?

        /// Creates a program.
        public init(name: String, version: String? = nil) {
            self.name = name
            self.version = version
        }
    }

    /// The proof that a lost session is the client's, and its last received notification.
    public struct Resume: Hashable, Sendable {
        /// The session's identifier, from the result of its `session.open`.
        public var session: String
        /// The `resumeToken` of the same result.
        public var token: String
        /// The `seq` of the last notification received; 0: none.
        public var seq: UInt64

        /// Creates the parameters for resuming a session.
        public init(session: String, token: String, seq: UInt64) {
            self.session = session
            self.token = token
            self.seq = seq
        }
    }
}

/// A permission of a client, which should request only those it needs.
public enum Permission: String, Hashable, Sendable, CaseIterable {
    /// Placing, answering and reporting calls; without it, requests fail with CallKit's `unentitled` (row CK-61).
    case call
    /// Notifications of the calls on the account's other devices (row CK-69).
    case observe
    /// Copies of the notifications to the account's other devices.
    case record
    /// The calls of another device of the account, and transactions that are performed there.
    case operate
    /// Administration of the hub: the `admin` methods.
    case admin
}

/// The delivery of a group's audio to a client.
public enum AudioDelivery: String, Hashable, Sendable, CaseIterable {
    /// One stream, mixed by the hub.
    case mixed
    /// The packets of each party, identified by SSRC.
    case streams
}
