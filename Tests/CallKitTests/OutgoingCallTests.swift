import CallKit
import CallSystem
import Foundation
import Testing

/// Calls that the app starts, which the hub carries unless a test says otherwise.
struct OutgoingCallTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub)
        bob = hub.phone("bob")
        await hub.settle()
        _ = app.takeLog()
    }

    @Test func `an app's call rings at the other end, is answered and hung up (CK-26, CK-27, CK-30)`() async throws {
        let call = try await app.start("bob")
        #expect(app.takeLog() == ["start", "activate"])
        #expect(app.state(of: call) == .connecting)
        #expect(bob.calls.map(\.state) == [.ringing] && bob.calls.map(\.handle) == ["alice"])
        try await bob.answer()
        #expect(app.state(of: call) == .connected)
        try await app.request(CXEndCallAction(call: call))
        #expect(app.takeLog() == ["end", "deactivate"])
        #expect(app.user.calls.isEmpty && bob.calls.isEmpty)
        #expect(app.takeObserved() == ["outgoing new", "outgoing connected", "outgoing ended"])
    }

    @Test func `the delegate performs the very objects that were requested (CK-26, CK-64)`() async throws {
        let action = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        let transaction = CXTransaction(action: action)
        try await app.controller.request(transaction)
        await hub.settle()
        #expect(app.performed.count == 1 && app.performed.first === action)
        #expect(app.transactions.count == 1 && app.transactions.first === transaction)
        #expect(action.isComplete && transaction.isComplete)
        #expect(action.timeoutDate.timeIntervalSince(hub.now) == 600)
    }

    @Test func `a failed start ends the call, and the delegate is not told to end it (CK-28, P20)`() async throws {
        app.react(to: "start", .fail)
        let call = try await app.start("bob")
        #expect(app.takeLog() == ["start"])
        #expect(app.state(of: call) == nil && bob.calls.isEmpty)
        #expect(app.takeObserved() == ["outgoing new", "outgoing ended"])
    }

    @Test func `the start is fulfilled when the invitation is sent, not when it is answered (CK-27, P25)`() async throws
    {
        app.react(to: "start", .nothing)
        let call = try await app.start("bob")
        #expect(app.state(of: call) == .starting && bob.calls.isEmpty)
        app.performed[0].fulfill()
        await hub.settle()
        #expect(app.state(of: call) == .connecting && bob.calls.map(\.state) == [.ringing])
    }

    @Test func `the app is told to end a call that the other end hangs up (CK-30)`() async throws {
        let call = try await app.start("bob")
        try await bob.answer()
        _ = app.takeLog()
        try await bob.end()
        #expect(app.takeLog().sorted() == ["deactivate", "end"])
        let end = try #require(app.performed.last as? CXEndCallAction)
        #expect(end.callUUID == call && end.isComplete)
        #expect(await refusal { try await app.request(CXEndCallAction(call: call)) } == .unknownCallUUID)
    }

    @Test func `an end of a call that is over is refused as unknown (CK-32, P22)`() async throws {
        let call = try await app.start("bob")
        try await app.request(CXEndCallAction(call: call))
        #expect(await refusal { try await app.request(CXEndCallAction(call: call)) } == .unknownCallUUID)
        #expect(app.controller.callObserver.calls.isEmpty)
    }

    @Test func `a start with the UUID of a call is refused (CK-10)`() async throws {
        let call = try await app.start("bob")
        let again = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "carol"))
        #expect(await refusal { try await app.request(again) } == .callUUIDAlreadyExists)
        #expect(app.state(of: call) == .connecting)
    }

    @Test func `a transaction without actions is refused (CK-58)`() async throws {
        #expect(await refusal { try await app.request() } == .emptyTransaction)
    }

    @Test func `an action on no call is refused (CK-57)`() async throws {
        #expect(await refusal { try await app.request(CXAction()) } == .invalidAction)
    }

    @Test func `an action on an unknown call, and on another app's, is refused (CK-60, CK-70, P21)`() async throws {
        #expect(await refusal { try await app.request(CXAnswerCallAction(call: UUID())) } == .unknownCallUUID)
        let other = TestApp(hub, "carol")
        let call = try await other.start("bob")
        #expect(await refusal { try await app.request(CXEndCallAction(call: call)) } == .unknownCallUUID)
        #expect(app.controller.callObserver.calls.isEmpty)
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "bob"))
        #expect(await refusal { try await app.request(CXEndCallAction(call: start.uuid)) } == .unknownCallUUID)
    }

    @Test func `one action that is not possible refuses the whole transaction (CK-57)`() async throws {
        let call = try await app.start("bob")
        let result = await refusal {
            try await app.request(
                CXSetMutedCallAction(call: call, muted: true),
                CXSetHeldCallAction(call: call, onHold: true)
            )
        }
        #expect(result == .invalidAction)
        #expect(app.user.calls.map(\.isMuted) == [false])
    }

    @Test func `a transaction is accepted before it is performed (CK-65)`() async throws {
        let order = Locked<[String]>([])
        app.before("start") { _, _ in order.withLock { $0.append("performed") } }
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        await withCheckedContinuation { done in
            app.controller.requestTransaction(with: start) { error in
                order.withLock { $0.append(error == nil ? "accepted" : "refused") }
                done.resume()
            }
        }
        await hub.settle()
        #expect(order.withLock { $0 } == ["accepted", "performed"])
    }

    @Test func `a handle of a type that the provider does not support is refused (CK-07)`() async throws {
        let numbers = TestApp(hub, "carol") { $0.supportedHandleTypes = [.phoneNumber] }
        #expect(await refusal { try await numbers.start("bob") } == .invalidAction)
        try await numbers.start("+4930123456", .phoneNumber)
        #expect(numbers.takeLog().contains("start"))
    }

    @Test func `a start beyond the number of groups is refused (CK-51)`() async throws {
        let single = TestApp(hub, "carol") { $0.maximumCallGroups = 1 }
        let first = try await single.start("bob")
        try await bob.answer()
        #expect(await refusal { try await single.start("echo") } == .maximumCallGroupsReached)
        // An end and a start in one transaction are possible.
        try await single.request(
            CXEndCallAction(call: first),
            CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "echo"))
        )
        #expect(single.user.calls.map(\.handle) == ["echo"])
    }

    @Test func `a call with video is refused without the provider's support (CK-81)`() async throws {
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        start.isVideo = true
        #expect(await refusal { try await app.request(start) } == .invalidAction)
        app.provider.configuration.supportsVideo = true
        await hub.settle()
        let video = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        video.isVideo = true
        try await app.request(video)
        #expect(app.user.calls.map(\.hasVideo) == [true])
    }

    @Test func `a call to nobody fails, and one that nobody answers ends in time (CK-22)`() async throws {
        try await app.start("nobody")
        #expect(app.user.calls.isEmpty)
        #expect(app.takeLog().contains("end"))
        let call = try await app.start("bob")
        await hub.advance(by: .seconds(59))
        #expect(app.state(of: call) == .connecting)
        await hub.advance(by: .seconds(2))
        #expect(app.state(of: call) == nil && bob.calls.isEmpty)
    }
}
