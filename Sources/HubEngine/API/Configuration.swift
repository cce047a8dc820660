/// The times the engine keeps (decision D4), how much it takes, and the seed of its identifiers.
public struct EngineConfiguration: Hashable, Sendable {
    /// How long a call rings.
    ///
    /// Longer: more calls are reached; shorter: callers wait less for nobody.
    public var ringTimeout: Duration = .seconds(60)
    /// How long a client may take to fulfil a start action.
    public var startDeadline: Duration = .seconds(600)
    /// How long a client may take to fulfil an answer action.
    public var answerDeadline: Duration = .seconds(60)
    /// How long a client may take for any other action, and to answer `provider.execute`.
    public var actionDeadline: Duration = .seconds(5)
    /// How long a lost connection keeps its calls.
    ///
    /// Longer: more outages are survived; shorter: the other party waits less.
    public var resumeGrace: Duration = .seconds(60)
    /// How long the digits after a `,` wait (row CK-55).
    public var softPause: Duration = .seconds(2)
    /// How long a call waits for a callee without a device (row CK-80).
    ///
    /// Zero: such a call fails at once, `offline`.
    public var wakeWait: Duration = .zero
    /// How many calls a device may have, ringing and held ones and those of groups included, whatever its provider takes.
    ///
    /// More: larger switchboards; one client can make everybody else wait longer.
    public var maximumCallsPerDevice = 64
    /// What the identifiers and SSRCs are drawn from: the same seed and events give the same effects.
    public var seed: UInt64

    /// The defaults, and a seed.
    public init(seed: UInt64) {
        self.seed = seed
    }
}
