import CallKit
import CallSystem
import Dispatch
import Foundation
import HubEngine
import HubServer
import PushKit
import Testing

/// Calls that ring at the hub, where an operator acts on them before the app has reported them.
///
/// On an iPhone there is no call before its report, and so nothing to answer.
struct UnreportedCallTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen
    private let operating: Operator
    private let push: SilentDelegate

    /// Receives pushes and reports nothing, as an app that first asks its server.
    private final class SilentDelegate: NSObject, PKPushRegistryDelegate, Sendable {
        let calls = Locked<[UUID]>([])

        func pushRegistry(
            _ registry: PKPushRegistry,
            didUpdate pushCredentials: PKPushCredentials,
            for type: PKPushType
        ) {}

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingPushWith payload: PKPushPayload,
            for type: PKPushType,
            completion: @escaping () -> Void
        ) {
            if let text = payload.dictionaryPayload["UUID"] as? String, let call = UUID(uuidString: text) {
                calls.withLock { $0.append(call) }
            }
            completion()
        }
    }

    private let registry: PKPushRegistry

    /// The time for which the hub waits for an action, which a test may make shorter than that of a report.
    private static let shortDeadline = Duration.seconds(1)

    init() async throws { try await self.init(actionDeadline: .seconds(5)) }

    private init(actionDeadline: Duration) async throws {
        hub = try SimulatedHub { $0.actionDeadline = actionDeadline }
        app = TestApp(hub)
        bob = hub.phone("bob")
        push = SilentDelegate()
        registry = app.system.run { PKPushRegistry(queue: DispatchQueue(label: "SilentDelegate")) }
        registry.delegate = push
        registry.desiredPushTypes = [.voIP]
        await hub.settle()
        operating = try await Operator(hub, of: "alice")
        _ = app.takeLog()
    }

    /// Has Bob call, and returns the UUID that the push names.
    private func pushedCall() async throws -> UUID {
        try await bob.start("alice")
        return try #require(push.calls.withLock { $0.last })
    }

    @Test func `an operator's answer waits until the app has reported the call (CK-80)`() async throws {
        let call = try await pushedCall()
        try await operating.choose(.accept)
        #expect(operating.refusals.isEmpty)
        #expect(app.takeLog().isEmpty && app.transactions.isEmpty && app.takeObserved().isEmpty)
        #expect(bob.calls.map(\.state) == [.connecting])
        await hub.advance(by: .seconds(2))
        #expect(app.takeLog().isEmpty)
        try await app.report("bob", call)
        #expect(app.takeLog() == ["answer", "activate"] && app.transactions.count == 1)
        #expect(app.takeObserved() == ["incoming new", "incoming connected"])
        #expect(bob.calls.map(\.state) == [.connected] && app.system.warnings.isEmpty)
    }

    @Test func `what has timed out at the hub before the report is never performed (CK-64)`() async throws {
        let test = try await UnreportedCallTests(actionDeadline: Self.shortDeadline)
        let call = try await test.pushedCall()
        try await test.operating.choose(.decline)
        await test.hub.advance(by: .seconds(3))
        try await test.app.report("bob", call)
        #expect(test.app.takeLog().isEmpty && test.app.transactions.isEmpty)
        #expect(test.app.user.calls.map(\.state) == [.ringing] && test.bob.calls.count == 1)
        try await test.app.user.answer()
        #expect(test.bob.calls.map(\.state) == [.connected])
    }

    @Test func `what has waited names the call as the app has reported it`() async throws {
        _ = try await pushedCall()
        try await operating.choose(.accept)
        let own = UUID()
        try await app.report("bob", own)
        #expect((app.performed.last as? CXAnswerCallAction)?.callUUID == own)
        #expect((app.transactions.last?.actions.first as? CXAnswerCallAction)?.callUUID == own)
        #expect(bob.calls.map(\.state) == [.connected])
    }

    @Test func `a call that is never reported is answered when it rings all the same`() async throws {
        _ = try await pushedCall()
        try await operating.choose(.accept)
        await hub.advance(by: .milliseconds(4_900))
        #expect(app.takeLog().isEmpty)
        await hub.advance(by: .milliseconds(200))
        #expect(app.takeLog() == ["answer", "activate"] && bob.calls.map(\.state) == [.connected])
        #expect(app.system.warnings.count == 1)
    }

    @Test func `an operator's decline waits as well`() async throws {
        let call = try await pushedCall()
        try await operating.choose(.decline)
        #expect(app.takeLog().isEmpty)
        try await app.report("bob", call)
        #expect(app.takeLog() == ["end"] && bob.calls.isEmpty && app.user.calls.isEmpty)
    }

    @Test func `an answer of a call that ends before its report asks nothing of the app (P32)`() async throws {
        let call = try await pushedCall()
        try await operating.choose(.accept)
        try await bob.end()
        #expect(await reportRefusal { try await app.report("bob", call) } == .unknown)
        await hub.advance(by: .seconds(70))
        #expect(app.takeLog().isEmpty && app.takeObserved().isEmpty)
        #expect(app.provider.pendingTransactions.isEmpty)
        // The next one is not in its way.
        let next = try await pushedCall()
        try await app.report("bob", next)
        try await app.user.answer()
        #expect(app.takeLog() == ["answer", "activate"] && bob.calls.map(\.state) == [.connected])
    }

    @Test func `the hold that belongs to an answer waits with it`() async throws {
        let first = try await pushedCall()
        try await app.report("bob", first)
        try await app.user.answer()
        _ = app.takeLog()
        let carol = hub.phone("carol")
        try await carol.start("alice")
        try await operating.choose(.holdAndAccept)
        #expect(app.takeLog().isEmpty && app.state(of: first) == .connected)
        try await app.report("carol", try #require(push.calls.withLock { $0.last }))
        #expect(app.takeLog() == ["hold", "deactivate", "answer", "activate"])
        #expect(app.user.calls.map(\.state) == [.held, .connected])
    }

    @Test func `while a call waits for its report, others are operated`() async throws {
        let first = try await pushedCall()
        try await app.report("bob", first)
        try await app.user.answer()
        let carol = hub.phone("carol")
        try await carol.start("alice")
        try await operating.choose(.holdAndAccept)
        _ = app.takeLog()
        try await app.request(CXEndCallAction(call: first))
        #expect(app.takeLog().contains("end") && bob.calls.isEmpty)
        try await app.report("carol", try #require(push.calls.withLock { $0.last }))
        #expect(app.user.calls.map(\.state) == [.connected] && carol.calls.map(\.state) == [.connected])
    }

    @Test func `a lost link brings what has waited neither twice nor not at all`() async throws {
        let call = try await pushedCall()
        try await operating.choose(.accept)
        await hub.cutLink(of: app.system)
        await hub.cutLink(of: app.system, false)
        #expect(app.takeLog().isEmpty)
        try await app.report("bob", call)
        #expect(app.takeLog() == ["answer", "activate"] && bob.calls.map(\.state) == [.connected])
    }

    @Test func `the app's own answer of a call that it has not reported is refused (CK-57)`() async throws {
        let call = try await pushedCall()
        #expect(await refusal { try await app.request(CXAnswerCallAction(call: call)) } == .unknownCallUUID)
        try await app.report("bob", call)
        try await app.request(CXAnswerCallAction(call: call))
        #expect(bob.calls.map(\.state) == [.connected])
    }
}
