import CallKit
import CallSystem
import Foundation
import Testing

@testable import Calls

@MainActor
struct SeveralCallsTests {
    /// A call with Bob on hold, and an active one with Carol.
    private func twoCalls(_ fixture: Fixture) async throws -> (held: Call, active: Call) {
        let held = try await fixture.talk(to: fixture.bob, "bob")
        let active = try await fixture.talk(to: fixture.carol, "carol")
        #expect(held.state == .held && active.state == .active)
        return (held, active)
    }

    @Test func `a held call has no audio until it is resumed`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        await fixture.act { $0.setHeld(call, onHold: true) }
        #expect(call.state == .held && fixture.bob.calls.map(\.isHeldByOther) == [true] && !fixture.isAudioRunning)
        await fixture.act { $0.setHeld(call, onHold: false) }
        #expect(call.state == .active && fixture.bob.calls.map(\.isHeldByOther) == [false] && fixture.isAudioRunning)
    }

    @Test func `Hold and Accept keeps the first call on hold`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.talk(to: fixture.bob, "bob")
        try await fixture.carol.start("alice")
        #expect(fixture.user.calls.last?.choices == [.holdAndAccept, .endAndAccept, .decline])
        try await fixture.user.choose(.holdAndAccept)
        #expect(first.state == .held && fixture.states == [.held, .active] && fixture.isAudioRunning)
    }

    @Test func `End and Accept ends the first call`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.talk(to: fixture.bob, "bob")
        try await fixture.carol.start("alice")
        try await fixture.user.choose(.endAndAccept)
        #expect(first.state == .ended && fixture.calls.map(\.handle) == ["carol"] && fixture.isAudioRunning)
        #expect(fixture.bob.calls.isEmpty)
    }

    @Test func `a start holds the active call first`() async throws {
        let fixture = try await Fixture()
        let (held, active) = try await twoCalls(fixture)
        #expect(fixture.user.calls.map(\.uuid) == [held.uuid, active.uuid])
        #expect(fixture.bob.calls.map(\.isHeldByOther) == [true])
    }

    @Test func `a swap is one transaction of the app, or one tap`() async throws {
        let fixture = try await Fixture()
        let (bob, carol) = try await twoCalls(fixture)
        await fixture.act { $0.swap(carol, bob) }
        #expect(bob.state == .active && carol.state == .held && fixture.isAudioRunning)
        try await fixture.user.swap()
        #expect(bob.state == .held && carol.state == .active)
    }

    @Test func `after the end of one call the system resumes the other one`() async throws {
        let fixture = try await Fixture()
        let (held, active) = try await twoCalls(fixture)
        await fixture.act { $0.end(active) }
        #expect(held.state == .active && fixture.calls.map(\.handle) == ["bob"] && fixture.isAudioRunning)
    }

    @Test func `two calls are merged, and one is split off again`() async throws {
        let fixture = try await Fixture()
        let (bob, carol) = try await twoCalls(fixture)
        await fixture.act { $0.merge(bob, with: carol) }
        #expect(bob.group == carol.uuid && bob.state == .active)
        #expect(fixture.user.calls.map(\.group) == [[bob.uuid, carol.uuid], [bob.uuid, carol.uuid]])
        await fixture.act { $0.split(bob) }
        #expect(bob.group == nil && carol.state == .held)
        #expect(fixture.user.calls.map(\.group) == [[], []])
    }

    @Test func `a third call is refused by the limit of the provider`() async throws {
        let fixture = try await Fixture()
        _ = try await twoCalls(fixture)
        await fixture.act { $0.startCall(to: "dave") }
        #expect(fixture.refusal == .maximumCallGroupsReached && fixture.calls.count == 2)
    }
}
