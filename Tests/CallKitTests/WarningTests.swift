import CallKit
import CallSystem
import Dispatch
import Foundation
import PushKit
import Testing

/// Warnings of what an iPhone would not forgive, after which nothing is lost.
struct WarningTests {
    private let hub: SimulatedHub
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        await hub.settle()
    }

    /// A delegate that fulfils answers and ends.
    private final class Delegate: NSObject, CXProviderDelegate, Sendable {
        let log = Locked<[String]>([])

        func providerDidReset(_ provider: CXProvider) {}
        func providerDidBegin(_ provider: CXProvider) { log.withLock { $0.append("begin") } }
        func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
            log.withLock { $0.append("answer") }
            action.fulfill()
        }
        func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
            log.withLock { $0.append("end") }
            action.fulfill()
        }
        func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
            log.withLock { $0.append("timed out") }
        }
    }

    @Test func `actions wait for another delegate when theirs is gone, with one warning`() async throws {
        let system = hub.device("alice")
        let provider = system.run { CXProvider(configuration: CXProviderConfiguration()) }
        var delegate: Delegate? = Delegate()
        weak let former = delegate
        provider.setDelegate(delegate, queue: DispatchQueue(label: "former"))
        await hub.settle()
        delegate = nil
        #expect(former == nil)
        try await bob.start("alice")
        try await system.user.answer()
        // The transaction waits with its offer, the answer not even begun.
        #expect(system.user.calls.map(\.state) == [.ringing])
        #expect(system.warnings.count == 1)
        #expect(system.warnings.first?.contains("On an iPhone the actions would time out") == true)
        let next = Delegate()
        provider.setDelegate(next, queue: DispatchQueue(label: "next"))
        await hub.settle()
        #expect(next.log.withLock { $0 } == ["begin", "answer"] && bob.calls.map(\.state) == [.connected])
        #expect(system.warnings.count == 1)
    }

    @Test func `a delegate that comes after the deadline learns of it, and performs nothing (CK-64)`() async throws {
        let system = hub.device("alice")
        let provider = system.run { CXProvider(configuration: CXProviderConfiguration()) }
        await hub.settle()
        try await bob.start("alice")
        try await system.user.answer()
        // The offer has five seconds, and the answer sixty from then on.
        await hub.advance(by: .seconds(66))
        #expect(bob.calls.isEmpty && system.warnings.count == 1)
        let delegate = Delegate()
        provider.setDelegate(delegate, queue: DispatchQueue(label: "delegate"))
        await hub.settle()
        #expect(delegate.log.withLock { $0 } == ["begin", "timed out"])
    }

    @Test func `of two completions by two threads the first one counts, with one warning`() async throws {
        let app = TestApp(hub)
        for _ in 0..<20 {
            app.react(to: "answer", .nothing)
            try await bob.start("alice")
            try await app.user.answer()
            let action = try #require(app.performed.last as? CXAnswerCallAction)
            DispatchQueue.concurrentPerform(iterations: 2) { _ in action.fulfill() }
            await hub.settle()
            #expect(bob.calls.map(\.state) == [.connected] && app.user.calls.map(\.state) == [.connected])
            try await bob.end()
        }
        #expect(app.system.warnings.count == 1)
        #expect(app.system.warnings.first?.contains("the first completion counts, as it would on an iPhone") == true)
    }

    @Test func `a completion after the deadline has no effect, and needs no warning`() async throws {
        let app = TestApp(hub)
        app.react(to: "answer", .nothing)
        try await bob.start("alice")
        try await app.user.answer()
        await hub.advance(by: .seconds(61))
        app.performed.last?.fulfill()
        await hub.settle()
        #expect(app.user.calls.isEmpty && app.system.warnings.isEmpty)
    }

    @Test func `a push registry without a delegate is warned of, and the call rings all the same`() async throws {
        let app = TestApp(hub)
        let registry = app.system.run { PKPushRegistry(queue: DispatchQueue(label: "registry")) }
        registry.desiredPushTypes = [.voIP]
        await hub.settle()
        try await bob.start("alice")
        #expect(app.user.calls.isEmpty && app.system.warnings.first?.contains("PKPushRegistry has no delegate") == true)
        await hub.advance(by: .seconds(6))
        #expect(app.user.calls.map(\.state) == [.ringing] && app.system.warnings.count == 2)
        #expect(
            app.system.warnings.last
                == "The app has not reported the call of bob that a push announced; an iPhone would have ended the app. "
                + "The call rings all the same."
        )
    }
}
