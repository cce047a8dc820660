public import HubEngine

/// The result of `session.open`.
public struct SessionOpened: Hashable, Sendable {
    /// Names the session.
    public var session: String
    /// What the client shows to take the session up after a lost connection.
    public var resumeToken: String
    /// Whether a lost session was taken up.
    public var resumed: Bool
    /// The account signed in as.
    public var account: String
    /// The account's handles; the first one is what a callee is shown.
    public var handles: [Handle]
    /// The device signed in.
    public var device: SessionOpen.Device
    /// The device's calls.
    public var calls: [CallSnapshot]
    /// Which hub this is.
    public var hub: Hub
    /// The shape of the audio.
    public var audio: AudioFormat
    /// What the hub takes.
    public var limits: Limits
    /// Until when the session may go on without a newer token; nil: for good.
    public var expiresAt: Instant?

    /// A session without calls.
    public init(
        session: String,
        resumeToken: String,
        resumed: Bool = false,
        account: String,
        handles: [Handle],
        device: SessionOpen.Device,
        calls: [CallSnapshot] = [],
        hub: Hub,
        audio: AudioFormat = AudioFormat(),
        limits: Limits,
        expiresAt: Instant? = nil
    ) {
        self.expiresAt = expiresAt
        self.session = session
        self.resumeToken = resumeToken
        self.resumed = resumed
        self.account = account
        self.handles = handles
        self.device = device
        self.calls = calls
        self.hub = hub
        self.audio = audio
        self.limits = limits
    }

    /// Which hub, in which version, and which node of it.
    public struct Hub: Hashable, Sendable {
        /// The program.
        public var name: String
        /// Its version.
        public var version: String
        /// The node, where a hub has several.
        public var node: String

        /// A hub of its parts.
        public init(name: String = "CallHub", version: String, node: String) {
            self.name = name
            self.version = version
            self.node = node
        }
    }

    /// What the binary messages of a session are (RFC 3550, RFC 7587).
    public struct AudioFormat: Hashable, Sendable {
        /// RTP's payload type for Opus.
        public var payloadType = 111
        /// Ticks of RTP's timestamp in a second.
        public var clockRate = 48_000
        /// Channels of each Opus stream.
        public var channels = 1
        /// What a packet may hold, in milliseconds.
        public var frameDurations = [10, 20, 40, 60]
        /// How long audio waits for a slow listener, in milliseconds.
        public var staleAfterMilliseconds = 120
        /// How a group's audio comes, whatever was asked for.
        public var delivery = AudioDelivery.streams

        /// The contract's values.
        public init() {}
    }

    /// What the hub takes, and how long it waits.
    public struct Limits: Hashable, Sendable {
        /// The longest message, in bytes.
        public var maximumMessageBytes: Int
        /// How long a lost connection keeps its calls.
        public var resumeGraceSeconds: Int
        /// How long a call rings.
        public var ringTimeoutSeconds: Int
        /// How many entries an account's call directories may have in all; nil: the hub does not say.
        public var maximumDirectoryEntries: Int?

        /// Limits of their parts.
        public init(
            maximumMessageBytes: Int,
            resumeGraceSeconds: Int,
            ringTimeoutSeconds: Int,
            maximumDirectoryEntries: Int? = nil
        ) {
            self.maximumMessageBytes = maximumMessageBytes
            self.resumeGraceSeconds = resumeGraceSeconds
            self.ringTimeoutSeconds = ringTimeoutSeconds
            self.maximumDirectoryEntries = maximumDirectoryEntries
        }
    }
}
