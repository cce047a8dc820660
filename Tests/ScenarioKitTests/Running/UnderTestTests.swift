import Foundation
import HubClient
import HubTestSupport
import ScenarioKit
import Testing

/// An app under test as a party: the run waits for its actions as the other parties see them.
struct UnderTestTests {
    private let process: RealHub
    private var hub: String { process.address.description }

    init() throws { process = try RealHub(starting: Program.path) }

    @Test func `the app calls, holds, and hangs up`() async throws {
        let story = """
            patience 60 s
            parties alice
            party app: under test
            app calls alice as A
            alice: accept A
            app: hold A
            app: unhold A
            app: end A
            """
        let app = try await HubClient.connect(to: hub, account: "app")
        let play = try await ScenarioRunner.begin(story, at: hub)
        let call = try await app.start(.generic(play.account(of: "alice")))
        for await case .notification(.callChanged(let news)) in app.events where news.state == .connected { break }
        try await app.setHeld(call, true)
        try await app.setHeld(call, false)
        try await app.end(call)
        #expect(try await play.record.verdict == .passed)
    }

    @Test func `an app that sends the tone of its line is recognised, and no other party`() async throws {
        let story = """
            patience 60 s
            parties alice, carol
            party app: under test, speaks 1000 Hz
            alice calls app as A
            app: accept A
            expect alice hears app
            expect carol never heard app
            app: key 12 on A
            alice: end A
            """
        let app = try await HubClient.connect(to: hub, account: "app")
        let play = try await ScenarioRunner.begin(story, at: hub)
        let packets = try TestTone.packets(hertz: 1_000, count: 50)
        // Nothing is sent while no audio session is active.
        let audioSource = Task {
            for index in 0... {
                app.sendAudio(packets[index % packets.count], durationInSamples: 960)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { audioSource.cancel() }
        for await case .notification(let news) in app.events {
            switch news {
            case .callChanged(let call) where call.state == .ringing: try await app.answer(call.uuid)
            case .didActivateAudioSession(let session):
                try await app.playDTMF("12", on: try #require(session.calls.first))
            default: break
            }
            if case .callChanged(let call) = news, call.hasEnded { break }
        }
        #expect(try await play.record.verdict == .passed)
    }

    @Test func `a step that the app does not perform fails with a sentence`() async throws {
        let story = """
            patience 60 s
            parties alice
            party app: under test
            app calls alice as A
            alice: accept A
            alice: end A
            app: hold A
            """
        let app = try await HubClient.connect(to: hub, account: "app")
        let play = try await ScenarioRunner.begin(story, at: hub)
        try await app.start(.generic(play.account(of: "alice")))
        let record = try await play.record
        guard case .failed(let failure) = record.verdict else {
            Issue.record("\(record.verdict)")
            return
        }
        #expect(failure.step.map { record.steps[$0].text } == "app: hold A")
        #expect(failure.expected == "app holds A")
        #expect(failure.actual == "alice's A is ended, locally")
    }

    @Test func `an app that calls without video fails a step that requires it`() async throws {
        let story = "patience 60 s\nparty alice: video\nparty app: under test\napp calls alice with video as A"
        let app = try await HubClient.connect(to: hub, account: "app")
        let play = try await ScenarioRunner.begin(story, at: hub)
        try await app.start(.generic(play.account(of: "alice")))
        guard case .failed(let failure) = try await play.record.verdict else {
            Issue.record("it passed")
            return
        }
        #expect(failure.expected == "app calls alice with video" && failure.actual == "app calls without video")
    }

    @Test func `the command waits for an app that calls a party by its plain name`() async throws {
        let folder = try TemporaryFolder()
        let story = """
            patience 600 s
            parties alice
            party app: under test
            alice: do not disturb off
            app calls alice as A
            alice: accept A
            app: end A
            """
        let file = try folder.write(story, to: "story.scenario")
        let run = try Program(["scenario", "run", file, "--hub", hub, "--plain-accounts"], in: folder)
        _ = try await run.line(with: "alice: do not disturb off")
        let phone = try Program(["phone", "app", "--hub", hub, "--call", "alice", "--for", "60"], in: folder)
        #expect(await run.exitCode() == 0, "\(run.printed)")
        #expect(await phone.exitCode() == 0, "\(phone.printed)")
    }
}
