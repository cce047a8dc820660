package import CallSystem
public import Foundation
package import HubEngine

/// An action on a conversation, which the app performs and then fulfils or fails, once.
public class ConversationAction: @unchecked Sendable {
    /// The states of an action.
    public enum State: Hashable, Codable, Sendable {
        /// The action was created and has not begun.
        case idle
        /// The action is being performed.
        case running
        /// The action was fulfilled.
        case complete
        /// The action has failed, for a reason.
        case failed(reason: String)
    }

    private struct Values {
        var state = State.idle
        var timeoutDate: Date
        var completion: ActionCompletion?
    }

    /// The UUID of the action, which is not the conversation's.
    public final let uuid: UUID
    /// The UUID of the conversation.
    public final let conversationUUID: UUID
    private let values: Locked<Values>

    init(uuid: UUID, conversation: UUID, timeoutDate: Date = Date(timeIntervalSinceNow: 30)) {
        (self.uuid, conversationUUID) = (uuid, conversation)
        values = Locked(Values(timeoutDate: timeoutDate))
    }

    /// Creates an action of no kind, which a manager refuses.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - timeoutDate: The time at which the action fails if it is not complete.
    public convenience init(conversationUUID: UUID, timeoutDate: Date = Date(timeIntervalSinceNow: 30)) {
        self.init(uuid: UUID(), conversation: conversationUUID, timeoutDate: timeoutDate)
    }

    /// The time at which the action fails if it is not complete; the system sets it when the action begins.
    public final var timeoutDate: Date { values.withLock { $0.timeoutDate } }

    /// The current state.
    public final var state: State { values.withLock { $0.state } }

    /// Reports that the action was performed; a second completion has no effect.
    public final func fulfill() {
        fulfill(at: nil)
    }

    /// Reports that the action could not be performed; a second completion has no effect.
    public final func fail() {
        end(.failed(reason: "The app failed the action."))?.fail()
    }

    /// Reports that the action was performed at a time (nil: now), and the program that translates the conversation.
    final func fulfill(at date: Date?, using engine: TranslationEngine? = nil) {
        end(.complete)?.fulfill(at: date, using: engine)
    }

    private func end(_ state: State) -> ActionCompletion? {
        values.withLock { values in
            guard !values.state.isEnd else { return nil }
            values.state = state
            return values.completion
        }
    }

    // MARK: The system

    /// The kind of the action as the system knows it; nil: it has none.
    var engineKind: ActionKind? { nil }

    /// Notes that the action has failed without the app.
    final func markFailed(_ reason: String) {
        _ = end(.failed(reason: reason))
    }
}

extension ConversationAction.State {
    fileprivate var isEnd: Bool {
        switch self {
        case .idle, .running: false
        case .complete, .failed: true
        }
    }
}

extension ConversationAction: PerformableAction {
    package final var isComplete: Bool { state.isEnd }

    package final func begin(_ action: Action, deadline: Date, completion: ActionCompletion?) {
        values.withLock { values in
            values.timeoutDate = deadline
            values.completion = completion
            if !values.state.isEnd { values.state = .running }
        }
    }

    package final func markComplete() {
        markFailed("The action has timed out, or its conversation is over.")
    }
}
