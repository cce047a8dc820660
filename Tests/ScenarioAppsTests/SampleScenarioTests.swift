import CallKit
import SampleTerminal
import ScenarioApps
import ScenarioKit
import Testing

@testable import Hotline
@testable import MonkeyCall

/// The sample apps as parties of scenarios, by their own methods.
struct SampleScenarioTests {
    private let monkeyCall = TestedApp { _ in
        let app = MonkeyCallApp(Terminal { _ in })
        var commands = AppCommands()
        commands.start = { handle, _ in try await app.manager.startCall(handle) }
        commands.end = { call in
            if let call = app.manager.findCall(call) { try await app.manager.endCall(call) }
        }
        commands.hold = { call, isOnHold in
            if let call = app.manager.findCall(call) { try await app.manager.setHeld(call, isOnHold) }
        }
        return commands
    }

    private let hotline = TestedApp { device in
        let app = HotlineApp(Terminal { _ in }) { await device.sleep(for: $0) }
        var commands = AppCommands()
        commands.start = { handle, _ in try await app.manager.startCall(to: handle.value, type: handle.type) }
        commands.end = { call in
            if let call = app.manager.call(with: call) { try await app.manager.end(call) }
        }
        commands.hold = { call, isOnHold in
            guard let call = app.manager.call(with: call), (call.state == .held) != isOnHold else { return }
            try await app.manager.toggleHold(call)
        }
        commands.mute = { call, isMuted in
            if let call = app.manager.call(with: call) { try await app.manager.setMuted(call, isMuted) }
        }
        commands.group = { call, other in
            guard let call = app.manager.call(with: call) else { return }
            try await app.manager.group(call, with: other.flatMap { app.manager.call(with: $0) })
        }
        return commands
    }

    @Test func `MonkeyCall holds one call to accept another, and ends one to accept a third`() async throws {
        try await expectPassed(
            ["monkey": monkeyCall],
            """
            parties alice, bob, dave
            party monkey: under test, in process
            monkey calls alice as A
            alice: accept A
            expect alice hears monkey
            bob calls monkey as B
            monkey: hold and accept B
            expect monkey's A is held
            expect monkey hears bob
            dave calls monkey as D
            monkey: end and accept D
            expect bob has no calls
            expect monkey hears dave
            monkey: end D
            monkey: unhold A
            expect monkey hears alice
            """
        )
    }

    @Test func `MonkeyCall and Hotline call each other, and Hotline merges a third party in`() async throws {
        try await expectPassed(
            ["monkey": monkeyCall, "hotline": hotline],
            """
            parties alice
            party monkey: under test, in process
            party hotline: under test, in process
            monkey calls hotline as A
            hotline's screen: accept A
            expect monkey hears hotline
            alice calls hotline as B
            hotline: hold and accept B
            hotline: merge A with B
            expect alice hears hotline and monkey
            hotline: mute A
            hotline: mute B
            expect alice hears monkey
            monkey: hold A
            expect alice hears nothing
            monkey: end A
            expect hotline has 1 call
            """
        )
    }

    @Test func `Hotline's delegate performs no keys, so that they fail at once`() async throws {
        let failure = try await failure(
            ["hotline": hotline],
            """
            parties alice
            party hotline: under test, in process
            alice calls hotline as A
            hotline: accept A
            hotline's screen: key 1 on A
            """
        )
        #expect(failure?.expected == "the app of hotline performs key 1 on A")
        #expect(failure?.actual == "it failed")
    }

    @Test func `a command that an app does not have is one sentence`() async throws {
        let failure = try await failure(
            ["monkey": monkeyCall],
            """
            parties alice
            party monkey: under test, in process
            alice calls monkey as A
            monkey: accept A
            monkey: mute A
            """
        )
        let sentence =
            "it has no command mute; give it one in its AppCommands, or have the user of its device do it, as in"
            + " \"app's screen: …\""
        #expect(failure?.actual == sentence)
    }
}
