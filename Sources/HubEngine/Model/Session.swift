/// A signed-in device and its provider (row CK-01: one provider per session).
struct Session {
    private let signIn: Shared<SessionOpening>
    let account: AccountID
    /// Nil after `provider.invalidate`, until it is configured anew.
    var provider: ProviderConfiguration? { didSet { terms = Terms(provider, opening) } }
    /// What is asked of the configuration all the time.
    private(set) var terms: Terms
    /// The device's calls in the order in which they came.
    var calls: [CallID] = []
    /// What is not yet complete, in the order of acceptance.
    var transactions: [Transaction] = []
    /// The activated audio session; it covers exactly the calls with the focus.
    var audio: AudioSession?
    /// The SSRC of the last activation, which the next one must not have.
    var lastSSRC: UInt32 = 0
    /// What the relay was last told.
    var route = AudioRoute.closed
    /// What the client was last told that it hears.
    var sources: [AudioSource] = []

    init(_ opening: SessionOpening, account: AccountID) {
        self.account = account
        signIn = Shared(opening)
        provider = opening.provider
        terms = Terms(opening.provider, opening)
    }

    /// What the client said when it signed in.
    @inline(__always)
    var opening: SessionOpening { signIn.value }

    /// The configuration in force, or the last one that was.
    var configuration: ProviderConfiguration { provider ?? opening.provider }

    /// Taken out of the configuration: reading it there copies the strings beside it.
    struct Terms {
        /// Whether calls may ring on the device.
        let takesCalls: Bool
        let maximumCallGroups: Int
        let supportsVideo: Bool
        let includesCallsInRecents: Bool

        init(_ provider: ProviderConfiguration?, _ opening: SessionOpening) {
            let configuration = provider ?? opening.provider
            takesCalls = provider != nil && opening.mayCall
            maximumCallGroups = configuration.maximumCallGroups
            supportsVideo = configuration.supportsVideo
            includesCallsInRecents = configuration.includesCallsInRecents
        }
    }
}

/// What the engine keeps of an account: only while a device is signed in or one is waited for.
struct Account {
    let name: String
    /// In the order of signing in.
    var sessions: [SessionID] = []
    /// How many of them are told of the others' calls.
    var observers = 0
    /// The conversations that ring on its devices: a device that comes now rings too.
    var ringing: [ConversationID] = []
    /// External calls that ended lately: a report that comes late must not ring again (pitfall P32).
    var tombstones: [(call: CallUUID, until: Instant)] = []
}
