import ScenarioApps
import ScenarioKit
import Testing

/// Apps that are not those of the scenario, and apps that cannot be made.
struct AppGivenTests {
    private let story = "parties alice\nparty app: under test, in process\napp calls alice"

    @Test func `a party under test without an app is one sentence`() async throws {
        let sentence = "app is under test, and no app is given for it; give one, as in apps: [\"app\": …]"
        #expect(try await failure([:], story)?.actual == sentence)
    }

    @Test func `an app for a party that is not under test is one sentence`() async throws {
        let apps = ["app": PhoneApp.tested(), "alice": PhoneApp.tested()]
        let sentence =
            "an app is given for alice, which is not under test; \"party alice: under test, in process\" is right"
        #expect(try await failure(apps, story)?.actual == sentence)
    }

    @Test func `an app that cannot be made fails the run with its reason`() async throws {
        struct NoLicence: Error {}
        let app = TestedApp { _ in throw NoLicence() }
        #expect(try await failure(["app": app], story)?.actual == "it throws: NoLicence()")
    }

    @Test func `an app without a provider never signs in`() async throws {
        let app = TestedApp { _ in AppCommands() }
        #expect(try await failure(["app": app], story)?.actual == "it has made no CXProvider")
    }

    @Test func `a party that is observed elsewhere may be an app in process, too`() async throws {
        try await expectPassed(
            ["app": PhoneApp.tested()],
            """
            parties alice
            party app: under test, speaks 1000 Hz
            app calls alice as A
            alice: accept A
            expect alice hears app
            app: hold A
            expect alice's A is held by remote
            app's screen: end A
            """
        )
    }

    @Test func `a run whose task is cancelled ends`() async throws {
        let story = "patience 1000 s\nparties alice\nparty app: under test, in process\nexpect alice rings"
        let run = Task { try await ScenarioRunner.play(story, apps: ["app": PhoneApp.tested()]) }
        run.cancel()
        guard case .failed(let failure) = try await run.value.verdict else {
            Issue.record("The run has not failed.")
            return
        }
        #expect(failure.actual == "it was interrupted")
    }
}
