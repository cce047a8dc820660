import CallKit
import CallSystem
import Dispatch
import Foundation
import PushKit
import Testing

/// Calls that ring at the hub and are announced to the app by a push.
struct PushTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen
    private let push: PushDelegate

    /// Receives pushes as apps do, and reports their calls unless a test says otherwise.
    private final class PushDelegate: NSObject, PKPushRegistryDelegate, @unchecked Sendable {
        let registry: PKPushRegistry
        let payloads = Locked<[PKPushPayload]>([])
        let tokens = Locked<[Data]>([])
        let report: @Sendable (PKPushPayload) -> Void

        init(_ app: TestApp, report: @escaping @Sendable (PKPushPayload) -> Void) {
            registry = app.system.run { PKPushRegistry(queue: DispatchQueue(label: "PushDelegate")) }
            self.report = report
            super.init()
            registry.delegate = self
            registry.desiredPushTypes = [.voIP]
        }

        func pushRegistry(
            _ registry: PKPushRegistry,
            didUpdate pushCredentials: PKPushCredentials,
            for type: PKPushType
        ) {
            tokens.withLock { $0.append(pushCredentials.token) }
        }

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingPushWith payload: PKPushPayload,
            for type: PKPushType,
            completion: @escaping () -> Void
        ) {
            payloads.withLock { $0.append(payload) }
            report(payload)
            completion()
        }
    }

    private let reports = Locked<(@Sendable (PKPushPayload) -> Void)?>(nil)
    private let results = Locked<[String]>([])

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub)
        bob = hub.phone("bob")
        push = PushDelegate(app) { [reports] payload in reports.withLock { $0 }?(payload) }
        await hub.settle()
        _ = app.takeLog()
    }

    /// Has the app report each pushed call, under a UUID made from the payload's.
    private func report(as uuid: @escaping @Sendable (String) -> UUID?) {
        let (provider, results) = (app.provider, self.results)
        reports.withLock { reports in
            reports = { payload in
                guard let text = payload.dictionaryPayload["UUID"] as? String, let call = uuid(text) else { return }
                let update = CXCallUpdate()
                update.localizedCallerName = "From the push"
                provider.reportNewIncomingCall(with: call, update: update) { error in
                    results.withLock { $0.append(error.map { "\(($0 as NSError).code)" } ?? "rings") }
                }
            }
        }
    }

    @Test func `registering gives a token`() {
        #expect(push.tokens.withLock { $0 } == [push.registry.pushToken(for: .voIP)])
        #expect(push.registry.pushToken(for: .complication) == nil)
    }

    @Test func `a call at the hub is announced, reported and answered (CK-80)`() async throws {
        report { UUID(uuidString: $0) }
        try await bob.start("alice")
        let payload = try #require(push.payloads.withLock { $0.first })
        #expect(payload.dictionaryPayload["handle"] as? String == "bob")
        #expect(payload.dictionaryPayload["identifier"] as? String == "bob")
        #expect(payload.dictionaryPayload["hasVideo"] as? Bool == false)
        #expect(results.withLock { $0 } == ["rings"] && app.user.calls.map(\.name) == ["From the push"])
        try await app.user.answer()
        #expect(app.takeLog() == ["answer", "activate"] && bob.calls.map(\.state) == [.connected])
        // The name that the app shows is not for the other end.
        #expect(bob.calls.map(\.name) == ["alice"])
    }

    @Test func `a call may be reported under a UUID of the app's own`() async throws {
        let own = UUID()
        report { _ in own }
        try await bob.start("alice")
        #expect(app.user.calls.map(\.uuid) == [own])
        #expect(app.controller.callObserver.calls.map(\.uuid) == [own])
        try await app.request(CXAnswerCallAction(call: own))
        #expect(bob.calls.map(\.state) == [.connected])
        #expect((app.performed.last as? CXCallAction)?.callUUID == own)
        try await bob.end()
        #expect((app.performed.last as? CXEndCallAction)?.callUUID == own)
    }

    /// A delegate with asynchronous methods alone, as in new apps.
    private final class AsyncDelegate: NSObject, PKPushRegistryDelegate, Sendable {
        let received = Locked<[String]>([])

        func pushRegistry(
            _ registry: PKPushRegistry,
            didUpdate pushCredentials: PKPushCredentials,
            for type: PKPushType
        ) {}

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingPushWith payload: PKPushPayload,
            for type: PKPushType
        ) async {
            await Task.yield()
            received.withLock { $0.append(payload.dictionaryPayload["handle"] as? String ?? "") }
        }
    }

    /// A delegate that asks the metadata, asynchronously.
    private final class MetadataDelegate: NSObject, PKPushRegistryDelegate, Sendable {
        let received = Locked<[Bool]>([])

        func pushRegistry(
            _ registry: PKPushRegistry,
            didUpdate pushCredentials: PKPushCredentials,
            for type: PKPushType
        ) {}

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingVoIPPushWith payload: PKPushPayload,
            metadata: PKVoIPPushMetadata
        ) async {
            received.withLock { $0.append(metadata.mustReport) }
        }
    }

    /// A delegate with all methods of a shipping app that supports old systems, too.
    private final class FullDelegate: NSObject, PKPushRegistryDelegate, Sendable {
        let received = Locked<[String]>([])

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
            received.withLock { $0.append("old") }
            completion()
        }

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingVoIPPushWith payload: PKPushPayload,
            metadata: PKVoIPPushMetadata,
            withCompletionHandler completion: @escaping () -> Void
        ) {
            received.withLock { $0.append("new") }
            completion()
        }
    }

    /// A delegate with the oldest method alone.
    private final class OldDelegate: NSObject, PKPushRegistryDelegate, Sendable {
        let received = Locked<[Bool]>([])
        let key = DispatchSpecificKey<Bool>()

        func pushRegistry(
            _ registry: PKPushRegistry,
            didUpdate pushCredentials: PKPushCredentials,
            for type: PKPushType
        ) {}

        func pushRegistry(
            _ registry: PKPushRegistry,
            didReceiveIncomingPushWith payload: PKPushPayload,
            for type: PKPushType
        ) {
            received.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
        }
    }

    /// Registers a delegate on a device of its own, and has Bob call it.
    private func push(to delegate: any PKPushRegistryDelegate, on queue: DispatchQueue) async throws -> PKPushRegistry {
        let app = TestApp(hub, "carol")
        let registry = app.system.run { PKPushRegistry(queue: queue) }
        registry.delegate = delegate
        registry.desiredPushTypes = [.voIP]
        await hub.settle()
        try await bob.start("carol")
        return registry
    }

    @Test(.timeLimit(.minutes(1))) func `a delegate may receive pushes asynchronously`() async throws {
        let delegate = AsyncDelegate()
        let registry = try await push(to: delegate, on: DispatchQueue(label: "AsyncDelegate"))
        while delegate.received.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(delegate.received.withLock { $0 } == ["bob"])
        withExtendedLifetime(registry) {}
    }

    @Test(.timeLimit(.minutes(1))) func `a delegate may ask whether it must report the call, and it must`()
        async throws
    {
        let delegate = MetadataDelegate()
        let registry = try await push(to: delegate, on: DispatchQueue(label: "MetadataDelegate"))
        while delegate.received.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(delegate.received.withLock { $0 } == [true])
        withExtendedLifetime(registry) {}
    }

    @Test func `of several methods of a delegate the newest one is called, and no other`() async throws {
        let delegate = FullDelegate()
        let registry = try await push(to: delegate, on: DispatchQueue(label: "FullDelegate"))
        #expect(delegate.received.withLock { $0 } == ["new"])
        withExtendedLifetime(registry) {}
    }

    @Test func `the method without a completion is called once, on the registry's queue`() async throws {
        let (delegate, queue) = (OldDelegate(), DispatchQueue(label: "OldDelegate"))
        queue.setSpecific(key: delegate.key, value: true)
        let registry = try await push(to: delegate, on: queue)
        #expect(delegate.received.withLock { $0 } == [true])
        withExtendedLifetime(registry) {}
    }

    @Test func `a second report of an announced call is refused (CK-09)`() async throws {
        report { UUID(uuidString: $0) }
        try await bob.start("alice")
        let call = try #require(app.user.calls.first?.uuid)
        #expect(await reportRefusal { try await app.report("bob", call) } == .callUUIDAlreadyExists)
    }

    @Test func `a call that is not reported rings all the same after five seconds`() async throws {
        try await bob.start("alice")
        await hub.advance(by: .milliseconds(4_900))
        #expect(app.user.calls.isEmpty && app.takeObserved().isEmpty)
        await hub.advance(by: .milliseconds(200))
        #expect(app.user.calls.map(\.state) == [.ringing] && app.takeObserved() == ["incoming new"])
        try await app.user.answer()
        #expect(bob.calls.map(\.state) == [.connected])
    }

    @Test func `a call that ends before its report does not ring (P32)`() async throws {
        try await bob.start("alice")
        try await bob.end()
        let payload = try #require(push.payloads.withLock { $0.first })
        let call = try #require((payload.dictionaryPayload["uuid"] as? String).flatMap { UUID(uuidString: $0) })
        #expect(await reportRefusal { try await app.report("bob", call) } == .unknown)
        #expect(app.user.calls.isEmpty)
        // Another call of the same caller does.
        report { UUID(uuidString: $0) }
        try await bob.start("alice")
        #expect(app.user.calls.map(\.state) == [.ringing])
    }
}
