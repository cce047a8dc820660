import CallKit
import CallSystem
import Foundation
import Testing

/// Groups of calls, tones, and translation.
struct GroupAndToneTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen
    private let carol: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub) { $0.maximumCallGroups = 3 }
        bob = hub.phone("bob")
        carol = hub.phone("carol")
        await hub.settle()
    }

    private func talk(to phone: CallScreen, _ handle: String) async throws -> UUID {
        let call = try await app.start(handle)
        try await phone.answer()
        _ = app.takeLog()
        return call
    }

    @Test func `a merge resumes the held call and groups both (CK-47, P14)`() async throws {
        let first = try await talk(to: bob, "bob")
        let second = try await talk(to: carol, "carol")
        try await app.user.merge()
        #expect(app.takeLog() == ["resume", "merge"])
        #expect(app.user.calls.map(\.state) == [.connected, .connected])
        #expect(app.user.calls.map(\.group) == [[first, second], [first, second]])
    }

    @Test func `a transfer is the system's own, and to the app the end of both calls (CH-05)`() async throws {
        _ = try await talk(to: bob, "bob")
        _ = try await talk(to: carol, "carol")
        try await app.user.transfer()
        await hub.settle()
        #expect(app.user.calls.isEmpty)
        #expect(bob.calls.map(\.handle) == ["carol"] && carol.calls.map(\.handle) == ["bob"])
        #expect(app.takeLog().filter { $0 == "end" }.count == 2)
    }

    @Test func `a call that is given away ends in the app, and rings anew if nobody takes it (CH-06)`() async throws {
        let call = try await talk(to: bob, "bob")
        try await app.user.transfer(to: "nobody")
        await hub.settle()
        #expect(app.takeLog().contains("end"))
        #expect(app.user.calls.map(\.state) == [.ringing] && app.user.calls.map(\.uuid) != [call])
        #expect(bob.calls.map(\.handle) == ["alice"])
    }

    @Test func `a merge by the controller is the same, with the app's own object (CK-47)`() async throws {
        let first = try await talk(to: bob, "bob")
        let second = try await talk(to: carol, "carol")
        let merge = CXSetGroupCallAction(call: first, callUUIDToGroupWith: second)
        try await app.request(merge)
        #expect(app.performed.last === merge && merge.callUUIDToGroupWith == second)
        #expect(app.user.calls.map(\.group.count) == [2, 2])
    }

    @Test func `a merge beyond the size of a group, or of calls without it, is refused (CK-48)`() async throws {
        app.provider.configuration.maximumCallsPerCallGroup = 1
        let first = try await talk(to: bob, "bob")
        let second = try await talk(to: carol, "carol")
        let merge = CXSetGroupCallAction(call: first, callUUIDToGroupWith: second)
        #expect(await refusal { try await app.request(merge) } == .invalidAction)
        app.provider.configuration.maximumCallsPerCallGroup = 5
        let update = CXCallUpdate()
        update.supportsGrouping = false
        app.provider.reportCall(with: second, updated: update)
        let again = CXSetGroupCallAction(call: first, callUUIDToGroupWith: second)
        #expect(await refusal { try await app.request(again) } == .invalidAction)
    }

    @Test func `a split makes the call active and holds the rest (CK-49)`() async throws {
        let first = try await talk(to: bob, "bob")
        let second = try await talk(to: carol, "carol")
        try await app.user.merge()
        _ = app.takeLog()
        try await app.user.split(first)
        #expect(app.takeLog().prefix(2) == ["split", "hold"])
        #expect(app.state(of: first) == .connected && app.state(of: second) == .held)
        #expect(app.user.calls.map(\.group) == [[], []])
    }

    @Test func `a split beyond the number of groups is refused (CK-49)`() async throws {
        let first = try await talk(to: bob, "bob")
        _ = try await talk(to: carol, "carol")
        try await app.user.merge()
        app.provider.configuration.maximumCallGroups = 1
        let split = CXSetGroupCallAction(call: first, callUUIDToGroupWith: nil)
        #expect(await refusal { try await app.request(split) } == .maximumCallGroupsReached)
    }

    @Test func `a hold in a group holds all of it, and an end leaves the others (CK-50)`() async throws {
        let first = try await talk(to: bob, "bob")
        let second = try await talk(to: carol, "carol")
        try await app.user.merge()
        try await app.user.hold(first)
        #expect(app.user.calls.map(\.state) == [.held, .held])
        try await app.user.resume(second)
        try await app.user.end(first)
        #expect(app.user.calls.map(\.uuid) == [second] && app.user.calls.map(\.group) == [[]])
    }

    // MARK: Tones

    @Test func `each digit is an action, performed after the one before it is complete (CK-54)`() async throws {
        let call = try await talk(to: bob, "bob")
        app.react(to: "digits 2", .nothing)
        let tones = CXPlayDTMFCallAction(call: call, digits: "123", type: .singleTone)
        try await app.request(tones)
        #expect(app.takeLog() == ["digits 1", "digits 2"])
        #expect(app.performed.dropLast().last === tones)
        app.performed.last?.fulfill()
        await hub.settle()
        #expect(app.takeLog() == ["digits 3"])
    }

    @Test func `the digits after a soft pause wait two seconds (CK-55)`() async throws {
        let call = try await talk(to: bob, "bob")
        try await app.request(CXPlayDTMFCallAction(call: call, digits: "45", type: .softPause))
        #expect(app.takeLog().isEmpty)
        await hub.advance(by: .milliseconds(1_900))
        #expect(app.takeLog().isEmpty)
        await hub.advance(by: .milliseconds(200))
        #expect(app.takeLog() == ["digits 45"])
        #expect((app.performed.last as? CXPlayDTMFCallAction)?.type == .softPause)
    }

    @Test func `the digits after a hard pause wait for the user (CK-55)`() async throws {
        let call = try await talk(to: bob, "bob")
        app.react(to: "digits 67", .nothing)
        let tones = CXPlayDTMFCallAction(call: call, digits: "67", type: .hardPause)
        try await app.request(tones)
        #expect(app.takeLog() == ["digits 67"])
        // Longer than any other action has.
        await hub.advance(by: .seconds(300))
        #expect(app.takeLog().isEmpty && !tones.isComplete)
        tones.fulfill()
        await hub.settle()
        #expect(app.provider.pendingTransactions.isEmpty)
    }

    @Test func `tones on a call without them are refused (CK-56)`() async throws {
        let call = try await talk(to: bob, "bob")
        let update = CXCallUpdate()
        update.supportsDTMF = false
        app.provider.reportCall(with: call, updated: update)
        let tone = CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone)
        #expect(await refusal { try await app.request(tone) } == .invalidAction)
    }

    @Test(arguments: [(CXTranslationEngine.default, ScreenCall.TranslationEngine.default), (.custom, .custom)])
    func `the program that translates a call reaches the hub (CK-82)`(
        _ engine: CXTranslationEngine,
        _ shown: ScreenCall.TranslationEngine
    ) async throws {
        let call = try await talk(to: bob, "bob")
        app.react(to: "translate en ko", .nothing)
        try await app.user.translate(true, from: "en", to: "ko")
        let action = try #require(app.performed.last as? CXSetTranslatingCallAction)
        #expect(action.callUUID == call)
        action.fulfill(using: engine)
        await hub.settle()
        #expect(app.user.calls.map(\.translationEngine) == [shown])
    }

    @Test func `digits that a hold drops before their turn are pending no more (CK-63)`() async throws {
        let call = try await talk(to: bob, "bob")
        let tones = CXPlayDTMFCallAction(call: call, digits: "45", type: .softPause)
        try await app.request(tones)
        #expect(app.provider.pendingCallActions(of: CXPlayDTMFCallAction.self, withCall: call) == [tones])
        try await app.user.hold()
        await hub.settle()
        #expect(app.provider.pendingTransactions.isEmpty && tones.isComplete)
        await hub.advance(by: .seconds(3))
        #expect(app.takeLog().last == "deactivate")
    }

    @Test func `the app translates a connected call (CK-82)`() async throws {
        let call = try await talk(to: bob, "bob")
        let action = CXSetTranslatingCallAction(
            call: call,
            isTranslating: true,
            localLanguage: "en",
            remoteLanguage: "ko"
        )
        try await app.request(action)
        #expect(app.takeLog() == ["translate en ko"] && app.user.calls.map(\.isTranslating) == [true])
        #expect(app.user.calls.map(\.translationEngine) == [nil])
        try await app.user.translate(false, from: "en", to: "ko")
        #expect(app.user.calls.map(\.isTranslating) == [false])
    }
}
