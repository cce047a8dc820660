import HubClient
import HubTestSupport
import ScenarioKit
import Testing

/// A scenario with an app under test on a running hub; the example of `docs/scenarios.md`.
struct OutsideAppTests {
    private let process: RealHub
    private var hub: String { process.address.description }

    init() throws { process = try RealHub(starting: Program.path) }

    @Test func `the app answers, is held, and is notified of the end`() async throws {
        let story = """
            patience 60 s
            alice calls generic:app as A
            expect alice's A is connected
            alice: hold A
            expect alice's A is held
            alice: end A
            """
        let app = try await HubClient.connect(to: hub, account: "app")
        async let run = ScenarioRunner.play(story, at: hub)
        for await case .notification(.callChanged(let call)) in app.events {
            if call.state == .ringing { try await app.answer(call.uuid) }
            if call.hasEnded { break }
        }
        #expect(try await run.verdict == .passed)
    }

    @Test func `after an app's merge its callers receive each other's audio`() async throws {
        let story = """
            patience 60 s
            alice calls generic:app as A
            expect alice's A is connected
            bob calls generic:app as B
            expect alice hears bob
            alice: end A
            bob: end B
            """
        let app = try await HubClient.connect(to: hub, account: "app")
        async let run = ScenarioRunner.play(story, at: hub)
        var calls: [CallUUID] = []
        var ended = 0
        for await case .notification(.callChanged(let call)) in app.events where ended < 2 {
            if call.state == .ringing, !calls.contains(call.uuid) {
                calls.append(call.uuid)
                try await app.answer(call.uuid)
                if calls.count == 2 { try await app.setGroup(calls[1], with: calls[0]) }
            }
            if call.hasEnded { ended += 1 }
            if ended == 2 { break }
        }
        let record = try await run
        #expect(record.verdict == .passed)
    }

    @Test func `a scenario whose app takes no part fails at the app's step`() async throws {
        let record = try await ScenarioRunner.play("patience 5 s\nalice calls generic:app as A\nalice: hold A", at: hub)
        guard case .failed(let failure) = record.verdict else {
            Issue.record("\(record.verdict)")
            return
        }
        #expect(failure.step.map { record.steps[$0].line } == 3)
    }

    @Test func `a missing hub or a matrix throws an error with a sentence`() async {
        await #expect(throws: HubStartError.self) {
            try await ScenarioRunner.play("alice calls bob", at: "ws://127.0.0.1:1/v1")
        }
        await #expect(throws: ScenarioSyntaxErrors.self) {
            try await ScenarioRunner.play("for each A of accept, decline\nalice calls bob as A\nbob: {A} A", at: hub)
        }
    }
}
