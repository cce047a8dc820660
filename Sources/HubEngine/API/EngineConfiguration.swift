/// The engine's timeouts (decision D4), its limit of calls for each device, and the seed of its identifiers.
public struct EngineConfiguration: Hashable, Sendable {
    /// The time that a call rings before it ends as unanswered.
    ///
    /// Longer: more calls are answered; shorter: callers wait less when nobody answers.
    public var ringTimeout: Duration = .seconds(60)
    /// The time that a client has to fulfil a start action, or to play the digits after a `;`.
    public var startDeadline: Duration = .seconds(600)
    /// The time that a client has to fulfil an answer or pull action.
    public var answerDeadline: Duration = .seconds(60)
    /// The time that a client has to fulfil any other action, and to answer `provider.execute`.
    public var actionDeadline: Duration = .seconds(5)
    /// The time for which a client can resume the calls of a lost connection.
    ///
    /// Longer: more outages are survived; shorter: the other party waits less.
    public var resumeGrace: Duration = .seconds(60)
    /// The pause in front of the digits after a `,` (row CK-55).
    public var softPause: Duration = .seconds(2)
    /// The time that a call waits for a callee with no device online (row CK-80).
    ///
    /// Zero: such a call fails at once, with the cause `offline`.
    public var pushWait: Duration = .zero
    /// The maximum number of calls of a device, beside its provider's own limits.
    ///
    /// Ringing, held and grouped calls count.
    ///
    /// More: larger switchboards; a single client can delay all others more.
    public var maximumCallsPerDevice = 64
    /// The seed of the identifiers and SSRCs: the same seed and events give the same effects.
    public var seed: UInt64

    /// Creates a configuration with the default values and a seed.
    public init(seed: UInt64) {
        self.seed = seed
    }
}
