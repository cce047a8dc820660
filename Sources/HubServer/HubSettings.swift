public import HubEngine

/// Everything that can be set about a hub; `config/callhub.json5` is its text, with the same defaults.
public struct HubSettings: Sendable {
    /// The sockets.
    public var transport = TransportSettings()
    /// How long a call rings.
    public var ringTimeout: Duration = .seconds(60)
    /// How long a client may take to fulfil a start action.
    public var startDeadline: Duration = .seconds(600)
    /// How long a client may take to fulfil an answer action.
    public var answerDeadline: Duration = .seconds(60)
    /// How long a client may take for any other action.
    public var actionDeadline: Duration = .seconds(5)
    /// How long the digits after a `,` wait.
    public var softPause: Duration = .seconds(2)
    /// How long a call waits for a callee without a device; zero: it fails at once.
    public var wakeWait: Duration = .zero
    /// How long a lost connection keeps its calls.
    public var resumeGrace: Duration = .seconds(60)
    /// How long calls may go on after the hub was asked to stop.
    public var drainGrace: Duration = .seconds(30)
    /// Over how long the clients of a hub that stops are spread when they come back.
    ///
    /// Longer: the hub that they come to is pushed less; they are away for longer.
    public var drainRetryJitter: Duration = .seconds(10)
    /// Where the clients of a hub that stops are sent, a `ws://` or `wss://` URL; nil: they come back here.
    public var drainElsewhere: String?
    /// How many text messages a connection may send a second for good, and five times as many in one go.
    public var messagesPerSecond = 200
    /// How many calls a second may be placed to one account for good, and five times as many in one go.
    public var callsToAccountPerSecond = 100
    /// The number of calls that an account may place in a minute, and in one go.
    public var callsByAccountPerMinute = 600
    /// The number of calls that a guest may place in a minute, and in one go.
    public var callsByGuestPerMinute = 12
    /// The number of calls that all guests of one link together may place in a minute, and in one go.
    public var callsByLinkPerMinute = 30
    /// The notifications a second that one account's requests cause others to be sent, and five times as many in one go.
    public var causedMessagesPerSecond = 2_000
    /// The bytes of these, likewise.
    public var causedBytesPerSecond = 1 << 20
    /// How many calls a device may have, whatever its provider takes.
    public var callsPerDevice = 64
    /// The share of the time from which on a hub that is busy refuses new sessions and calls; 1: never for that.
    public var overloadBusyShare = 0.9
    /// How much is remembered of an account.
    public var memory = MemoryLimits()
    /// How long calls stay in Recents; zero: until others take their place.
    public var recentsRetention: Duration = .zero
    /// The node's name, as `session.open` gives it.
    public var node = "callhub"
    /// The program's version, as `session.open` gives it.
    public var version = "0.1.0"
    /// Where everything that comes into the engine is written to: a new file, or a folder; nil: nowhere.
    public var eventsFile: String?
    /// How often, at most, the engine's state is held against its rules; zero: never.
    ///
    /// Shorter: a broken rule is found nearer to what broke it; each look holds everything up, the longer the more sessions.
    public var invariantCheckInterval: Duration = .zero
    /// The file that gets a line for each call that is over; nil: none.
    public var callsFile: String?
    /// The readers of the metrics.
    public var metrics = MetricsSettings()
    /// What is written to the log.
    public var log = LogSettings()

    /// The defaults.
    public init() {}

    /// The engine's part.
    func engine(seed: UInt64) -> EngineConfiguration {
        var configuration = EngineConfiguration(seed: seed)
        configuration.ringTimeout = ringTimeout
        configuration.startDeadline = startDeadline
        configuration.answerDeadline = answerDeadline
        configuration.actionDeadline = actionDeadline
        configuration.resumeGrace = resumeGrace
        configuration.softPause = softPause
        configuration.wakeWait = wakeWait
        configuration.maximumCallsPerDevice = callsPerDevice
        return configuration
    }
}
