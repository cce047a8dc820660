import AVFAudio
import CallSystem
import Foundation
import HubEngine

/// Calls a manager's delegate for the call system, and keeps the conversations.
final class ManagerCaller: ProviderClient, CallObserverClient {
    private struct State {
        weak var manager: ConversationManager?
        weak var delegate: (any ConversationManagerDelegate)?
        var isClosed = false
    }

    let conversations = ConversationList()
    // The delegate is the app's, and used as the app uses it.
    private let state = Locked(State())
    private let audio: AVAudioSession

    init(_ audio: AVAudioSession) {
        self.audio = audio
    }

    func setManager(_ manager: ConversationManager) {
        state.withLock { $0.manager = manager }
    }

    var delegate: (any ConversationManagerDelegate)? { state.withLock { $0.delegate } }

    func setDelegate(_ delegate: (any ConversationManagerDelegate)?) {
        state.withLock { $0.delegate = delegate }
    }

    /// Calls the delegate no more; returns true at the first time.
    func close() -> Bool {
        let isFirst = state.withLock { state in
            defer { (state.isClosed, state.delegate) = (true, nil) }
            return !state.isClosed
        }
        if isFirst { conversations.removeAll() }
        return isFirst
    }

    @discardableResult
    private func call(_ body: (any ConversationManagerDelegate, ConversationManager) -> Void) -> Bool {
        let (delegate, manager) = state.withLock { ($0.delegate, $0.manager) }
        guard let delegate, let manager else { return false }
        body(delegate, manager)
        return true
    }

    // MARK: Conversations

    func callChanged(_ call: ObservableCall) {
        guard !state.withLock({ $0.isClosed }) else { return }
        let conversation = conversations.conversation(call.uuid)
        let before = conversation.state
        let now: Conversation.State =
            if call.hasEnded { .left } else if call.isOnHold { .paused } else if call.hasConnected { .joined } else {
                before
            }
        let isNew = conversations.noteShown(conversation)
        enter(now, conversation, isNew: isNew)
        if now == .left { conversations.remove(conversation) }
    }

    private func enter(_ state: Conversation.State, _ conversation: Conversation, isNew: Bool = false) {
        guard conversation.enter(state) || isNew else { return }
        call { $0.conversationManager($1, conversationChanged: conversation) }
    }

    /// Calls a closure while the delegate lives; returns false if there is none.
    func receive(_ callback: (any ProviderClient) -> Void) -> Bool {
        let (delegate, manager) = state.withLock { ($0.delegate, $0.manager) }
        // Without its manager nobody can set another delegate.
        guard delegate != nil || manager == nil else { return false }
        withExtendedLifetime((delegate, manager)) { callback(self) }
        return true
    }

    // MARK: Objects

    /// True: its delegates have no method that takes transactions.
    var leavesTransactions: Bool { true }

    func makeAction(_ action: Action) -> (any PerformableAction)? { ConversationAction.make(action) }

    func makeTransaction(_ id: UUID, _ actions: [any PerformableAction]) -> any PerformableTransaction {
        ActionList(actions.compactMap { $0 as? ConversationAction })
    }

    // MARK: Callbacks

    func didBegin() {
        call { $0.conversationManagerDidBegin($1) }
    }

    func didReset() {
        for conversation in conversations.removeAll() { _ = conversation.enter(.left) }
        call { $0.conversationManagerDidReset($1) }
    }

    func execute(_ transaction: any PerformableTransaction) -> Bool { false }

    func perform(_ action: any PerformableAction) -> Bool {
        guard let action = action as? ConversationAction else { return false }
        switch action {
        case is StartConversationAction, is JoinConversationAction:
            enter(.joining, conversations.conversation(action.conversationUUID))
        case is EndConversationAction:
            if let conversation = conversations.present(action.conversationUUID) { enter(.leaving, conversation) }
        default: break
        }
        return call { $0.conversationManager($1, perform: action) }
    }

    func timedOut(_ action: any PerformableAction) {
        guard let action = action as? ConversationAction else { return }
        call { $0.conversationManager($1, timedOutPerforming: action) }
    }

    func didActivateAudio() {
        call { $0.conversationManager($1, didActivate: audio) }
    }

    func didDeactivateAudio() {
        call { $0.conversationManager($1, didDeactivate: audio) }
    }
}

/// The present conversations of a manager, in the order in which they came.
final class ConversationList: Sendable {
    private struct Entry {
        let conversation: Conversation
        /// Indicates that the delegate knows of it.
        var isShown = false
    }

    private let entries = Locked<[Entry]>([])

    var all: [Conversation] { entries.withLock { $0.map(\.conversation) } }

    /// Returns the conversation with a UUID; nil: there is none.
    func present(_ uuid: UUID) -> Conversation? { all.first { $0.uuid == uuid } }

    /// Returns the conversation with a UUID, which is made if there is none.
    func conversation(_ uuid: UUID) -> Conversation {
        entries.withLock { entries in
            if let entry = entries.first(where: { $0.conversation.uuid == uuid }) { return entry.conversation }
            let conversation = Conversation(uuid)
            entries.append(Entry(conversation: conversation))
            return conversation
        }
    }

    /// Notes that the system has shown a conversation; returns true at the first time.
    func noteShown(_ conversation: Conversation) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.conversation === conversation }) else { return false }
            defer { entries[index].isShown = true }
            return !entries[index].isShown
        }
    }

    func remove(_ conversation: Conversation) {
        entries.withLock { entries in
            entries.removeAll { $0.conversation === conversation }
        }
    }

    @discardableResult
    func removeAll() -> [Conversation] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries.map(\.conversation)
        }
    }
}
