public import HubEngine
public import HubWire

/// A scenario of what people did, made of what the devices of their accounts were told (`record.told`).
public struct Recording: Sendable {
    /// What can be run again.
    public var scenario: Scenario
    /// What could not be put in words, a sentence each, without a stop at its end.
    public var notes: [String]

    /// Writes down what the devices of some accounts were told.
    ///
    /// - Parameters:
    ///   - entries: What was told, in the order in which it came; what came over different connections may be mixed.
    ///   - accounts: Whose devices they are.
    ///   - style: What is to be written, and how.
    public init(of entries: [Entry], accounts: [Account], style: Style = Style()) {
        // What one event has caused comes over several connections; the sort is stable.
        let sorted = entries.enumerated().sorted {
            ($0.element.news.event, $0.offset) < ($1.element.news.event, $1.offset)
        }
        var writer = StoryWriter(accounts, style)
        var group: [Entry] = []
        for (_, entry) in sorted {
            if let first = group.first, first.news.event != entry.news.event {
                writer.take(group)
                group = []
            }
            group.append(entry)
        }
        if !group.isEmpty { writer.take(group) }
        writer.flush()
        (scenario, notes) = writer.finished()
    }

    /// The file's text: what could not be said stands in comments at its top.
    public var text: String {
        notes.map { "# Not here: \(Plain.comment($0)).\n" }.joined() + ScenarioText.text(of: scenario)
    }
}

extension Recording {
    /// Something that a device of an account was told.
    public struct Entry: Sendable {
        /// Whose device.
        public var account: String
        /// What.
        public var news: RecordedNews

        /// An entry of its parts.
        public init(account: String, news: RecordedNews) {
            self.account = account
            self.news = news
        }
    }

    /// An account that is recorded.
    public struct Account: Sendable {
        /// Its name.
        public var name: String
        /// How it is reached.
        public var handles: [Handle]

        /// An account of its parts.
        public init(name: String, handles: [Handle]) {
            self.name = name
            self.handles = handles
        }
    }

    /// What is written, and how.
    public struct Style: Sendable {
        /// The scenario's title.
        public var title = "What was recorded"
        /// Whether there are lines that wait where people paused.
        public var hasWaits = true
        /// Whether it is expected who hears whom.
        public var hasSound = true
        /// How long the recorded hub lets a call ring; nil: not known.
        public var ringTimeout: Duration?
        /// How long the recorded hub keeps the calls of a lost connection; nil: not known.
        public var resumeGrace: Duration?

        /// The usual one.
        public init() {}
    }
}
