public import HubEngine

/// One line of a recording, after its first: what came into an engine, and when.
///
/// A recording is text, JSON Lines: the `RecordingHeader`, then these. Same header and same records give the same
/// effects, byte for byte.
public struct EventRecord: Hashable, Sendable {
    /// What may come into an engine.
    public enum Content: Hashable, Sendable {
        /// By `Engine.handle`.
        case event(Event)
        /// By `Engine.advance`: nothing happened, but something was due.
        case timePassed
    }

    /// When; to the nanosecond, since deadlines count from it.
    public var time: Instant
    /// What came.
    public var content: Content

    /// A record of its two parts.
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
        case .event(.endConversation): .endConversation
        case .event(.drain): .drain
        }
    }

    /// The member `event`: the names of the engine's cases.
    enum Name: String, CaseIterable, WireWord {
        case sessionOpened, sessionResumed, sessionLost, sessionClosed, request, lookedUp, screened, endConversation
        case drain, timePassed
    }

    /// The member `target` of what was looked up.
    enum TargetName: String, CaseIterable, WireWord {
        case account, builtIn, unknown
    }
}

/// What is wrong with a line of a recording, as the end of "FILE:LINE: …".
public struct RecordingFault: Error, Hashable, Sendable {
    /// What is wrong and what would be right, without a period.
    public var message: String
}

// Sessions and conversations are slots of tables: their keys are told as "slot.generation".

extension SlotKey {
    var text: String { "\(index).\(generation)" }

    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt32(parts[0]), let generation = UInt32(parts[1]) else { return nil }
        self.init(index: index, generation: generation)
    }
}

extension SessionID {
    /// The session as recordings name it: `3.0`.
    public var recordedText: String { text }
}

extension ConversationID {
    /// The conversation as recordings and `admin.calls` name it: `3.0`.
    public var recordedText: String { text }

    /// Reads the name of a conversation; nil where the text is none.
    public init?(recordedText: String) { self.init(text: recordedText) }
}
