import CallKit
import Foundation
import ScenarioApps
import ScenarioKit
import Testing

/// Scenarios whose parties are apps on CallKit, in virtual time.
struct AppScenarioTests {
    private let app = PhoneApp.tested()

    @Test func `an app answers, and both hear each other`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            alice calls app as A
            expect app rings
            app: answer A
            expect alice hears app
            expect app hears alice
            expect app's audio is on for A
            alice is silent
            expect app hears nothing
            """
        )
    }

    @Test func `an app's name and icon are shown to its account, and so are others and none`() async throws {
        let named = TestedApp { device in
            let app = PhoneApp(device, groups: 2, .atOnce)
            app.provider.configuration = CXProviderConfiguration(localizedName: "Monkey Call")
            var commands = AppCommands(app.controller)
            commands.showIcon = { app.provider.configuration.iconTemplateImageData = $0 }
            commands.rename = { app.provider.configuration = CXProviderConfiguration(localizedName: $0) }
            commands.keepsAlive(app)
            return commands
        }
        try await expectPassed(
            ["app": named],
            """
            party app: under test, in process
            expect app's providers: "Monkey Call"
            app: configure provider "Ape Call"
            expect app's providers: "Ape Call"
            """
        )
        try await expectPassed(
            ["app": named],
            """
            parties alice
            party app: under test, in process
            expect app's providers: "Monkey Call"
            app: show icon monkey
            expect app's providers: "Monkey Call" with icon monkey
            expect alice's providers: nothing
            app calls alice as A
            alice: accept A
            app: show icon ape
            expect app's providers: "Monkey Call" with icon ape
            app drops
            app resumes
            expect app's providers: "Monkey Call" with an icon
            app: show no icon
            expect app's providers: "Monkey Call"
            expect alice hears app
            """
        )
        let expected = "expect app's providers: \"Monkey Call\" with an icon within 100 ms"
        let story = "party app: under test, in process\n" + expected
        #expect(try await failure(["app": named], story)?.actual == "they are: \"Monkey Call\"")
        for (step, command) in [("show icon monkey", "showIcon"), (#"configure provider "Ape Call""#, "rename")] {
            let other = "party app: under test, in process\napp: \(step)"
            let missing = "it has no command \(command); give it one in its AppCommands"
            #expect(try await failure(["app": app], other)?.actual == missing)
        }
    }

    @Test func `an app calls, holds, resumes and ends, and its sound follows`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            app calls alice as A
            expect app is told perform start A
            alice: accept A
            expect app's A is connected
            app: hold A
            expect alice's A is held by remote
            expect alice hears nothing
            expect app hears nothing
            app: unhold A
            expect alice hears app
            app: end A
            expect alice's A ended: remoteEnded
            expect app has no calls
            """
        )
    }

    @Test func `an app swaps two calls, and merges them`() async throws {
        try await expectPassed(
            ["carol": app],
            """
            parties alice, bob
            party carol: under test, in process
            alice calls carol as A
            carol's screen: accept A
            bob calls carol as B
            expect carol's B offers hold and accept, end and accept, decline
            carol: hold and accept B
            expect bob hears carol
            expect alice hears nothing
            carol: swap
            expect carol's A is active
            expect carol hears alice
            carol: swap A with B
            expect carol hears bob
            carol: merge A with B
            expect alice hears bob and carol
            expect carol hears alice and bob
            carol: split A
            expect carol's A is alone
            carol's screen: end B
            expect bob has no calls
            expect carol hears alice
            """
        )
    }

    @Test func `the call screen of an app's device has the buttons of a call`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice, bob
            party app: under test, in process
            app's screen: call alice as A
            alice: accept A
            app's screen: hold A
            expect app's A is held
            app's screen: unhold A
            app's screen: mute A
            expect alice hears nothing
            app's screen: unmute A
            app's screen: key 12 on A
            expect alice is told dtmf 12
            bob calls app as B
            app's screen: hold and accept B
            app's screen: merge A with B
            expect app's A is grouped with B
            app's screen: split B
            app's screen: translate A from en to ko
            app's screen: swap A with B
            app's screen: end A
            """
        )
    }

    @Test func `an app ends one call and accepts the next`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested(groups: 1)],
            """
            parties alice, bob
            party app: under test, in process
            alice calls app as A
            app: accept A
            bob calls app as B
            app: end and accept B
            expect alice's A ended: remoteEnded
            expect app hears bob
            """
        )
    }

    @Test func `an app declines`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            alice calls app as A
            app: decline A
            expect alice's A ended: remoteEnded because declined
            expect app's recents: declined from alice
            """
        )
    }

    @Test func `an app keys digits, and mutes`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            alice calls app as A
            app: answer A
            app: key 12# on A
            expect alice is told dtmf 12#
            app: mute A
            expect app's A is muted
            expect alice hears nothing
            expect app hears alice
            app: unmute A
            expect alice hears app
            """
        )
    }

    @Test func `the other end hangs up, and an app is told`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            app calls alice as A
            alice: accept A
            expect app hears alice
            alice: end A
            expect app's A ended: remoteEnded
            expect app hears nothing
            expect app's audio is off
            """
        )
    }

    @Test func `an app's link drops and is resumed, and nothing is missed`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            app calls alice as A
            alice: accept A
            app drops
            alice: hold A
            wait 500 ms
            app resumes
            expect app's A is held by remote
            expect app hears nothing
            alice: unhold A
            expect app hears alice
            expect alice hears app
            """
        )
    }

    @Test func `two apps call each other, and a third party joins one of them`() async throws {
        try await expectPassed(
            ["bob": PhoneApp.tested(), "carol": PhoneApp.tested()],
            """
            parties alice
            party bob: under test, in process
            party carol: under test, in process
            bob calls carol as A
            carol: answer A
            expect carol hears bob
            expect bob hears carol
            alice calls carol as B
            carol: hold A, answer B
            expect bob's A is held by remote
            expect alice hears carol
            carol: merge A with B
            expect bob hears alice and carol
            expect carol hears alice and bob
            bob: hold A
            expect carol hears alice
            bob: end A
            expect carol's A ended: remoteEnded
            expect nobody hears himself
            """
        )
    }

    @Test func `both apps call each other at the same moment`() async throws {
        try await expectPassed(
            ["bob": PhoneApp.tested(), "carol": PhoneApp.tested()],
            """
            party bob: under test, in process
            party carol: under test, in process
            together:
                bob calls carol as A
                carol calls bob as B
            expect bob has 2 calls
            expect carol has 2 calls
            bob: end A
            expect carol has 1 call
            """
        )
    }

    @Test func `an app that fulfils late is waited for, in virtual time`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested(.after(.seconds(3)))],
            """
            patience 5 s
            parties alice
            party app: under test, in process
            alice calls app as A
            app: try answer A
            expect app is told perform answer A
            expect app's A is connecting
            expect alice hears nothing for 1 s
            expect alice hears app within 3200 ms
            app: hold A
            expect app's A is held
            """
        )
    }

    @Test func `an app that fails an answer loses the call`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested(.failing)],
            """
            parties alice
            party app: under test, in process
            alice calls app as A
            app: try answer A
            expect app's A ended: failed
            expect alice hears nothing
            """
        )
    }

    @Test func `an app that answers after the deadline is told so`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested(.after(.seconds(5)))],
            """
            hub: answer deadline 2 s
            patience 5 s
            parties alice
            party app: under test, in process
            alice calls app as A
            app's screen: try answer A
            expect app is told timedOutPerforming
            expect app has no calls
            """
        )
    }

    @Test func `an app is refused what the hub refuses, by its name`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested(groups: 1)],
            """
            parties alice, bob
            party app: under test, in process
            app calls alice as A
            alice: accept A
            app cannot call bob as B: maximumCallGroupsReached
            app: end A
            app cannot hold A: unknownCallUUID
            app calls bob as B
            expect bob rings
            """
        )
    }

    @Test func `a hub that restarts ends the calls of an app, which signs in again`() async throws {
        try await expectPassed(
            ["app": app],
            """
            parties alice
            party app: under test, in process
            app calls alice as A
            alice: accept A
            hub restarts
            alice signs in
            expect app has no calls
            app calls alice as B
            alice: accept B
            expect alice hears app
            """
        )
    }

    @Test func `the hub's echo returns an app's own sound`() async throws {
        try await expectPassed(
            ["app": app],
            """
            party app: under test, in process
            app calls echo as A
            expect app hears itself
            app: end A
            app calls music as B
            expect app hears music
            """
        )
    }
}
