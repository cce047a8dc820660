public import HubAccountData
public import HubEngine

/// All settings of a hub; `config/callhub.json5` is their text, with the same defaults.
public struct HubSettings: Sendable {
    /// The settings of the sockets.
    public var transport = TransportSettings()
    /// The time for which a call rings.
    public var ringTimeout: Duration = .seconds(60)
    /// The time in which a client must fulfil a start action.
    public var startDeadline: Duration = .seconds(600)
    /// The time in which a client must fulfil an answer action.
    public var answerDeadline: Duration = .seconds(60)
    /// The time in which a client must fulfil any other action.
    public var actionDeadline: Duration = .seconds(5)
    /// The pause before the digits behind a `,`.
    public var softPause: Duration = .seconds(2)
    /// The sound for the held parties of users who have chosen none.
    public var holdAudio = HoldAudio.silence
    /// The time for which a call waits for a callee without a device; zero: it fails at once.
    public var pushWait: Duration = .zero
    /// The time for which a session whose connection is lost keeps its calls.
    public var resumeGrace: Duration = .seconds(60)
    /// The grace period for calls after the hub was asked to stop.
    public var drainGrace: Duration = .seconds(30)
    /// The interval over which the clients of a hub that stops are spread when they reconnect.
    ///
    /// Longer: less load on the hub that they connect to; they are disconnected for longer.
    public var drainRetryJitter: Duration = .seconds(10)
    /// The `ws://` or `wss://` URL to which the clients of a hub that stops are redirected; nil: they return here.
    public var drainElsewhere: String?
    /// The sustained rate of text messages of a connection, per second; bursts of five times as many are accepted.
    public var messagesPerSecond = 200
    /// The sustained rate of calls to one account, per second; bursts of five times as many are accepted.
    public var callsToAccountPerSecond = 100
    /// The maximum number of calls of an account, per minute and in one burst.
    public var callsByAccountPerMinute = 600
    /// The maximum number of calls of a guest, per minute and in one burst.
    public var callsByGuestPerMinute = 12
    /// The maximum number of calls of all guests of one invitation together, per minute and in one burst.
    public var callsByLinkPerMinute = 30
    /// The notifications per second that one account's requests may cause to others; bursts of five times as many.
    public var causedMessagesPerSecond = 2_000
    /// The bytes per second of these notifications; bursts of five times as many.
    public var causedBytesPerSecond = 1 << 20
    /// The maximum number of calls of a device, whatever its provider supports.
    public var callsPerDevice = 64
    /// The load, 0 to 1, from which on the hub refuses new sessions and calls; 1: it never refuses for load.
    public var overloadBusyShare = 0.9
    /// The limits of the data of an account.
    public var accountData = AccountDataLimits()
    /// The time for which calls stay in Recents; zero: until others replace them.
    public var recentsRetention: Duration = .zero
    /// The node's name, as in the reply to `session.open`.
    public var node = "callhub"
    /// The program's version, as in the reply to `session.open`.
    public var version = "0.1.0"
    /// The file for all events of the engine: a new file, or a folder; nil: none.
    public var eventsFile: String?
    /// The minimum interval between checks of the engine's invariants; zero: no checks.
    ///
    /// Shorter: a violation is found closer to its cause; each check delays everything, the more sessions the longer.
    public var invariantCheckInterval: Duration = .zero
    /// The file that gets a line for each call that has ended; nil: none.
    public var callsFile: String?
    /// The settings of the metrics page.
    public var metrics = MetricsSettings()
    /// The settings of the log.
    public var log = LogSettings()

    /// Makes the default settings.
    public init() {}

    /// Returns the engine's part of the settings.
    func engine(seed: UInt64) -> EngineConfiguration {
        var configuration = EngineConfiguration(seed: seed)
        configuration.ringTimeout = ringTimeout
        configuration.startDeadline = startDeadline
        configuration.answerDeadline = answerDeadline
        configuration.actionDeadline = actionDeadline
        configuration.resumeGrace = resumeGrace
        configuration.softPause = softPause
        configuration.pushWait = pushWait
        configuration.maximumCallsPerDevice = callsPerDevice
        return configuration
    }
}
