import AVFAudio
import CallSystem
import Foundation
import LiveCommunicationKit

/// An app as one writes it for LiveCommunicationKit: a manager and its delegate.
///
/// It fulfils every action unless a test says otherwise, and records what it is called with.
final class ConversationApp: ConversationManagerDelegate, Sendable {
    private struct State {
        var log: [String] = []
        var performed: [ConversationAction] = []
        /// The classes of the actions that are left alone.
        var ignored: [String] = []
        /// The classes of the actions that fail.
        var failed: [String] = []
    }

    let hub: SimulatedHub
    let system: CallSystem
    let manager: ConversationManager
    private let state = Locked(State())

    init(
        _ hub: SimulatedHub,
        settings: CallSystemSettings = CallSystemSettings(),
        configure: (inout ConversationManager.Configuration) -> Void = { _ in }
    ) {
        self.hub = hub
        system = hub.device("alice", settings: settings)
        var configuration = ConversationManager.Configuration(
            ringtoneName: nil,
            iconTemplateImageData: nil,
            maximumConversationGroups: 2,
            maximumConversationsPerConversationGroup: 5,
            includesConversationInRecents: true,
            supportsVideo: false,
            supportedHandleTypes: []
        )
        configure(&configuration)
        manager = system.run { ConversationManager(configuration: configuration) }
        manager.delegate = self
    }

    // MARK: What a test looks at

    func takeLog() -> [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    var performed: [ConversationAction] { state.withLock { $0.performed } }

    var states: [Conversation.State] { manager.conversations.map(\.state) }

    // MARK: What a test has the app do

    func ignore(_ name: String) {
        state.withLock { $0.ignored.append(name) }
    }

    func failAll(_ name: String) {
        state.withLock { $0.failed.append(name) }
    }

    /// Requests actions, and waits for what they cause.
    func perform(_ actions: ConversationAction...) async throws {
        try await manager.perform(actions)
        await hub.settle()
    }

    @discardableResult
    func start(_ value: String) async throws -> UUID {
        let uuid = UUID()
        let handle = Handle(type: .generic, value: value)
        try await perform(StartConversationAction(conversationUUID: uuid, handles: [handle], isVideo: false))
        return uuid
    }

    /// Reports an incoming conversation of the app's own network.
    @discardableResult
    func report(_ update: Conversation.Update) async throws -> UUID {
        let uuid = UUID()
        try await manager.reportNewIncomingConversation(uuid: uuid, update: update)
        await hub.settle()
        return uuid
    }

    private func note(_ entry: String) {
        state.withLock { $0.log.append(entry) }
    }

    // MARK: The delegate

    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {
        note("\(conversation.state)")
    }

    func conversationManagerDidBegin(_ manager: ConversationManager) { note("begin") }

    func conversationManagerDidReset(_ manager: ConversationManager) { note("reset") }

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        let name = "\(type(of: action))"
        note(name)
        let (isIgnored, isFailed) = state.withLock { state in
            state.performed.append(action)
            return (state.ignored.contains(name), state.failed.contains(name))
        }
        if isFailed { action.fail() } else if !isIgnored { action.fulfill() }
    }

    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {
        note("timed out \(type(of: action))")
    }

    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {
        note("activate")
    }

    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {
        note("deactivate")
    }
}
