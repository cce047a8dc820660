import CallKit
import CallSystem
import Dispatch
import Foundation
import HubServer
import Testing

/// A provider's life: its begin, its configuration, its pending actions, its end, and the end of the session.
struct ProviderTests {
    private let hub: SimulatedHub
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        await hub.settle()
    }

    @Test func `a provider begins, and tells a delegate that is set later, too (CK-01)`() async {
        let app = TestApp(hub)
        await hub.settle()
        #expect(app.takeLog() == ["begin"])
        app.provider.setDelegate(app, queue: DispatchQueue(label: "later"))
        await hub.settle()
        #expect(app.takeLog() == ["begin"])
    }

    @Test func `a configuration is copied both ways, and calls go on with a new one (CK-01, CK-03)`() async throws {
        let configuration = CXProviderConfiguration()
        let app = TestApp(hub, on: hub.device("alice"), configuration)
        configuration.maximumCallGroups = 1
        #expect(app.provider.configuration.maximumCallGroups == 2)
        let call = try await app.start("bob")
        try await bob.answer()
        app.provider.configuration = configuration
        #expect(await refusal { try await app.start("echo") } == .maximumCallGroupsReached)
        #expect(app.state(of: call) == .connected)
    }

    @Test func `an invalidated provider's calls fail, and requests are refused (CK-04, CK-59)`() async throws {
        let app = TestApp(hub)
        try await app.start("bob")
        try await bob.answer()
        _ = (app.takeLog(), app.takeObserved())
        app.provider.invalidate()
        await hub.settle()
        #expect(bob.calls.isEmpty && app.takeLog().isEmpty && app.takeObserved() == ["outgoing ended"])
        #expect(await refusal { try await app.start("bob") } == .unknownCallProvider)
        #expect(await reportRefusal { try await app.report("carol") } == .unknown)
    }

    @Test func `a new provider after an invalidation has none of the old calls (CK-06, P23)`() async throws {
        let app = TestApp(hub)
        let old = try await app.start("bob")
        app.provider.invalidate()
        let second = TestApp(hub, on: app.system)
        await hub.settle()
        #expect(second.takeLog() == ["begin"] && second.user.calls.isEmpty)
        #expect(await refusal { try await second.request(CXEndCallAction(call: old)) } == .unknownCallUUID)
        try await second.start("bob")
        #expect(bob.calls.map(\.state) == [.ringing])
    }

    @Test func `after a restart of the hub the app is reset once, and its calls are unknown (CK-05, CK-83)`()
        async throws
    {
        let app = TestApp(hub)
        let call = try await app.start("bob")
        try await bob.answer()
        _ = (app.takeLog(), app.takeObserved())
        await hub.restart()
        #expect(app.takeLog() == ["deactivate", "reset"])
        #expect(app.takeObserved() == ["outgoing ended"] && app.user.calls.isEmpty)
        #expect(await refusal { try await app.request(CXEndCallAction(call: call)) } == .unknownCallUUID)
        try await app.start("bob")
        #expect(bob.calls.map(\.state) == [.ringing])
    }

    @Test func `a lost connection is resumed without a callback, and what happened meanwhile follows`() async throws {
        let app = TestApp(hub)
        let call = try await app.start("bob")
        _ = app.takeLog()
        await hub.cutLink(of: app.system)
        try await bob.answer()
        #expect(app.state(of: call) == .connecting && app.takeLog().isEmpty)
        await hub.advance(by: .seconds(5))
        await hub.cutLink(of: app.system, false)
        #expect(app.state(of: call) == .connected && app.takeLog().isEmpty)
    }

    @Test func `a result during a lost connection arrives with its resumption`() async throws {
        let app = TestApp(hub)
        app.react(to: "start", .nothing)
        let call = try await app.start("bob")
        await hub.cutLink(of: app.system)
        app.performed[0].fulfill()
        await hub.settle()
        #expect(bob.calls.isEmpty)
        await hub.cutLink(of: app.system, false)
        #expect(bob.calls.map(\.state) == [.ringing] && app.state(of: call) == .connecting)
    }

    @Test func `a device that does not return loses its calls, and is reset (CK-84, P16)`() async throws {
        let app = TestApp(hub)
        let call = try await app.start("bob")
        try await bob.answer()
        _ = (app.takeLog(), app.takeObserved())
        await hub.cutLink(of: app.system)
        await hub.advance(by: .seconds(59))
        #expect(app.takeLog().isEmpty && app.state(of: call) == .connected && bob.calls.count == 1)
        await hub.advance(by: .seconds(2))
        #expect(app.takeLog() == ["deactivate", "reset"] && app.takeObserved() == ["outgoing ended"])
        #expect(bob.calls.isEmpty && app.user.calls.isEmpty)
        await hub.advance(by: .seconds(600))
        #expect(app.takeLog().isEmpty)
        await hub.cutLink(of: app.system, false)
        await hub.advance(by: .seconds(3))
        #expect(app.takeLog() == ["begin"] && app.user.calls.isEmpty)
        try await app.start("bob")
        #expect(bob.calls.map(\.state) == [.ringing])
    }

    /// Has an app fulfil a hold when its account has used up what it may cause at the hub.
    ///
    /// - Returns: The app and its call.
    private func holdBeyondLimit(_ bytesPerSecond: Int) async throws -> (TestApp, UUID) {
        let hub = try SimulatedHub { $0.causedBytesPerSecond = bytesPerSecond }
        let (bob, carol) = (hub.phone("bob"), hub.phone("carol"))
        let app = TestApp(hub, on: hub.device("alice"))
        let call = try await app.start("bob")
        try await bob.answer()
        await hub.advance(by: .seconds(60))
        app.react(to: "hold", .nothing)
        try await app.request(CXSetHeldCallAction(call: call, onHold: true))
        // Another device of the account has its share of the limit, too.
        let other = hub.phone("alice", named: "desk")
        for _ in 1...6 {
            _ = try? await other.start("carol")
            _ = try? await other.end()
        }
        app.performed.last?.fulfill()
        await hub.settle()
        #expect(app.state(of: call) == .connected)
        await hub.advance(by: .seconds(4))
        #expect(carol.calls.isEmpty)
        return (app, call)
    }

    @Test func `a result that the hub refuses for its rate is sent again`() async throws {
        let (app, call) = try await holdBeyondLimit(1_000)
        #expect(app.state(of: call) == .held && app.system.warnings.isEmpty)
    }

    @Test func `a result that the hub refuses until the action's deadline is a warning`() async throws {
        let (app, call) = try await holdBeyondLimit(100)
        #expect(app.state(of: call) == .connected)
        let beginning = "The hub has not taken the result of an action before its deadline: "
        #expect(app.system.warnings.map { $0.hasPrefix(beginning) } == [true])
    }

    // MARK: Transactions

    @Test func `an app may handle a transaction as a whole (CK-62)`() async throws {
        let app = TestApp(hub)
        app.takeTransactions()
        let call = try await app.start("bob")
        #expect(!app.takeLog().contains("start") && bob.calls.isEmpty)
        let transaction = try #require(app.transactions.first)
        #expect((transaction.actions.first as? CXStartCallAction)?.callUUID == call)
        transaction.actions.first?.fulfill()
        await hub.settle()
        #expect(bob.calls.map(\.state) == [.ringing])
    }

    @Test func `what is pending can be listed, by class and call (CK-63)`() async throws {
        let app = TestApp(hub)
        app.react(to: "start", .nothing)
        let call = try await app.start("bob")
        let mute = CXSetMutedCallAction(call: call, muted: true)
        app.react(to: "mute", .nothing)
        try await app.request(mute)
        #expect(app.provider.pendingTransactions.count == 2)
        let starts = app.provider.pendingCallActions(of: CXStartCallAction.self, withCall: call)
        #expect(starts.count == 1 && starts.first === app.performed.first)
        #expect(app.provider.pendingCallActions(of: CXCallAction.self, withCall: call).count == 2)
        #expect(app.provider.pendingCallActions(of: CXCallAction.self, withCall: UUID()).isEmpty)
        mute.fulfill()
        await hub.settle()
        #expect(app.provider.pendingTransactions.count == 1)
        app.performed.first?.fulfill()
        await hub.settle()
        #expect(app.provider.pendingTransactions.isEmpty)
    }

    @Test func `actions that are not completed in time fail, by their own times (CK-64, P24)`() async throws {
        let app = TestApp(hub)
        app.react(to: "answer", .nothing)
        let call = try await app.report("carol")
        try await app.user.answer()
        await hub.advance(by: .seconds(59))
        #expect(app.takeLog() == ["begin", "answer"])
        await hub.advance(by: .seconds(2))
        #expect(app.takeLog() == ["timed out CXAnswerCallAction"])
        #expect(app.state(of: call) == nil && app.performed.last?.isComplete == true)
        app.react(to: "start", .nothing)
        try await app.start("bob")
        await hub.advance(by: .seconds(599))
        #expect(app.takeLog() == ["start"])
        await hub.advance(by: .seconds(2))
        #expect(app.takeLog() == ["timed out CXStartCallAction"])
    }

    @Test func `an action without a method of the delegate's own fails at once`() async throws {
        final class Silent: NSObject, CXProviderDelegate, Sendable {
            func providerDidReset(_ provider: CXProvider) {}
        }
        let system = hub.device("carol")
        let (provider, controller) = system.run {
            (CXProvider(configuration: CXProviderConfiguration()), CXCallController())
        }
        let delegate = Silent()
        provider.setDelegate(delegate, queue: DispatchQueue(label: "Silent"))
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        try await controller.requestTransaction(with: start)
        await hub.settle()
        #expect(start.isComplete && system.user.calls.isEmpty && bob.calls.isEmpty)
        withExtendedLifetime((delegate, provider)) {}
    }

    @Test func `a provider that is released fails its calls`() async throws {
        let system = hub.device("carol")
        var provider: CXProvider? = system.run { CXProvider(configuration: CXProviderConfiguration()) }
        try await hub.phone("dave").start("carol")
        #expect(system.user.calls.count == 1)
        withExtendedLifetime(provider) {}
        provider = nil
        await hub.settle()
        #expect(system.user.calls.isEmpty)
    }
}
