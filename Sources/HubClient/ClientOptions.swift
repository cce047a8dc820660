public import HubEngine
public import HubWire

/// How a client signs in and behaves; the defaults are those of a phone for one person.
public struct ClientOptions: Sendable {
    /// The password, where the hub asks for one.
    public var password: String?
    /// The token, where the hub asks for one; it may name the account.
    public var token: String?
    /// Asked for the token at each sign-in, and again before the one that is shown is over; nil: it is `token`, always.
    ///
    /// A newer token is shown to the hub at once, and no call notices. Called on the loop's thread, too: it must return soon,
    /// as reading a small file does. Where it returns nil the last token stays.
    public var freshToken: (@Sendable () -> String?)?
    /// The device's own name for itself; the same one again replaces the older connection.
    ///
    /// nil: the hub makes one.
    public var deviceID: String?
    /// A name of the device for people.
    public var deviceName: String?
    /// The CXProviderConfiguration; nil: CallKit's defaults.
    public var provider: ProviderConfiguration?
    /// Who fulfils the actions.
    public var fulfillment = Fulfillment.automatic
    /// Whether the client is offered whole transactions first.
    public var executesTransactions = false
    /// The client's wish to be notified, by `packetsDropped`, of audio packets that the hub drops.
    public var reportsDroppedPackets = false
    /// What the client wants to be able to do.
    public var permissions = [Permission.call]
    /// How sound reaches a member of a group.
    public var audioDelivery = AudioDelivery.mixed
    /// What the program calls itself.
    public var clientName = "HubClient"
    /// The program's version.
    public var clientVersion: String?

    /// Whether a certificate of a `wss://` hub must be valid; false only for try-outs.
    public var verifiesCertificate = true
    /// A PEM file of the certificates to trust in place of the system's.
    ///
    /// What signed the hub's certificate, or that one itself; nil: the system's.
    public var trustedCertificates: String?
    /// When to ping, when to give up, when to try again.
    public var timing = ClientTiming()
    /// Called on the loop's thread for each audio packet that arrives; it must return soon.
    public var onAudio: (@Sendable (ReceivedAudio) -> Void)?
    /// Called on the loop's thread when those who are heard change: before the first packet of a new one, and from then on no
    /// packet of one that is missing is to be played.
    public var onAudioSources: (@Sendable ([AudioSource]) -> Void)?
    /// The thread that carries the connection.
    public var loop = ClientLoop.shared

    /// The defaults.
    public init() {}
}

/// The times a client goes by; the defaults suit people, tests set shorter ones.
public struct ClientTiming: Hashable, Sendable {
    /// How long nothing may arrive before the client pings.
    ///
    /// Longer: less traffic on idle connections; shorter: a lost one is found sooner.
    public var pingAfterIdle = Duration.seconds(5)
    /// How long nothing may arrive before the connection counts as lost.
    ///
    /// Longer: slow networks are forgiven; shorter: a lost connection is taken up sooner.
    public var lostAfterSilence = Duration.seconds(10)
    /// How long nothing may arrive while an audio session is active before a second connection is tried.
    ///
    /// The hub sends a report every 200 ms then. The first one stays if it wakes up before the second one is open.
    /// Longer: fewer needless connections; shorter: less of the talk is lost.
    public var rescueAfterSilence = Duration.seconds(2)
    /// How long an attempt to connect and sign in may take.
    public var connectTimeout = Duration.seconds(8)
    /// How long an answer may take.
    public var answerTimeout = Duration.seconds(10)
    /// The second wait between attempts to connect again; the first attempt is at once, later waits double.
    public var firstRetryDelay = Duration.milliseconds(100)
    /// The longest wait between attempts.
    ///
    /// Longer: a hub that comes back is not run over; shorter: it is found sooner, and a client is to be back within a
    /// second of when it can.
    public var longestRetryDelay = Duration.milliseconds(750)
    /// How long to go on trying after a loss; nil: until `close()`.
    public var givesUpAfter: Duration?
    /// How long at most before it is looked again whether there is a newer token (`ClientOptions.freshToken`).
    ///
    /// A quarter of the time that the present one still has, if that is less. Longer: less is read for nothing; shorter: a
    /// token that is replaced early, or a clock that is wrong, matters less.
    public var looksForTokenAfter = Duration.seconds(60)
    /// How many packets of one's own may be unreported by the hub before sending stops until it has caught up.
    ///
    /// More: long round trips are no stall; fewer: less old sound arrives after a stall. 25 are half a second.
    public var mostUnreportedPackets = 25

    /// The defaults.
    public init() {}
}
