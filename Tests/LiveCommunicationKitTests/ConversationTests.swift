import CallSystem
import Foundation
import LiveCommunicationKit
import Testing

/// Conversations of an app with LiveCommunicationKit, in virtual time.
struct ConversationTests {
    private let hub: SimulatedHub
    private let app: ConversationApp
    private let bob: CallScreen
    private let carol: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        app = ConversationApp(hub)
        (bob, carol) = (hub.phone("bob"), hub.phone("carol"))
        await hub.settle()
        #expect(app.takeLog() == ["begin"])
    }

    /// The names of states in the app's log.
    private static let states = ["idle", "joining", "joined", "paused", "left"]

    /// Has the app in a conversation with Bob.
    private func talkToBob() async throws -> UUID {
        let uuid = try await app.start("bob")
        try await bob.answer()
        _ = app.takeLog()
        return uuid
    }

    private func code(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test func `a start makes a conversation that joins and is joined when the other end answers`() async throws {
        let uuid = try await app.start("bob")
        #expect(app.states == [.joining] && app.manager.conversations.map(\.uuid) == [uuid])
        #expect(bob.calls.map(\.state) == [.ringing] && app.performed.map(\.state) == [.complete])
        try await bob.answer()
        #expect(app.states == [.joined])
        let log = app.takeLog()
        #expect(log.filter { Self.states.contains($0) } == ["idle", "joining", "joined"])
        #expect(log.filter { !Self.states.contains($0) } == ["StartConversationAction", "activate"])
    }

    @Test func `a call of the hub is a conversation that rings, is joined and is ended by the other end`() async throws
    {
        try await bob.start("alice")
        #expect(app.states == [.idle])
        try await app.system.user.answer()
        #expect(app.states == [.joined] && bob.calls.map(\.state) == [.connected])
        let conversation = try #require(app.manager.conversations.first)
        try await bob.end()
        #expect(conversation.state == .left && app.manager.conversations.isEmpty)
        let log = app.takeLog()
        #expect(log.filter { Self.states.contains($0) } == ["idle", "joining", "joined", "left"])
        // The end of the audio and that of the call come in an order of their own.
        #expect(log.filter { !Self.states.contains($0) }.prefix(2) == ["JoinConversationAction", "activate"])
        #expect(log.suffix(3).sorted() == ["EndConversationAction", "deactivate", "left"])
    }

    @Test func `the app's end is leaving until it is fulfilled`() async throws {
        let uuid = try await talkToBob()
        app.ignore("EndConversationAction")
        try await app.perform(EndConversationAction(conversationUUID: uuid))
        #expect(app.states == [.leaving] && bob.calls.map(\.state) == [.connected])
        (app.performed.last as? EndConversationAction)?.fulfill(dateEnded: Date())
        await hub.settle()
        #expect(app.states.isEmpty && bob.calls.isEmpty)
    }

    @Test func `an incoming conversation has the reported members and capabilities`() async throws {
        let friend = Handle(type: .phoneNumber, value: "123", displayName: "Friend")
        let me = Handle(type: .generic, value: "me")
        let update = Conversation.Update(localMember: me, members: [friend], capabilities: [.playingTones])
        let uuid = try await app.report(update)
        let call = try #require(app.system.user.calls.first)
        #expect(call.uuid == uuid && call.name == "Friend" && call.handle == "123" && !call.hasVideo)
        #expect(app.manager.conversations.map(\.localMember) == [me])
        try await app.system.user.answer()
        // It was not reported that it can be paused or merged.
        #expect(
            await code { try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: true)) } == 6
        )
        try await app.perform(PlayToneAction(conversationUUID: uuid, digits: "1", tone: .single))
        #expect((app.performed.last as? PlayToneAction)?.digits == "1")
        let later = Conversation.Update(capabilities: [.pausing])
        app.manager.reportConversationEvent(.conversationUpdated(later), for: app.manager.conversations[0])
        await hub.settle()
        try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: true))
        #expect(app.states == [.paused])
    }

    @Test func `a pause takes the audio away, and the other end sees it`() async throws {
        let uuid = try await talkToBob()
        try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: true))
        #expect(app.states == [.paused] && bob.calls.map(\.isHeldByOther) == [true])
        try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: false))
        #expect(app.states == [.joined] && bob.calls.map(\.isHeldByOther) == [false])
        let log = app.takeLog()
        #expect(log.filter { !$0.hasPrefix("Pause") } == ["paused", "deactivate", "joined", "activate"])
    }

    @Test func `of two conversations one is paused, they are merged, and separated again`() async throws {
        let first = try await talkToBob()
        let second = try await app.start("carol")
        try await carol.answer()
        #expect(app.states == [.paused, .joined])
        try await app.perform(MergeConversationAction(conversationUUID: first, conversationUUIDToMergeWith: second))
        #expect(app.states == [.joined, .joined])
        #expect(app.system.user.calls.map(\.group) == [[first, second], [first, second]])
        #expect((app.performed.last as? MergeConversationAction)?.conversationUUIDToMergeWith == second)
        try await app.perform(UnmergeConversationAction(conversationUUID: first))
        #expect(app.states == [.joined, .paused] && app.system.user.calls.map(\.group) == [[], []])
    }

    @Test func `mute and tones of the system's screen come as actions`() async throws {
        _ = try await talkToBob()
        try await app.system.user.mute()
        #expect((app.performed.last as? MuteConversationAction)?.isMuted == true)
        #expect(app.system.user.calls.map(\.isMuted) == [true])
        try await app.system.user.keypad("12")
        #expect(app.performed.suffix(2).map { ($0 as? PlayToneAction)?.digits } == ["1", "2"])
    }

    @Test func `a translation is performed by the app's engine (CK-82)`() async throws {
        let uuid = try await talkToBob()
        app.ignore("SetTranslatingAction")
        try await app.perform(
            SetTranslatingAction(
                conversationID: uuid,
                isTranslating: true,
                localLanguage: Locale.Language(identifier: "en"),
                remoteLanguage: Locale.Language(identifier: "ko")
            )
        )
        let action = try #require(app.performed.last as? SetTranslatingAction)
        #expect(action.isTranslating && action.remoteLanguage == Locale.Language(identifier: "ko"))
        action.fulfill(using: .custom)
        await hub.settle()
        #expect(app.system.user.calls.map(\.isTranslating) == [true])
        // One that the system asks for has the languages as well.
        try await app.system.user.translate(false, from: "de", to: "ja")
        #expect((app.performed.last as? SetTranslatingAction)?.localLanguage == Locale.Language(identifier: "de"))
    }

    @Test func `an action that takes too long has failed, and pending ones can be asked for (CK-63, CK-64)`()
        async throws
    {
        let uuid = try await talkToBob()
        app.ignore("PauseConversationAction")
        try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: true))
        let action = try #require(app.manager.pendingActions.first)
        #expect(action === app.performed.last && action.state == .running)
        let conversation = try #require(app.manager.conversations.first)
        let pauses = app.manager.pendingConversationActions(of: PauseConversationAction.self, for: conversation)
        #expect(pauses.count == 1 && pauses.first === action)
        #expect(app.manager.pendingConversationActions(of: MuteConversationAction.self, for: conversation).isEmpty)
        await hub.advance(by: .seconds(6))
        #expect(app.takeLog() == ["PauseConversationAction", "timed out PauseConversationAction"])
        if case .failed = action.state {} else { Issue.record("\(action.state)") }
        action.fulfill()
        await hub.settle()
        #expect(app.states == [.joined] && app.manager.pendingActions.isEmpty)
    }

    @Test func `an action that the app fails has failed`() async throws {
        let uuid = try await talkToBob()
        app.failAll("PauseConversationAction")
        try await app.perform(PauseConversationAction(conversationUUID: uuid, isPaused: true))
        #expect(app.states == [.joined] && bob.calls.map(\.isHeldByOther) == [false])
        if case .failed = app.performed.last?.state {} else { Issue.record("it has not failed") }
    }

    @Test func `refusals have CallKit's codes, and their actions have failed (CK-57)`() async throws {
        #expect(await code { try await app.perform() } == 3)
        let unknown = EndConversationAction(conversationUUID: UUID())
        #expect(await code { try await app.perform(unknown) } == 4)
        if case .failed = unknown.state {} else { Issue.record("\(unknown.state)") }
        #expect(await code { try await app.perform(ConversationAction(conversationUUID: UUID())) } == 6)
        let two = ["bob", "carol"].map { Handle(type: .generic, value: $0) }
        let start = StartConversationAction(conversationUUID: UUID(), handles: two, isVideo: false)
        #expect(await code { try await app.perform(start) } == 6)
        let uuid = try await talkToBob()
        let again = StartConversationAction(conversationUUID: uuid, handles: [two[1]], isVideo: false)
        #expect(await code { try await app.perform(again) } == 5)
        #expect(await code { try await ConversationManager.reportNewIncomingVoIPPushPayload([:]) } == 1)
        let update = Conversation.Update(members: [two[0]])
        #expect(await code { try await app.manager.reportNewIncomingConversation(uuid: uuid, update: update) } == 2)
    }

    @Test func `a reset ends all conversations, and the manager goes on (CK-05)`() async throws {
        _ = try await talkToBob()
        let conversation = try #require(app.manager.conversations.first)
        await hub.restart()
        #expect(app.takeLog().contains("reset") && app.manager.conversations.isEmpty)
        #expect(conversation.state == .left)
        _ = try await talkToBob()
        #expect(app.states == [.joined])
    }

    @Test func `an invalidated manager ends its conversations and tells its delegate nothing more (CK-04)`()
        async throws
    {
        _ = try await talkToBob()
        app.manager.invalidate()
        await hub.settle()
        #expect(bob.calls.isEmpty && app.takeLog().isEmpty && app.manager.conversations.isEmpty)
        #expect(await code { try await app.start("bob") } == 2)
    }

    @Test func `what comes while there is no delegate waits for the next one`() async throws {
        _ = try await talkToBob()
        app.manager.delegate = nil
        try await app.system.user.hold()
        #expect(app.states == [.joined] && app.manager.pendingActions.count == 1)
        app.manager.delegate = app
        await hub.settle()
        #expect(app.states == [.paused] && app.takeLog().contains("PauseConversationAction"))
    }

    @Test func `an app with a network of its own reports the progress of its conversations`() async throws {
        var settings = CallSystemSettings()
        settings.carriesOutgoingCalls = .app
        let app = ConversationApp(hub, settings: settings)
        await hub.settle()
        try await app.start("friend")
        let conversation = try #require(app.manager.conversations.first)
        app.manager.reportConversationEvent(.conversationStartedConnecting(hub.now), for: conversation)
        await hub.settle()
        #expect(conversation.state == .joining)
        app.manager.reportConversationEvent(.conversationConnected(hub.now), for: conversation)
        await hub.settle()
        #expect(conversation.state == .joined)
        app.manager.reportConversationEvent(.conversationEnded(hub.now, .remoteEnded), for: conversation)
        await hub.settle()
        #expect(conversation.state == .left && app.manager.conversations.isEmpty)
    }

    @Test func `the limits of the configuration hold (CK-51)`() async throws {
        let app = ConversationApp(hub) { $0.maximumConversationGroups = 1 }
        await hub.settle()
        try await app.start("bob")
        try await bob.answer()
        #expect(await code { try await app.start("carol") } == 7)
    }
}
