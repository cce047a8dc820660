import CallKit
import CallSystem
import Foundation
import HubAccountData
import HubEngine
import HubWire
import Testing

/// Calls that ring at the app: of its own network, or at the hub.
struct IncomingCallTests {
    private let hub: SimulatedHub
    private let app: TestApp

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub)
        await hub.settle()
        _ = app.takeLog()
    }

    private func block(_ handle: String) async throws {
        let rule = BlockRule.handle(Handle.generic(handle))
        _ = try await app.system.send(.accountData(.block(rule)))
    }

    @Test func `a reported call rings, is answered and ended (CK-08, CK-18, CK-68)`() async throws {
        let call = try await app.report("bob") { $0.localizedCallerName = "Bob" }
        #expect(app.user.calls.map(\.name) == ["Bob"] && app.user.calls.map(\.handle) == ["bob"])
        #expect(app.user.calls.map(\.choices) == [[.accept, .decline]])
        try await app.user.answer()
        #expect(app.takeLog() == ["answer", "activate"])
        #expect(app.state(of: call) == .connected)
        let answer = try #require(app.performed.first)
        #expect(answer.timeoutDate.timeIntervalSince(hub.now) == 60)
        try await app.user.end()
        #expect(app.takeLog() == ["end", "deactivate"])
        #expect(app.takeObserved() == ["incoming new", "incoming connected", "incoming ended"])
    }

    @Test func `a second report of a UUID is refused, and the call is as it was (CK-09, P34)`() async throws {
        let call = try await app.report("bob")
        #expect(await reportRefusal { try await app.report("carol", call) } == .callUUIDAlreadyExists)
        #expect(app.user.calls.map(\.handle) == ["bob"])
    }

    @Test func `a blocked caller's report is refused (CK-11)`() async throws {
        try await block("mallory")
        #expect(await reportRefusal { try await app.report("mallory") } == .filteredByBlockList)
        #expect(app.user.calls.isEmpty && app.takeLog().isEmpty)
        try await app.report("bob")
        #expect(app.user.calls.count == 1)
    }

    @Test func `under Do Not Disturb a report is refused (CK-13)`() async throws {
        _ = try await app.system.send(.accountData(.setSettings(SettingsUpdate(doNotDisturb: true))))
        #expect(await reportRefusal { try await app.report("bob") } == .filteredByDoNotDisturb)
        #expect(app.user.calls.isEmpty)
    }

    @Test func `an update changes what it has, and leaves the rest (CK-15, CK-16, CK-17)`() async throws {
        let call = try await app.report("bob") {
            $0.localizedCallerName = "Bob"
            $0.supportsHolding = false
        }
        let update = CXCallUpdate()
        update.supportsDTMF = false
        app.provider.reportCall(with: call, updated: update)
        try await app.user.answer()
        #expect(app.user.calls.map(\.name) == ["Bob"])
        let hold = CXSetHeldCallAction(call: call, onHold: true)
        #expect(await refusal { try await app.request(hold) } == .invalidAction)
        let tone = CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone)
        #expect(await refusal { try await app.request(tone) } == .invalidAction)
        let again = CXCallUpdate()
        again.supportsHolding = true
        again.localizedCallerName = "Robert"
        app.provider.reportCall(with: call, updated: again)
        try await app.request(CXSetHeldCallAction(call: call, onHold: true))
        #expect(app.user.calls.map(\.name) == ["Robert"] && app.state(of: call) == .held)
    }

    @Test func `an answered call is connecting until the app fulfils the answer (CK-19, P27)`() async throws {
        app.react(to: "answer", .nothing)
        let call = try await app.report("bob")
        try await app.user.answer()
        #expect(app.state(of: call) == .connecting && app.takeLog() == ["answer"])
        #expect(app.controller.callObserver.calls.map(\.hasConnected) == [false])
        app.performed[0].fulfill()
        await hub.settle()
        #expect(app.state(of: call) == .connected && app.takeLog() == ["activate"])
    }

    @Test func `a failed answer ends the call, for the caller too (CK-20)`() async throws {
        app.react(to: "answer", .fail)
        let bob = hub.phone("bob")
        try await bob.start("alice")
        try await app.user.answer()
        #expect(app.takeLog() == ["answer"])
        #expect(app.user.calls.isEmpty && bob.calls.isEmpty)
    }

    @Test func `a decline is an end of the ringing call (CK-21)`() async throws {
        let bob = hub.phone("bob")
        try await bob.start("alice")
        try await app.user.decline()
        #expect(app.takeLog() == ["end"])
        #expect(app.user.calls.isEmpty && bob.calls.isEmpty)
    }

    @Test func `a call that nobody answers is ended by the system in time (CK-22)`() async throws {
        let call = try await app.report("bob")
        await hub.advance(by: .seconds(59))
        #expect(app.state(of: call) == .ringing && app.takeLog().isEmpty)
        await hub.advance(by: .seconds(2))
        #expect(app.state(of: call) == nil && app.takeLog() == ["end"])
    }

    @Test func `a call that was answered on another device stops ringing (CK-23, P31)`() async throws {
        let tablet = TestApp(hub, on: hub.device("alice", named: "tablet"))
        let bob = hub.phone("bob")
        try await bob.start("alice")
        #expect(app.user.calls.count == 1 && tablet.user.calls.count == 1)
        try await tablet.user.answer()
        #expect(app.user.calls.isEmpty && tablet.user.calls.map(\.state) == [.connected])
        #expect(app.takeObserved() == ["incoming new", "incoming ended"])
    }

    @Test func `a call that was declined on another device stops ringing (CK-24)`() async throws {
        let tablet = TestApp(hub, on: hub.device("alice", named: "tablet"))
        let bob = hub.phone("bob")
        try await bob.start("alice")
        try await tablet.user.decline()
        #expect(app.user.calls.isEmpty && bob.calls.isEmpty)
    }

    @Test func `a call that its caller cancels stops ringing (CK-25)`() async throws {
        let bob = hub.phone("bob")
        try await bob.start("alice")
        #expect(app.user.calls.map(\.state) == [.ringing])
        try await bob.end()
        #expect(app.user.calls.isEmpty)
    }

    @Test func `a reported end ends the call, and one of an unknown call is ignored (CK-31)`() async throws {
        let call = try await app.report("bob")
        try await app.user.answer()
        app.provider.reportCall(with: UUID(), endedAt: nil, reason: .failed)
        await hub.settle()
        #expect(app.state(of: call) == .connected)
        _ = app.takeLog()
        app.provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
        await hub.settle()
        #expect(app.state(of: call) == nil && app.takeLog() == ["deactivate"])
        #expect(app.takeObserved().last == "incoming ended")
    }

    @Test func `each call leaves an entry in Recents unless the provider excludes it (CK-71, CK-72)`() async throws {
        try await app.report("bob")
        try await app.user.decline()
        app.provider.configuration.includesCallsInRecents = false
        try await app.report("carol")
        try await app.user.decline()
        let reply = try await app.system.send(.accountData(.listRecents(limit: nil, before: nil)))
        guard case .recents(let recents) = reply else {
            Issue.record("no Recents")
            return
        }
        #expect(recents.map(\.call.handle.value) == ["bob"])
        // A call back is a start by the handle.
        try await app.start(recents[0].call.handle.value)
        #expect(app.takeLog().contains("start"))
    }
}
