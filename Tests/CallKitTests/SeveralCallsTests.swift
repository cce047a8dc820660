import CallKit
import CallSystem
import Foundation
import Testing

/// Hold, swap, the buttons of a second call, and the audio session between calls.
struct SeveralCallsTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen
    private let carol: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub)
        bob = hub.phone("bob")
        carol = hub.phone("carol")
        await hub.settle()
        _ = app.takeLog()
    }

    /// Has the app in a call with Bob.
    private func talkToBob() async throws -> UUID {
        let call = try await app.start("bob")
        try await bob.answer()
        _ = app.takeLog()
        return call
    }

    @Test func `a hold takes effect when the app fulfils it, and the other end sees it (CK-33)`() async throws {
        let call = try await talkToBob()
        app.react(to: "hold", .nothing)
        try await app.request(CXSetHeldCallAction(call: call, onHold: true))
        #expect(app.state(of: call) == .connected && bob.calls.map(\.isHeldByOther) == [false])
        app.performed.last?.fulfill()
        await hub.settle()
        #expect(app.state(of: call) == .held && bob.calls.map(\.isHeldByOther) == [true])
        #expect(app.takeLog() == ["hold", "deactivate"])
        #expect(app.takeObserved().last == "outgoing held")
        try await app.user.resume()
        #expect(app.takeLog() == ["resume", "activate"] && app.state(of: call) == .connected)
    }

    @Test func `a hold of a held call is performed, and changes nothing (CK-35, P19)`() async throws {
        let call = try await talkToBob()
        try await app.user.hold()
        _ = (app.takeLog(), app.takeObserved())
        try await app.request(CXSetHeldCallAction(call: call, onHold: true))
        #expect(app.takeLog() == ["hold"] && app.takeObserved().isEmpty)
    }

    @Test func `a hold that the app fails leaves the call as it was (CK-33, P20)`() async throws {
        let call = try await talkToBob()
        app.react(to: "hold", .fail)
        try await app.user.hold()
        #expect(app.state(of: call) == .connected && app.takeLog() == ["hold"])
    }

    @Test func `a hold that takes too long fails and does not end the call (CK-64, P2)`() async throws {
        let call = try await talkToBob()
        app.react(to: "hold", .nothing)
        try await app.user.hold()
        await hub.advance(by: .seconds(6))
        #expect(app.takeLog() == ["hold", "timed out CXSetHeldCallAction"])
        let action = try #require(app.performed.last)
        #expect(action.isComplete && app.state(of: call) == .connected)
        action.fulfill()
        await hub.settle()
        #expect(app.state(of: call) == .connected)
    }

    @Test func `a call that cannot be held is not held, and its second call has no such button (CK-36, P35)`()
        async throws
    {
        let call = try await app.report("bob") { $0.supportsHolding = false }
        try await app.user.answer()
        #expect(
            await refusal { try await app.request(CXSetHeldCallAction(call: call, onHold: true)) } == .invalidAction
        )
        try await carol.start("alice")
        #expect(app.user.calls.last?.choices == [.endAndAccept, .decline])
    }

    @Test func `a second call can be taken beside the first one, by hold or by end (CK-38, CK-39, P13)`() async throws {
        let first = try await talkToBob()
        try await carol.start("alice")
        #expect(app.user.calls.last?.choices == [.holdAndAccept, .endAndAccept, .decline])
        try await app.user.choose(.holdAndAccept)
        #expect(app.takeLog() == ["hold", "deactivate", "answer", "activate"])
        #expect(app.state(of: first) == .held && app.user.calls.map(\.state) == [.held, .connected])
        #expect(app.transactions.last?.actions.count == 2)
    }

    @Test func `End and Accept ends the first call before the second one is answered (CK-40, P9)`() async throws {
        let first = try await talkToBob()
        try await carol.start("alice")
        try await app.user.choose(.endAndAccept)
        #expect(app.takeLog() == ["end", "deactivate", "answer", "activate"])
        #expect(app.state(of: first) == nil && bob.calls.isEmpty && carol.calls.map(\.state) == [.connected])
    }

    @Test func `End Held and Accept ends the held call, holds the active one and answers (CK-41, P30)`() async throws {
        let held = try await talkToBob()
        let active = try await app.start("carol")
        try await carol.answer()
        _ = app.takeLog()
        let dave = hub.phone("dave")
        try await dave.start("alice")
        #expect(app.user.calls.last?.choices == [.endAndAccept, .endHeldAndAccept, .decline])
        try await app.user.choose(.endHeldAndAccept)
        #expect(app.takeLog() == ["end", "hold", "deactivate", "answer", "activate"])
        #expect(app.state(of: held) == nil && app.state(of: active) == .held)
        #expect(app.user.calls.map(\.state) == [.held, .connected])
    }

    @Test func `of two ringing calls the other one rings on (CK-42, P29)`() async throws {
        try await bob.start("alice")
        try await carol.start("alice")
        try await app.user.answer()
        #expect(app.user.calls.map(\.state) == [.connected, .ringing])
    }

    @Test func `a call that rings, and its decline, leave the audio of the active one alone (CK-66, P10, P11)`()
        async throws
    {
        let call = try await talkToBob()
        try await carol.start("alice")
        try await app.user.decline()
        #expect(app.takeLog() == ["end"] && app.state(of: call) == .connected)
    }

    @Test func `a swap is one transaction with a pair of deactivation and activation (CK-37, CK-66, P5)`() async throws
    {
        let first = try await talkToBob()
        let second = try await app.start("carol")
        try await carol.answer()
        _ = app.takeLog()
        try await app.user.swap()
        #expect(app.takeLog() == ["hold", "deactivate", "resume", "activate"])
        #expect(app.state(of: first) == .connected && app.state(of: second) == .held)
        #expect(app.transactions.last?.actions.count == 2)
    }

    @Test func `a swap whose second half fails is undone (CK-37, P2)`() async throws {
        let first = try await talkToBob()
        let second = try await app.start("carol")
        try await carol.answer()
        app.react(to: "resume", .fail)
        // The system's own resumption of the second call succeeds.
        app.before("resume") { _, action in
            if action.callUUID == second { action.fulfill() }
        }
        try await app.user.swap()
        #expect(app.state(of: first) == .held && app.state(of: second) == .connected)
    }

    @Test func `a resumption holds the other call first (CK-34, P15)`() async throws {
        let first = try await talkToBob()
        let second = try await app.start("carol")
        try await carol.answer()
        _ = app.takeLog()
        try await app.user.resume(first)
        #expect(app.takeLog() == ["hold", "deactivate", "resume", "activate"])
        #expect(app.state(of: first) == .connected && app.state(of: second) == .held)
    }

    @Test func `the active call is held before another one starts (CK-45)`() async throws {
        let first = try await talkToBob()
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "carol"))
        try await app.request(start)
        #expect(app.takeLog().prefix(3) == ["hold", "deactivate", "start"])
        #expect(app.state(of: first) == .held)
        #expect(app.performed.last === start)
    }

    @Test func `an active call that cannot be held is ended before another one starts (CK-46)`() async throws {
        let first = try await app.report("dave") { $0.supportsHolding = false }
        try await app.user.answer()
        _ = app.takeLog()
        try await app.start("bob")
        #expect(app.takeLog().prefix(3) == ["end", "deactivate", "start"])
        #expect(app.state(of: first) == nil)
    }

    @Test func `after the user's end the held call is resumed by the system (CK-43)`() async throws {
        let first = try await talkToBob()
        try await app.start("carol")
        try await carol.answer()
        _ = app.takeLog()
        try await app.user.end()
        #expect(app.takeLog() == ["end", "deactivate", "resume", "activate"])
        #expect(app.state(of: first) == .connected)
    }

    @Test func `after the other end's end the held call stays held, and can be resumed (CK-44, P1, P3)`() async throws {
        let first = try await talkToBob()
        try await app.start("carol")
        try await carol.answer()
        _ = app.takeLog()
        try await carol.end()
        #expect(app.takeLog().sorted() == ["deactivate", "end"])
        #expect(app.state(of: first) == .held)
        try await app.user.resume()
        #expect(app.takeLog() == ["resume", "activate"])
    }

    @Test func `only the first call ends when its other end hangs up while a second one rings (P12)`() async throws {
        let first = try await talkToBob()
        try await carol.start("alice")
        try await bob.end()
        #expect(app.state(of: first) == nil && app.user.calls.map(\.state) == [.ringing])
        #expect(app.user.calls.map(\.choices) == [[.accept, .decline]])
    }

    @Test func `a call of the app's network holds one of the hub, and the reverse (CK-68)`() async throws {
        let first = try await talkToBob()
        let external = try await app.report("dave")
        try await app.user.choose(.holdAndAccept)
        #expect(app.state(of: first) == .held && app.state(of: external) == .connected)
        try await app.user.resume()
        #expect(app.state(of: first) == .connected && app.state(of: external) == .held)
    }

    @Test func `mute belongs to its call and outlasts hold and swap (CK-52, CK-53, P18)`() async throws {
        let call = try await talkToBob()
        try await app.request(CXSetMutedCallAction(call: call, muted: true))
        #expect(app.takeLog() == ["mute"] && app.user.calls.map(\.isMuted) == [true])
        try await app.start("carol")
        try await carol.answer()
        try await app.user.swap()
        #expect(app.user.calls.map(\.isMuted) == [true, false])
        _ = app.takeLog()
        try await app.user.mute(false)
        #expect(app.takeLog() == ["unmute"] && app.user.calls.map(\.isMuted) == [false, false])
    }

    @Test func `an observer is notified of each call's five fields, and of its end once (CK-69)`() async throws {
        let call = try await talkToBob()
        let seen = try #require(app.controller.callObserver.calls.first)
        #expect(seen.uuid == call && seen.isOutgoing && seen.hasConnected && !seen.isOnHold && !seen.hasEnded)
        _ = app.takeObserved()
        try await app.user.mute()
        #expect(app.takeObserved().isEmpty)
        try await app.user.end()
        #expect(app.takeObserved() == ["outgoing ended"] && app.controller.callObserver.calls.isEmpty)
    }
}
