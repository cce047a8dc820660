/// A signed-in device and its provider (row CK-01: one provider per session).
struct Session {
    private let signIn: CopyOnWrite<SessionOpening>
    let account: AccountID
    /// The provider's configuration; nil after `provider.invalidate`, until it is configured again.
    var provider: ProviderConfiguration? { didSet { providerLimits = ProviderLimits(provider, opening) } }
    /// The often-used values of the configuration.
    private(set) var providerLimits: ProviderLimits
    /// True if the client is offered whole transactions first.
    var executesTransactions: Bool
    /// The device's calls, in the order in which they were added.
    var calls: [CallID] = []
    /// The transactions that are not complete, in the order of acceptance.
    var transactions: [Transaction] = []
    /// The active audio session; it covers exactly the calls with the focus.
    var audio: AudioSession?
    /// The SSRC of the last activation, which the next one must not have.
    var lastSSRC: UInt32 = 0
    /// The route last sent to the relay.
    var route = AudioRoute.closed
    /// The audio sources last sent to the client.
    var sources: [AudioSource] = []

    init(_ opening: SessionOpening, account: AccountID) {
        self.account = account
        signIn = CopyOnWrite(opening)
        provider = opening.provider
        executesTransactions = opening.executesTransactions
        providerLimits = ProviderLimits(opening.provider, opening)
    }

    /// The client's sign-in.
    @inline(__always)
    var opening: SessionOpening { signIn.value }

    /// The configuration in force, or the last one if the provider was invalidated.
    var configuration: ProviderConfiguration { provider ?? opening.provider }

    /// The often-used values of a configuration: reading them there would copy the strings beside them.
    struct ProviderLimits {
        /// True if calls may ring on the device.
        let acceptsCalls: Bool
        let maximumCallGroups: Int
        let supportsVideo: Bool
        let includesCallsInRecents: Bool

        init(_ provider: ProviderConfiguration?, _ opening: SessionOpening) {
            let configuration = provider ?? opening.provider
            acceptsCalls = provider != nil && opening.mayCall
            maximumCallGroups = configuration.maximumCallGroups
            supportsVideo = configuration.supportsVideo
            includesCallsInRecents = configuration.includesCallsInRecents
        }
    }
}

/// The engine's state of an account, kept only while a device is signed in or a call waits for one.
struct Account {
    let name: String
    /// The account's sessions, in the order of sign-in.
    var sessions: [SessionID] = []
    /// The number of sessions that observe the other devices' calls.
    var observers = 0
    /// The number of sessions that operate another device.
    var operators = 0
    /// True if the account is shown to the other members of groups as nobody (row CH-01).
    var isHiddenInGroups = false
    /// The sound that the account's held parties receive (rule CH-09).
    var holdAudio = HoldAudio.silence
    /// The conversations that ring on its devices: a device that signs in now rings too.
    var ringing: [ConversationID] = []
    /// External calls that ended recently: a late report of one must not ring again (pitfall P32).
    var tombstones: [(call: CallUUID, until: Instant)] = []
}
