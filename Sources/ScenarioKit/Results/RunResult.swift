/// The record of a run, for reports, ladders and traces.
///
/// All times are relative to the run's beginning, on the run's own clock, which may be a virtual one.
public struct RunResult: Sendable {
    /// The scenario of the run.
    public var scenario: Scenario
    /// The scenario's file; nil: it was created in a program.
    public var file: String?
    /// The seed of the random numbers.
    public var seed: UInt64
    /// The result of the run.
    public var verdict = Verdict.passed
    /// The duration on the run's clock.
    public var duration = Duration.zero
    /// The performed steps, in the order of their beginnings.
    public var steps: [StepRecord] = []
    /// The messages and the sound of each device, in the order of the scenario's parties.
    public var devices: [DeviceRecord] = []

    /// Creates the record of a run that has just begun.
    public init(_ scenario: Scenario, file: String?, seed: UInt64) {
        self.scenario = scenario
        self.file = file
        self.seed = seed
    }
}

/// The result of a run.
public enum Verdict: Hashable, Sendable {
    /// All expectations were met.
    case passed
    /// An expectation or a rule was violated.
    case failed(Failure)
    /// The run did not take place, with the reason as a sentence.
    case skipped(String)
}

/// The reason why a run failed.
public struct Failure: Hashable, Sendable {
    /// The index of the step in ``RunResult/steps``; nil: it belongs to no step.
    public var step: Int?
    /// The expected state, a sentence.
    public var expected: String
    /// The actual state, a sentence.
    public var actual: String
    /// The time of the failure; nil: the end of the step or, without one, of the run.
    public var at: Duration?

    /// Creates a failure from its parts.
    public init(step: Int?, expected: String, actual: String, at: Duration? = nil) {
        self.step = step
        self.expected = expected
        self.actual = actual
        self.at = at
    }
}

/// A step that was performed.
public struct StepRecord: Hashable, Sendable {
    /// The line's number in the file.
    public var line: Int
    /// The line's text.
    public var text: String
    /// The number of blocks around it.
    public var depth: Int
    /// The time of its beginning.
    public var begin: Duration
    /// The time of its end; nil: it did not end.
    public var end: Duration?
    /// The time that it waited or another measurement, for people: `after 42 ms`; nil: none.
    public var note: String?
    /// The sequence number among all steps and messages of the run, many of which may have the same time.
    public var order: Int

    /// Creates the record of a step that begins.
    public init(line: Int, text: String, depth: Int, begin: Duration, order: Int = 0) {
        self.order = order
        self.line = line
        self.text = text
        self.depth = depth
        self.begin = begin
    }
}

/// The messages and the sound of one device.
public struct DeviceRecord: Sendable {
    /// The device.
    public var deviceReference: DeviceReference
    /// The messages and events of its connection, in order.
    public var messages: [MessageRecord] = []
    /// The times in which its audio session was active.
    public var audio: [AudioSpan] = []
    /// The times in which it held its calls, by the calls' names.
    public var held: [HeldSpan] = []
    /// The received voices as spans without overlap, in order; silence is left out.
    public var receivedVoices: [ReceivedVoicesSpan] = []

    /// Creates the empty record of a device.
    public init(_ deviceReference: DeviceReference) {
        self.deviceReference = deviceReference
    }
}

/// A message or an event of a device's connection.
public struct MessageRecord: Hashable, Sendable {
    /// The kind of a message.
    public enum Kind: String, Hashable, Sendable {
        /// A request of the client, which the hub answers.
        case request
        /// The hub's answer.
        case reply
        /// The hub's refusal.
        case refusal
        /// A notification of the hub.
        case notification
        /// An event of the connection itself.
        case connection
    }

    /// The time at which it was sent or received.
    public var at: Duration
    /// The kind of the message.
    public var kind: Kind
    /// The method, or the word for the event of the connection.
    public var method: String
    /// A short description with the scenario's names: `hold A, answer B`; `A connected`.
    public var summary: String
    /// The call that it is about; nil: none, or several.
    public var call: CallName?
    /// The message as JSON; nil: it is an event of the connection.
    public var json: String?
    /// The sequence number among all steps and messages of the run, many of which may have the same time.
    public var order: Int

    /// Creates a message from its parts.
    public init(
        at: Duration,
        kind: Kind,
        method: String,
        summary: String,
        call: CallName? = nil,
        json: String? = nil,
        order: Int = 0
    ) {
        self.order = order
        self.at = at
        self.kind = kind
        self.method = method
        self.summary = summary
        self.call = call
        self.json = json
    }
}

/// A time in which an audio session was active.
public struct AudioSpan: Hashable, Sendable {
    /// The time of its activation.
    public var begin: Duration
    /// The time of its deactivation; nil: it was not deactivated.
    public var end: Duration?
    /// The calls of the session.
    public var calls: [CallName]

    /// Creates the span of an audio session that is active from now on.
    public init(begin: Duration, calls: [CallName]) {
        self.begin = begin
        self.calls = calls
    }
}

/// A time in which a call was held by its owner.
public struct HeldSpan: Hashable, Sendable {
    /// The time at which the hold began.
    public var begin: Duration
    /// The time at which the hold ended; nil: it did not end.
    public var end: Duration?
    /// The held call.
    public var call: CallName

    /// Creates the span of a call that is held from now on.
    public init(begin: Duration, call: CallName) {
        self.begin = begin
        self.call = call
    }
}

/// A time in which the same voices were received.
public struct ReceivedVoicesSpan: Hashable, Sendable {
    /// The time of the beginning.
    public var begin: Duration
    /// The time of the end.
    public var end: Duration
    /// The voices in the scenario's order; never empty.
    public var voices: [Voice]

    /// Creates a span from its parts.
    public init(begin: Duration, end: Duration, voices: [Voice]) {
        self.begin = begin
        self.end = end
        self.voices = voices
    }
}
