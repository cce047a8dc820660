public import HubEngine
public import HubWire

/// The options of a client for its sign-in and behaviour; the defaults suit a phone for one person.
public struct ClientOptions: Sendable {
    /// The password, if the hub requires one.
    public var password: String?
    /// The token, if the hub requires one; it may contain the account.
    public var token: String?
    /// The name of a guest, for a guest link that asks for one.
    public var guestName: String?
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
    /// The machine that the program runs on; nil: not said.
    ///
    /// The account's sessions that name the same one have one active call together.
    public var focus: String?
    /// The ID of the device of the account that the client operates, with the permission `operate`; nil: its own.
    ///
    /// Then `calls` and `call.changed` are that device's, and transactions are performed there.
    public var operatedDeviceID: String?
    /// The CXProviderConfiguration; nil: CallKit's defaults.
    public var provider: ProviderConfiguration?
    /// The side that fulfils the actions: the hub (automatic) or the client (manual).
    public var fulfillment = Fulfillment.automatic
    /// Indicates that the client is offered whole transactions first (`provider.execute`).
    public var executesTransactions = false
    /// Indicates that the hub notifies the client, by `packetsDropped`, of audio packets that it drops.
    public var reportsDroppedPackets = false
    /// The requested permissions.
    public var permissions = [Permission.call]
    /// The delivery of a group's audio: mixed by the hub, or one stream for each party.
    public var audioDelivery = AudioDelivery.streams
    /// The name of the program.
    public var clientName = "HubClient"
    /// The version of the program.
    public var clientVersion: String?

    /// Indicates that the certificate of a `wss://` hub is verified; false only for try-outs.
    public var verifiesCertificate = true
    /// The path of a PEM file with the trusted certificates, in place of the system's.
    ///
    /// The issuer of the hub's certificate, or that certificate itself; nil: the system's.
    public var trustedCertificatesFile: String?
    /// The intervals and timeouts of the connection.
    public var timing = ClientTiming()
    /// A closure called on the loop's thread for each received audio packet; it must return soon.
    public var onAudio: (@Sendable (ReceivedAudio) -> Void)?
    /// A closure called on the loop's thread when the audio sources change.
    ///
    /// It is called before the first packet of a new source. From then on no packet of a source that is missing from
    /// the list is to be played.
    public var onAudioSources: (@Sendable ([AudioSource]) -> Void)?
    /// A closure called on the loop's thread for each event, in place of `HubClient.events`; it must return soon.
    ///
    /// It saves the way through a task; the first events may come before the client has been returned.
    package var onEvent: (@Sendable (ClientEvent) -> Void)?
    /// The event loop of the connection.
    public var loop = ClientLoop.shared

    /// Creates options with the defaults.
    public init() {}

    /// The accepted certificates of a `wss://` hub.
    var certificateTrust: CertificateTrust {
        if !verifiesCertificate { return .unverified }
        return trustedCertificatesFile.map { .file($0) } ?? .system
    }
}
