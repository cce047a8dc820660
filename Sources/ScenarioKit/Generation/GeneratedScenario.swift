public import HubEngine
public import HubWire

/// A scenario that is generated from the notifications of recorded devices (`record.told`).
public struct GeneratedScenario: Sendable {
    /// The generated scenario.
    public var scenario: Scenario
    /// The events that the scenario cannot express, one sentence each, without a full stop.
    public var notes: [String]

    /// Generates a scenario from the notifications of some accounts' devices.
    ///
    /// - Parameters:
    ///   - entries: The notifications in the order of arrival; those of different connections may be interleaved.
    ///   - accounts: The recorded accounts.
    ///   - style: The options of the generated scenario.
    public init(of entries: [Entry], accounts: [Account], style: Style = Style()) {
        // The effects of one event arrive over several connections; the sort is stable.
        let sorted = entries.enumerated().sorted {
            ($0.element.recordedEvent.event, $0.offset) < ($1.element.recordedEvent.event, $1.offset)
        }
        var writer = ScenarioGenerator(accounts, style)
        var group: [Entry] = []
        for (_, entry) in sorted {
            if let first = group.first, first.recordedEvent.event != entry.recordedEvent.event {
                writer.take(group)
                group = []
            }
            group.append(entry)
        }
        if !group.isEmpty { writer.take(group) }
        writer.addExpectations()
        (scenario, notes) = writer.finished()
    }

    /// The file's text; events that the scenario cannot express are comments at its beginning.
    public var text: String {
        notes.map { "# Not here: \(LineFormat.comment($0)).\n" }.joined() + ScenarioText.text(of: scenario)
    }
}

extension GeneratedScenario {
    /// A notification that a device of a recorded account received.
    public struct Entry: Sendable {
        /// The account of the device.
        public var account: String
        /// The notification or the event of the session.
        public var recordedEvent: RecordedEvent

        /// Creates an entry from its parts.
        public init(account: String, recordedEvent: RecordedEvent) {
            self.account = account
            self.recordedEvent = recordedEvent
        }
    }

    /// A recorded account.
    public struct Account: Sendable {
        /// The account's name.
        public var name: String
        /// The handles that reach the account.
        public var handles: [Handle]

        /// Creates an account from its parts.
        public init(name: String, handles: [Handle]) {
            self.name = name
            self.handles = handles
        }
    }

    /// The options of the generated scenario.
    public struct Style: Sendable {
        /// The scenario's title.
        public var title = "What was recorded"
        /// Indicates that the scenario contains waits where the users paused.
        public var hasWaits = true
        /// Indicates that the scenario expects the voices that each device receives.
        public var hasSound = true
        /// The ring timeout of the recorded hub; nil: unknown.
        public var ringTimeout: Duration?
        /// The resume grace of the recorded hub, for which it keeps the calls of a lost connection; nil: unknown.
        public var resumeGrace: Duration?

        /// Creates the default options.
        public init() {}
    }
}
