public import HubEngine

/// A line of an event log after the header: an event of the engine, and its time.
///
/// An event log is a text of JSON Lines: the `EventLogHeader`, then these. The same header and entries give the same
/// effects, byte for byte.
public struct EventLogEntry: Hashable, Sendable {
    /// The kind of an entry.
    public enum Content: Hashable, Sendable {
        /// A call of `Engine.handle`.
        case event(Event)
        /// A call of `Engine.advance`: a timer was due without an event.
        case timePassed
    }

    /// The time in nanoseconds, since deadlines are counted from it.
    public var time: Instant
    /// The event, or the passing of time.
    public var content: Content

    /// Creates an entry.
    public init(time: Instant, _ content: Content) {
        self.time = time
        self.content = content
    }

    var name: Name {
        switch content {
        case .timePassed: .timePassed
        case .event(.sessionOpened): .sessionOpened
        case .event(.sessionResumed): .sessionResumed
        case .event(.sessionLost): .sessionLost
        case .event(.sessionClosed): .sessionClosed
        case .event(.request): .request
        case .event(.lookedUp): .lookedUp
        case .event(.screened): .screened
        case .event(.groupNaming): .groupNaming
        case .event(.holdAudio): .holdAudio
        case .event(.endConversation): .endConversation
        case .event(.drain): .drain
        }
    }

    /// The member `event`: the names of the engine's cases.
    enum Name: String, CaseIterable, WireKeyword {
        case sessionOpened, sessionResumed, sessionLost, sessionClosed, request, lookedUp, screened, groupNaming
        case holdAudio, endConversation, drain, timePassed
    }

    /// The member `target` of a look-up's result.
    enum TargetName: String, CaseIterable, WireKeyword {
        case account, builtIn, unknown
    }
}

/// An error in a line of an event log, as the end of "FILE:LINE: …".
public struct EventLogError: Error, Hashable, Sendable {
    /// The error and what would be right, without a period.
    public var message: String
}

// Sessions and conversations are slots of tables: their keys are written as "slot.generation".

extension SlotKey {
    var text: String { "\(index).\(generation)" }

    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt32(parts[0]), let generation = UInt32(parts[1]) else { return nil }
        self.init(index: index, generation: generation)
    }
}

extension SessionID {
    /// The session's name in event logs: `3.0`.
    public var logText: String { text }
}

extension ConversationID {
    /// The conversation's name in event logs and in `admin.calls`: `3.0`.
    public var logText: String { text }

    /// Parses the name of a conversation; nil if the text is none.
    public init?(logText: String) { self.init(text: logText) }
}
