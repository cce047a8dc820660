import CallSystem
public import Foundation

/// A conversation with sound, or with video.
///
/// The manager makes it; its state changes as the conversation goes on.
public final class Conversation: Sendable {
    /// The states of a conversation.
    public enum State: Int, Hashable, Codable, Sendable {
        /// The system knows the conversation, which is not active yet: it rings, or is about to start.
        case idle
        /// It is being set up.
        case joining
        /// The participants can talk.
        case joined
        /// Its sound and video are paused.
        case paused
        /// It is being ended.
        case leaving
        /// It is over.
        case left
    }

    /// The reasons for which a conversation ends that its user has not ended.
    public enum EndedReason: Int, Hashable, Codable, Sendable {
        /// An error occurred.
        case failed
        /// The remote participant ended it.
        case remoteEnded
        /// Nobody joined in time.
        case unanswered
        /// The user joined on another device.
        case joinedElsewhere
        /// The user declined on another device.
        case declinedElsewhere
    }

    /// The events of a conversation that an app reports.
    public enum Event: Hashable, Codable, Sendable {
        /// Participants or capabilities have changed.
        case conversationUpdated(Update)
        /// The conversation has started to connect, at a time.
        case conversationStartedConnecting(Date)
        /// The conversation is connected, since a time.
        case conversationConnected(Date)
        /// The conversation has ended, at a time and for a reason.
        case conversationEnded(Date, EndedReason)
    }

    private struct Values {
        var state = State.idle
        var localMember: Handle?
    }

    /// The UUID of the conversation.
    public let uuid: UUID
    private let values = Locked(Values())

    init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// The current state.
    public var state: State { values.withLock { $0.state } }

    /// The handle by which remote participants know the local one; nil: the app has not reported it.
    public var localMember: Handle? { values.withLock { $0.localMember } }

    /// Changes the state.
    ///
    /// - Parameter state: The new state; nothing follows `left`.
    /// - Returns: True if it differs from the former one.
    func enter(_ state: State) -> Bool {
        values.withLock { values in
            guard values.state != state, values.state != .left else { return false }
            values.state = state
            return true
        }
    }

    func setLocalMember(_ handle: Handle) {
        values.withLock { $0.localMember = handle }
    }
}

extension Conversation: CustomDebugStringConvertible {
    /// The UUID and the state.
    public var debugDescription: String { "<Conversation \(uuid) \(state)>" }
}
