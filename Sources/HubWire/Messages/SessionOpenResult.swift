public import HubEngine

/// The result of `session.open`.
public struct SessionOpenResult: Hashable, Sendable {
    /// The identifier of the session.
    public var session: String
    /// The token by which the client resumes the session after a lost connection.
    public var resumeToken: String
    /// Indicates that a lost session was resumed.
    public var resumed: Bool
    /// The name of the signed-in account.
    public var account: String
    /// The account's handles; callees are shown the first one.
    public var handles: [Handle]
    /// The signed-in device.
    public var device: SessionOpenRequest.Device
    /// The device's calls.
    public var calls: [CallSnapshot]
    /// The hub's version and node.
    public var hub: Hub
    /// The format of the audio packets.
    public var audio: AudioFormat
    /// The mix that a session receives in place of several streams.
    public struct Mix: Hashable, Sendable {
        /// The SSRC of all mixes.
        public var ssrc: UInt32
        /// The number of parties in a conversation from which it is mixed.
        public var mixedFrom: Int

        /// Creates a description.
        ///
        /// - Parameters:
        ///   - ssrc: The SSRC of all mixes.
        ///   - mixedFrom: The number of parties in a conversation from which it is mixed.
        public init(ssrc: UInt32, mixedFrom: Int) {
            (self.ssrc, self.mixedFrom) = (ssrc, mixedFrom)
        }
    }

    /// The hub's limits and timeouts.
    public var limits: Limits
    /// The time at which the session expires without a newer token; nil: never.
    public var expiresAt: Instant?
    /// The permissions of the session; nil: the client has not asked for optional ones.
    public var permissions: [Permission]?
    /// The token by which the client signs in again until then, without asking the OpenID provider; nil: none.
    public var openIDToken: String?
    /// The time until which the sign-in itself confirms that the user makes a passkey; nil: it does not.
    public var confirmedUntil: Instant?

    /// Creates a result.
    public init(
        session: String,
        resumeToken: String,
        resumed: Bool = false,
        account: String,
        handles: [Handle],
        device: SessionOpenRequest.Device,
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

    /// The hub's program, version and node.
    public struct Hub: Hashable, Sendable {
        /// The name of the program.
        public var name: String
        /// The version of the program.
        public var version: String
        /// The name of the hub's node.
        public var node: String

        /// Creates a hub.
        public init(name: String = "CallHub", version: String, node: String) {
            self.name = name
            self.version = version
            self.node = node
        }
    }

    /// The format of a session's binary messages (RFC 3550, RFC 7587).
    public struct AudioFormat: Hashable, Sendable {
        /// The RTP payload type of Opus.
        public var payloadType = 111
        /// The clock rate of the RTP timestamp in Hz.
        public var clockRate = 48_000
        /// The number of channels of each Opus stream.
        public var channels = 1
        /// The allowed durations of a packet, in milliseconds.
        public var frameDurations = [10, 20, 40, 60]
        /// The time after which audio queued for a slow listener is discarded, in milliseconds.
        public var staleAfterMilliseconds = 120
        /// The delivery of a group's audio that is in force, whatever was requested.
        public var delivery = AudioDelivery.streams
        /// The mix of a group, if that is the delivery.
        public var mix: Mix?

        /// Creates the format of the protocol.
        public init() {}
    }

    /// The hub's limits and timeouts.
    public struct Limits: Hashable, Sendable {
        /// The maximum length of a message in bytes.
        public var maximumMessageBytes: Int
        /// The time for which a session with a lost connection can be resumed, in seconds.
        public var resumeGraceSeconds: Int
        /// The time for which a call rings, in seconds.
        public var ringTimeoutSeconds: Int
        /// The maximum number of entries in all of an account's call directories; nil: unknown.
        public var maximumDirectoryEntries: Int?

        /// Creates limits.
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
