/// The arbitration of calls with CallKit's semantics: a value, events in and effects out, no clock, no I/O.
///
/// Handle one event, carry out **all** its effects in order, then the next; effects never call back in, what they cause
/// is an event again. Same configuration and same events give the same effects, byte for byte.
///
/// ```swift
/// var engine = Engine(EngineConfiguration(seed: 1))
/// var effects: [Effect] = []
/// engine.handle(.sessionOpened(opening, token: token), at: now, into: &effects)
/// ```
public struct Engine: Sendable {
    let configuration: EngineConfiguration

    /// An engine without sessions.
    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
    }

    /// Applies one event at `now`, after everything that was due until then; appends what must be done to `effects`.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: the time; smaller than the last one counts as the last one.
    ///   - effects: appended to, in the order in which they must be carried out.
    public mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    }

    /// Applies everything that is due until `now`.
    public mutating func advance(to now: Instant, into effects: inout [Effect]) {
    }

    /// When `advance` must be called next; nil: nothing is waited for.
    public var nextDeadline: Instant? { nil }

    /// Where a session's packets go now.
    public func audioRoute(of session: SessionID) -> AudioRoute { .closed }
}
