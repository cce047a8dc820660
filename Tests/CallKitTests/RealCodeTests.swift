import CallKit
import CallSystem
import Dispatch
import Foundation
import Testing

/// The habits of samples and shipping apps, each of which must work.
struct RealCodeTests {
    private let hub: SimulatedHub
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        await hub.settle()
    }

    /// An app that carries its calls by a network of its own.
    private func gateway() -> TestApp {
        var settings = CallSystemSettings()
        settings.carriesOutgoingCalls = .app
        return TestApp(hub, on: hub.device("alice", settings: settings))
    }

    @Test func `reports on a start before its fulfilment are kept until then (CK-27)`() async throws {
        let app = gateway()
        app.before("start") { provider, action in
            provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
            provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
        }
        let call = try await app.start("carol")
        #expect(app.state(of: call) == .connected)
        #expect(app.takeObserved() == ["outgoing new", "outgoing connected"])
    }

    @Test func `a call that the app carries is connected when it reports that, and not before (CK-29)`() async throws {
        let app = gateway()
        let call = try await app.start("carol")
        #expect(app.state(of: call) == .connecting)
        app.provider.reportOutgoingCall(with: call, startedConnectingAt: nil)
        await hub.settle()
        #expect(app.state(of: call) == .connecting)
        app.provider.reportOutgoingCall(with: call, connectedAt: nil)
        await hub.settle()
        #expect(app.state(of: call) == .connected)
    }

    @Test func `a tutorial's report of a connection has no effect on a call that the hub carries`() async throws {
        let app = TestApp(hub)
        let call = try await app.start("bob")
        app.provider.reportOutgoingCall(with: call, startedConnectingAt: nil)
        app.provider.reportOutgoingCall(with: call, connectedAt: nil)
        await hub.settle()
        #expect(app.controller.callObserver.calls.map(\.hasConnected) == [false])
        try await bob.answer()
        #expect(app.controller.callObserver.calls.map(\.hasConnected) == [true])
    }

    @Test func `a call without a handle is one of an unknown caller, and video without support is none`() async throws {
        let app = TestApp(hub)
        try await app.report(nil) { $0.hasVideo = true }
        #expect(app.user.calls.map(\.name) == ["Unknown"] && app.user.calls.map(\.hasVideo) == [false])
        let call = try #require(app.user.calls.first?.uuid)
        // Neither takes effect later: the handle stays unknown, and the report is not refused as a whole.
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: "")
        update.hasVideo = true
        update.supportsHolding = false
        app.provider.reportCall(with: call, updated: update)
        await hub.settle()
        #expect(app.user.calls.map(\.name) == ["Unknown"] && app.user.calls.map(\.hasVideo) == [false])
        try await app.user.answer()
        #expect(
            await refusal { try await app.request(CXSetHeldCallAction(call: call, onHold: true)) } == .invalidAction
        )
        try await app.user.end()
        try await app.report("") { $0.localizedCallerName = "Somebody" }
        #expect(app.user.calls.map(\.name) == ["Somebody"])
    }

    @Test func `one group of one call is enough for many apps (CK-51)`() async throws {
        let app = TestApp(hub) {
            $0.maximumCallGroups = 1
            $0.maximumCallsPerCallGroup = 1
        }
        let first = try await app.report("carol")
        try await app.user.answer()
        try await app.report("dave")
        #expect(app.user.calls.last?.choices == [.endAndAccept, .decline])
        try await app.user.choose(.endAndAccept)
        #expect(app.state(of: first) == nil && app.user.calls.map(\.handle) == ["dave"])
    }

    @Test func `ten groups of ten calls can be merged and play tones`() async throws {
        let app = TestApp(hub) {
            $0.maximumCallGroups = 10
            $0.maximumCallsPerCallGroup = 10
        }
        var calls: [UUID] = []
        for number in 0..<10 {
            let phone = hub.phone("phone\(number)")
            calls.append(try await app.start("phone\(number)"))
            try await phone.answer()
            if number > 0 {
                try await app.request(
                    CXSetGroupCallAction(call: calls[number - 1], callUUIDToGroupWith: calls[number])
                )
            }
        }
        #expect(app.user.calls.filter { $0.state == .connected }.count == 2)
        try await app.request(CXPlayDTMFCallAction(call: calls[9], digits: "5", type: .singleTone))
        #expect(app.takeLog().last == "digits 5")
    }

    @Test func `a fulfilment in timedOutPerforming has no effect`() async throws {
        final class Late: NSObject, CXProviderDelegate, Sendable {
            let timedOut = Locked<[UUID]>([])

            func providerDidReset(_ provider: CXProvider) {}
            func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {}
            func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
                timedOut.withLock { $0.append(action.uuid) }
                action.fulfill()
            }
        }
        let system = hub.device("carol")
        let provider = system.run { CXProvider(configuration: CXProviderConfiguration()) }
        let delegate = Late()
        provider.setDelegate(delegate, queue: DispatchQueue(label: "Late"))
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: "dave")
        try await provider.reportNewIncomingCall(with: UUID(), update: update)
        await hub.settle()
        try await system.user.answer()
        let answer = try #require(provider.pendingTransactions.first?.actions.first)
        #expect(answer is CXAnswerCallAction && delegate.timedOut.withLock { $0.isEmpty })
        await hub.advance(by: .seconds(61))
        #expect(delegate.timedOut.withLock { $0 } == [answer.uuid])
        #expect(system.user.calls.isEmpty)
    }

    @Test func `a call is answered, reported as ended a second later, and another one starts`() async throws {
        let app = TestApp(hub)
        let first = try await app.report("carol")
        try await app.user.answer()
        await hub.advance(by: .seconds(1))
        app.provider.reportCall(with: first, endedAt: Date(), reason: .remoteEnded)
        let second = try await app.start("bob")
        #expect(app.state(of: first) == nil && app.state(of: second) == .connecting)
    }

    @Test func `several ends and a start are one transaction`() async throws {
        let app = TestApp(hub)
        let first = try await app.report("carol")
        try await app.user.answer()
        let second = try await app.report("dave")
        try await app.user.choose(.holdAndAccept)
        _ = app.takeLog()
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "bob"))
        try await app.request(CXEndCallAction(call: first), CXEndCallAction(call: second), start)
        #expect(app.takeLog().filter { ["end", "start"].contains($0) } == ["end", "end", "start"])
        #expect(app.user.calls.map(\.handle) == ["bob"])
    }

    @Test func `two providers of one process share a session, and each call has its own`() async throws {
        let system = hub.device("alice")
        let (one, two) = (TestApp(hub, on: system), TestApp(hub, on: system))
        await hub.settle()
        #expect(one.takeLog() == ["begin"] && two.takeLog() == ["begin"])
        let first = try await one.report("carol")
        try await system.user.answer(first)
        #expect(one.takeLog() == ["answer", "activate"] && two.takeLog().isEmpty)
        let second = try await two.report("dave")
        try await system.user.choose(.holdAndAccept, second)
        #expect(one.takeLog() == ["hold", "deactivate"] && two.takeLog() == ["answer", "activate"])
        two.provider.invalidate()
        await hub.settle()
        #expect(system.user.calls.map(\.uuid) == [first])
        try await system.user.resume()
        #expect(one.takeLog() == ["resume", "activate"])
    }

    @Test func `a setting that is changed in place takes effect (CK-03)`() async throws {
        let app = TestApp(hub)
        try await app.start("bob")
        try await bob.answer()
        app.provider.configuration.maximumCallGroups = 1
        #expect(app.provider.configuration.maximumCallGroups == 1)
        #expect(await refusal { try await app.start("echo") } == .maximumCallGroupsReached)
    }

    @Test func `an app with a network reports the other end's hang-up, and is not told to end the call`() async throws {
        let app = gateway()
        let call = try await app.start("carol")
        app.provider.reportOutgoingCall(with: call, connectedAt: nil)
        await hub.settle()
        _ = app.takeLog()
        app.provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
        await hub.settle()
        #expect(app.takeLog() == ["deactivate"])
    }

    @Test func `callbacks come on their queues, one after another, and never within the app's own call`() async throws {
        final class Careful: NSObject, CXProviderDelegate, @unchecked Sendable {
            let faults = Locked<[String]>([])
            let running = Locked(0)
            let key = DispatchSpecificKey<String>()

            func check(_ name: String) {
                if DispatchQueue.getSpecific(key: key) != "delegate" { faults.withLock { $0.append("\(name): queue") } }
                let others = running.withLock { running in
                    running += 1
                    return running
                }
                if others > 1 { faults.withLock { $0.append("\(name): at once") } }
                usleep(200)
                running.withLock { $0 -= 1 }
            }

            func providerDidReset(_ provider: CXProvider) { check("reset") }
            func providerDidBegin(_ provider: CXProvider) { check("begin") }
            func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
                check("start")
                action.fulfill()
            }
            func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
                check("end")
                action.fulfill()
            }
        }
        // Even a concurrent queue gets one callback after another.
        let queue = DispatchQueue(label: "delegate", attributes: .concurrent)
        let completions = DispatchQueue(label: "completions")
        let delegate = Careful()
        queue.setSpecific(key: delegate.key, value: "delegate")
        completions.setSpecific(key: delegate.key, value: "completions")
        let system = hub.device("carol")
        let (provider, controller) = system.run {
            (CXProvider(configuration: CXProviderConfiguration()), CXCallController(queue: completions))
        }
        provider.setDelegate(delegate, queue: queue)
        for _ in 0..<20 {
            let call = UUID()
            let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "bob"))
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let returns = Self.returns(whileSuspending: [queue, completions]) {
                    controller.request(CXTransaction(action: start)) { error in
                        let isThere = DispatchQueue.getSpecific(key: delegate.key) == "completions"
                        if error != nil || !isThere { delegate.faults.withLock { $0.append("completion") } }
                        done.resume()
                    }
                }
                if !returns { delegate.faults.withLock { $0.append("the request waits for a queue") } }
            }
            controller.requestTransaction(with: CXEndCallAction(call: call)) { _ in }
            await hub.settle()
        }
        #expect(delegate.faults.withLock { $0 } == [])
        withExtendedLifetime(provider) {}
    }

    /// Runs a call of an app while its queues stand still, so that nothing of them can run within the call.
    ///
    /// - Returns: True if the call returns; false if it waits for one of the queues.
    private static func returns(
        whileSuspending queues: [DispatchQueue],
        _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        for queue in queues { queue.suspend() }
        let hasReturned = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            body()
            hasReturned.signal()
        }
        let returns = hasReturned.wait(timeout: .now() + .seconds(20)) == .success
        for queue in queues { queue.resume() }
        return returns
    }

    @Test func `the completion of a report comes on the delegate's queue, after the report has returned`() async throws
    {
        final class Silent: NSObject, CXProviderDelegate, Sendable {
            func providerDidReset(_ provider: CXProvider) {}
        }
        let (queue, key) = (DispatchQueue(label: "reports"), DispatchSpecificKey<String>())
        queue.setSpecific(key: key, value: "reports")
        let delegate = Silent()
        let provider = hub.device("carol").run { CXProvider(configuration: CXProviderConfiguration()) }
        provider.setDelegate(delegate, queue: queue)
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: "dave")
        let call = UUID()
        // The second report of the same call is refused.
        for isRefused in [false, true] {
            let place = await withCheckedContinuation { (done: CheckedContinuation<String?, Never>) in
                let returns = Self.returns(whileSuspending: [queue]) {
                    provider.reportNewIncomingCall(with: call, update: update) { error in
                        let place = DispatchQueue.getSpecific(key: key)
                        done.resume(returning: (error != nil) == isRefused ? place : "\(String(describing: error))")
                    }
                }
                #expect(returns, "the report waits for the delegate's queue")
            }
            #expect(place == "reports")
        }
        withExtendedLifetime(delegate) {}
    }

    @Test func `without a queue the delegate's methods come on the main queue`() async throws {
        final class MainDelegate: NSObject, CXProviderDelegate, Sendable {
            let queues = Locked<[String?]>([])
            let key = DispatchSpecificKey<String>()

            func providerDidReset(_ provider: CXProvider) {}
            func providerDidBegin(_ provider: CXProvider) {
                queues.withLock { $0.append(DispatchQueue.getSpecific(key: key)) }
            }
        }
        let provider = hub.device("carol").run { CXProvider(configuration: CXProviderConfiguration()) }
        let delegate = MainDelegate()
        DispatchQueue.main.setSpecific(key: delegate.key, value: "main")
        provider.setDelegate(delegate, queue: nil)
        await hub.settle()
        #expect(delegate.queues.withLock { $0 } == ["main"])
    }
}
