public import HubEngine
public import HubWire

/// The options of a client for its sign-in and behaviour; the defaults suit a phone for one person.
public struct ClientOptions: Sendable {
    /// The password, if the hub requires one.
    public var password: String?
    /// The token, if the hub requires one; it may contain the account.
    public var token: String?
    /// A closure that returns the token at each sign-in and before the present one expires; nil: `token` is used.
    ///
    /// A newer token is sent to the hub at once, without effect on calls. It is also called on the loop's thread: it
    /// must return soon, as reading a small file does. If it returns nil, the last token stays.
    public var tokenProvider: (@Sendable () -> String?)?
    /// The device's ID; a later connection with the same ID replaces the earlier one.
    ///
    /// nil: the hub generates one.
    public var deviceID: String?
    /// The device's display name.
    public var deviceName: String?
    /// The CXProviderConfiguration; nil: CallKit's defaults.
    public var provider: ProviderConfiguration?
    /// The side that fulfils the actions: the hub (automatic) or the client (manual).
    public var fulfillment = Fulfillment.automatic
    /// Indicates that the client is offered whole transactions first (`provider.execute`).
    public var executesTransactions = false
    /// The client's wish to be notified, by `packetsDropped`, of audio packets that the hub drops.
    public var reportsDroppedPackets = false
    /// The requested permissions.
    public var permissions = [Permission.call]
    /// The delivery of a group's audio: mixed by the hub, or one stream for each party.
    public var audioDelivery = AudioDelivery.mixed
    /// The name of the program.
    public var clientName = "HubClient"
    /// The version of the program.
    public var clientVersion: String?

    /// Indicates that the certificate of a `wss://` hub is verified; false only for try-outs.
    public var verifiesCertificate = true
    /// The path of a PEM file with the trusted certificates, in place of the system's.
    ///
    /// The issuer of the hub's certificate, or that certificate itself; nil: the system's.
    public var trustedCertificates: String?
    /// The intervals and timeouts of the connection.
    public var timing = ClientTiming()
    /// A closure called on the loop's thread for each received audio packet; it must return soon.
    public var onAudio: (@Sendable (ReceivedAudio) -> Void)?
    /// A closure called on the loop's thread when the audio sources change.
    ///
    /// It is called before the first packet of a new source. From then on no packet of a source that is missing from
    /// the list is to be played.
    public var onAudioSources: (@Sendable ([AudioSource]) -> Void)?
    /// The event loop of the connection.
    public var loop = ClientLoop.shared

    /// Creates options with the defaults.
    public init() {}
}

/// The intervals and timeouts of a client; the defaults suit people, tests set shorter ones.
public struct ClientTiming: Hashable, Sendable {
    /// The time without received data before the client sends a ping.
    ///
    /// Longer: less traffic on idle connections; shorter: a lost one is detected sooner.
    public var pingAfterIdle = Duration.seconds(5)
    /// The time without received data before the connection is considered lost.
    ///
    /// Longer: tolerates slow networks; shorter: a lost connection is resumed sooner.
    public var lostAfterSilence = Duration.seconds(10)
    /// The time without received data during an audio session before a second connection is tried.
    ///
    /// The hub sends a report every 200 ms then. The first connection stays if data arrives on it before the second one
    /// is open. Longer: fewer needless connections; shorter: less audio is lost.
    public var spareSocketAfterSilence = Duration.seconds(2)
    /// The timeout of an attempt to connect and sign in.
    public var connectTimeout = Duration.seconds(8)
    /// The timeout of a request.
    public var responseTimeout = Duration.seconds(10)
    /// The second delay between attempts to reconnect; the first attempt is immediate, later delays double.
    public var firstRetryDelay = Duration.milliseconds(100)
    /// The maximum delay between attempts to reconnect.
    ///
    /// Longer: a hub that restarts is not overloaded; shorter: it is found sooner. A client should be connected again
    /// within a second of the moment when it can.
    public var maximumRetryDelay = Duration.milliseconds(750)
    /// The time after a loss at which the client gives up reconnecting; nil: it tries until `close()`.
    public var reconnectTimeout: Duration?
    /// The maximum interval between calls of `ClientOptions.tokenProvider`.
    ///
    /// A quarter of the present token's remaining lifetime, if that is less. Longer: fewer needless reads; shorter: a
    /// token that is replaced early, or a clock that is wrong, matters less.
    public var tokenCheckInterval = Duration.seconds(60)
    /// The maximum number of unreported sent packets; beyond it sending stops until the hub has caught up.
    ///
    /// More: long round trips are no stall; fewer: less old audio arrives after a stall. 25 are half a second.
    public var maximumUnreportedPackets = 25

    /// Creates the default timing.
    public init() {}
}
