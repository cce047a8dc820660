/// What happened when a scenario was run: for reports, ladders and traces.
///
/// All times are since the run's beginning, on the run's own clock, which may be a virtual one.
public struct RunRecord: Sendable {
    /// What was run.
    public var scenario: Scenario
    /// The file that it stands in; nil: it was made in a program.
    public var file: String?
    /// What chance went by.
    public var seed: UInt64
    /// How it came out.
    public var verdict = Verdict.passed
    /// How long it took, on the run's clock.
    public var duration = Duration.zero
    /// The lines, in the order in which they were begun.
    public var steps: [StepRecord] = []
    /// What each device said, was told and heard; in the order of the scenario's parties.
    public var devices: [DeviceRecord] = []

    /// A run that has just begun.
    public init(_ scenario: Scenario, file: String?, seed: UInt64) {
        self.scenario = scenario
        self.file = file
        self.seed = seed
    }
}

/// How a run came out.
public enum Verdict: Hashable, Sendable {
    /// All came true.
    case passed
    /// Something did not.
    case failed(Failure)
    /// It was not run; a sentence says why.
    case skipped(String)
}

/// Why a run failed.
public struct Failure: Hashable, Sendable {
    /// The number of the step in ``RunRecord/steps``; nil: it belongs to no line.
    public var step: Int?
    /// What should have been, a sentence.
    public var expected: String
    /// What was, a sentence.
    public var came: String
    /// When it was seen; nil: when the step was done, or else at the run's end.
    public var at: Duration?

    /// A failure of its parts.
    public init(step: Int?, expected: String, came: String, at: Duration? = nil) {
        self.step = step
        self.expected = expected
        self.came = came
        self.at = at
    }
}

/// A line that was performed.
public struct StepRecord: Hashable, Sendable {
    /// The line's number in the file.
    public var line: Int
    /// The line.
    public var text: String
    /// How many blocks it is in.
    public var depth: Int
    /// When it was begun.
    public var begin: Duration
    /// When it was done; nil: never.
    public var end: Duration?
    /// What it had to wait for and measured, for people: `after 42 ms`; nil: nothing.
    public var note: String?
    /// Its place among all steps and messages of the run, which many may share a time with.
    public var order: Int

    /// A line that begins.
    public init(line: Int, text: String, depth: Int, begin: Duration, order: Int = 0) {
        self.order = order
        self.line = line
        self.text = text
        self.depth = depth
        self.begin = begin
    }
}

/// What one device said, was told and heard.
public struct DeviceRecord: Sendable {
    /// Whose.
    public var who: Who
    /// What went over its connection, in order.
    public var messages: [MessageRecord] = []
    /// When its audio session was active.
    public var audio: [AudioSpan] = []
    /// When its calls were held by it, by the calls' names.
    public var held: [HeldSpan] = []
    /// Whom it heard: spans without overlap, in order; silence is left out.
    public var heard: [HeardSpan] = []

    /// A device that has said and heard nothing.
    public init(_ who: Who) {
        self.who = who
    }
}

/// Something that went over a device's connection.
public struct MessageRecord: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable {
        /// From the client, to be answered.
        case request
        /// The hub's answer.
        case reply
        /// The hub's refusal.
        case refusal
        /// What the hub told unasked.
        case notification
        /// What happened to the connection itself.
        case connection
    }

    /// When it was sent or came.
    public var at: Duration
    /// What it is.
    public var kind: Kind
    /// The method, or the word for what happened to the connection.
    public var method: String
    /// What it says in a few words, with the scenario's names: `hold A, answer B`; `A connected`.
    public var summary: String
    /// The call that it is about; nil: none, or several.
    public var call: CallName?
    /// The whole message; nil: there was none.
    public var json: String?
    /// Its place among all steps and messages of the run, which many may share a time with.
    public var order: Int

    /// A message of its parts.
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
    /// When it was activated.
    public var begin: Duration
    /// When it was deactivated; nil: it was not.
    public var end: Duration?
    /// For which calls.
    public var calls: [CallName]

    /// An audio session that is active from now on.
    public init(begin: Duration, calls: [CallName]) {
        self.begin = begin
        self.calls = calls
    }
}

/// A time in which a call was held by its owner.
public struct HeldSpan: Hashable, Sendable {
    /// When it was held.
    public var begin: Duration
    /// When no more; nil: it was to the end.
    public var end: Duration?
    /// Which.
    public var call: CallName

    /// A call that is held from now on.
    public init(begin: Duration, call: CallName) {
        self.begin = begin
        self.call = call
    }
}

/// A time in which the same voices were heard.
public struct HeardSpan: Hashable, Sendable {
    /// From when.
    public var begin: Duration
    /// To when.
    public var end: Duration
    /// Whose, in the scenario's order; never empty.
    public var voices: [Voice]

    /// A span of its parts.
    public init(begin: Duration, end: Duration, voices: [Voice]) {
        self.begin = begin
        self.end = end
        self.voices = voices
    }
}
