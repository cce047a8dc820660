import AVFAudio
import CallSystem
import Dispatch
public import Foundation
import HubEngine
import HubWire

/// An app's manager of conversations: reports what happens to them, and has the app perform actions on them.
///
/// It shares the device's session at the hub with other managers, and with providers of CallKit.
public final class ConversationManager: Sendable {
    /// The configuration of the manager.
    public let configuration: Configuration
    private let system: CallSystem
    private let caller: ManagerCaller
    private let id: ProviderID

    /// Creates a manager, which begins at once.
    ///
    /// - Parameter configuration: Its configuration.
    public convenience init(configuration: Configuration) {
        self.init(configuration, on: .current)
    }

    private init(_ configuration: Configuration, on system: CallSystem) {
        (self.configuration, self.system) = (configuration, system)
        caller = ManagerCaller(.session(of: system))
        id = system.addProvider(caller, configuration.engineConfiguration, icon: configuration.iconTemplateImageData)
        caller.setManager(self)
        system.addObserver(caller, on: .main)
    }

    deinit {
        end()
    }

    /// The receiver of actions and changes, on the main queue; it is not retained.
    public weak var delegate: (any ConversationManagerDelegate)? {
        get { caller.delegate }
        set {
            caller.setDelegate(newValue)
            system.setDelegate(of: id, isSet: newValue != nil, queue: .main)
        }
    }

    /// The present conversations, in the order in which they came.
    public var conversations: [Conversation] { caller.conversations.all }

    // MARK: Actions

    /// Requests actions, all or none; the app performs them in their order.
    ///
    /// - Parameter actions: The actions; they come back to the delegate.
    /// - Throws: An `NSError` of CallKit's domain for transactions if they are not accepted.
    public func perform(_ actions: [ConversationAction]) async throws {
        let known = actions.compactMap { action in
            action.engineAction.map { (action: $0, object: action as any PerformableAction) }
        }
        guard known.count == actions.count else {
            let sentence = "A ConversationAction of no kind, or the start of a conversation with other than one handle."
            let error = CallSystemError(.requestTransaction, 6, sentence).foundationError
            for action in actions { action.markFailed(sentence) }
            throw error
        }
        let error = await withCheckedContinuation { (done: CheckedContinuation<CallSystemError?, Never>) in
            system.request(known, as: ActionList(actions), UUID(), on: .global()) { done.resume(returning: $0) }
        }
        guard let error else { return }
        for action in actions { action.markFailed(error.message) }
        throw error.foundationError
    }

    /// The actions that are not complete.
    public var pendingActions: [ConversationAction] {
        system.pendingTransactions(of: id).flatMap(\.performableActions).filter { !$0.isComplete }
            .compactMap { $0 as? ConversationAction }
    }

    /// Returns the actions on a conversation that are not complete.
    ///
    /// - Parameters:
    ///   - conversationActionClass: The class of the actions; `ConversationAction` means all.
    ///   - conversation: The conversation.
    /// - Returns: The actions of that class, in the order in which they are performed.
    public func pendingConversationActions(
        of conversationActionClass: ConversationAction.Type,
        for conversation: Conversation
    ) -> [ConversationAction] {
        system.pendingActions(of: id, on: conversation.uuid).compactMap { $0 as? ConversationAction }
            .filter { type(of: $0) == conversationActionClass || conversationActionClass == ConversationAction.self }
    }

    // MARK: Reports

    /// Reports an incoming conversation, which then rings.
    ///
    /// A call that rings at the hub, or was announced by a push, is bound to the report. Any other is one that the app
    /// carries by a network of its own.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the conversation.
    ///   - update: The data of the conversation.
    /// - Throws: An `NSError` of CallKit's domain for incoming calls if the conversation does not ring.
    public func reportNewIncomingConversation(uuid: UUID, update: Conversation.Update) async throws {
        let error = await withCheckedContinuation { (done: CheckedContinuation<CallSystemError?, Never>) in
            system.reportIncomingCall(uuid, update.engineUpdate, by: id, on: .global()) { done.resume(returning: $0) }
        }
        if let error { throw error.foundationError }
        let conversation = caller.conversations.conversation(uuid)
        if let localMember = update.localMember { conversation.setLocalMember(localMember) }
    }

    /// Reports an event of a conversation; progress of one that the hub carries has no effect, since the hub knows it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - conversation: The conversation.
    public func reportConversationEvent(_ event: Conversation.Event, for conversation: Conversation) {
        let uuid = conversation.uuid
        switch event {
        case .conversationUpdated(let update):
            if let localMember = update.localMember { conversation.setLocalMember(localMember) }
            system.report(update.engineUpdate, on: uuid)
        case .conversationStartedConnecting(let date): system.reportOutgoing(uuid, .startedConnecting, at: date)
        case .conversationConnected(let date): system.reportOutgoing(uuid, .connected, at: date)
        case .conversationEnded(let date, let reason): system.reportEnd(of: uuid, reason.engineReason, at: date)
        }
    }

    /// Reports the payload of a push that a notification service extension has received, which this process is not.
    ///
    /// - Parameter payload: The payload.
    /// - Throws: An `NSError` of CallKit's domain for such extensions, always.
    public class func reportNewIncomingVoIPPushPayload(_ payload: [AnyHashable: Any]) async throws {
        throw NSError(domain: "com.apple.CallKit.error.notificationserviceextension", code: 1)
    }

    // MARK: End

    /// Ends the manager: its conversations end, its actions fail, and the delegate receives nothing more.
    public func invalidate() {
        end()
    }

    private func end() {
        guard caller.close() else { return }
        system.removeObserver(caller)
        system.invalidate(id)
    }
}

extension Conversation.EndedReason {
    fileprivate var engineReason: EndReason {
        switch self {
        case .failed: .failed
        case .remoteEnded: .remoteEnded
        case .unanswered: .unanswered
        case .joinedElsewhere: .answeredElsewhere
        case .declinedElsewhere: .declinedElsewhere
        }
    }
}

extension CallSystemError {
    /// The error of CallKit's with the same domain and code; the sentence is its debug description.
    fileprivate var foundationError: NSError {
        NSError(domain: domain.identifier, code: code, userInfo: [NSDebugDescriptionErrorKey: message])
    }
}
