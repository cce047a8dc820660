import Foundation
import HubTestSupport
import Testing

@testable import callhub

/// `callhub scenario run`: the real program, with a hub of its own.
struct ScenarioCommandTests {
    private static let swap = """
        scenario Carol swaps between two callers, merges them and drops one
        patience 20 s
        alice calls carol as A
        carol: accept A
        bob calls carol as B
        carol: hold and accept B
        expect bob hears carol
        carol: swap
        expect alice hears carol
        carol: swap
        carol: merge A with B
        expect alice hears bob and carol
        carol: end B
        expect alice hears carol
        """

    @Test func `a story is told step by step, and comes true on a real hub`() async throws {
        let folder = try TemporaryFolder()
        let run = try await run(["swap.scenario": Self.swap], [], in: folder)
        #expect(run.code == 0, "\(run.output) \(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "Carol swaps between two callers, merges them and drops one")
        #expect(lines.filter { $0.hasPrefix("✓ ") }.count == 12)
        #expect(lines.last?.hasPrefix("1 passed in ") ?? false)
    }

    @Test func `a hub of one's own is killed and started, and remembers`() async throws {
        let folder = try TemporaryFolder()
        let story = """
            patience 20 s
            alice calls bob as A
            bob: accept A
            bob: end A
            hub is killed
            hub starts
            bob signs in
            expect bob's recents: answered from alice
            hub restarts
            bob signs in
            clock jumps 200 ms
            expect bob's recents: answered from alice
            """
        let run = try await run(["kill.scenario": story], [], in: folder)
        #expect(run.code == 0, "\(run.output) \(run.errors)")
    }

    @Test func `what does not come true is told in full, and gives exit code 3`() async throws {
        let folder = try TemporaryFolder()
        let stories = [
            "good.scenario": "alice calls bob as A\nexpect bob's A is ringing",
            "bad.scenario": "alice calls bob as A\nexpect bob's A is held within 20 ms",
        ]
        let run = try await run(stories, ["--virtual", "--seed", "7"], in: folder)
        #expect(run.code == 3)
        let expected = """
            FAILED bad
              bad.scenario:2  expect bob's A is held within 20 ms
              expected: bob's A is held
              came:     bob's A is ringing, offers accept, decline, shows alice from handle
              seed:     7
              alice
            """
        #expect(run.output.contains(expected), "\(run.output)")
        #expect(run.output.contains("1 failed, 1 passed in "))
        #expect(run.errors == "callhub scenario run: one scenario failed.\n")
    }

    @Test func `programs get a line of JSON for each run`() async throws {
        let folder = try TemporaryFolder()
        let story = "for each HOW of accept, decline\nalice calls bob as A\nbob: {HOW} A"
        let run = try await run(["a.scenario": story], ["--virtual", "--json", "--repeat", "2"], in: folder)
        #expect(run.code == 0)
        let lines = try run.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["verdict"] as? String } == Array(repeating: "passed", count: 4))
        #expect(lines.map { $0["seed"] as? Int } == [1, 1, 2, 2])
        #expect(lines.compactMap { $0["variant"] as? [String] }.first == ["HOW = accept"])
    }

    @Test func `what cannot be run is said in a sentence each`() async throws {
        let folder = try TemporaryFolder()
        let wrong = try await run(["a.scenario": "parties alice, bob\nalice cals bob"], [], in: folder)
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("a.scenario:2:7: \"cals\" is nothing that somebody does; did you mean calls?"))
        let none = try await CommandRun("scenario", "run", "no-such.scenario", in: folder)
        #expect(none.code == 1 && none.errors.contains("there is no file \"no-such.scenario\"."))
        let gone = try await CommandRun("scenario", "run", "a.scenario", "--hub", "ws://127.0.0.1:1", in: folder)
        #expect(gone.code == 1)
        try Data("alice calls bob".utf8).write(to: folder.url.appending(path: "a.scenario"))
        let lost = try await CommandRun("scenario", "run", "a.scenario", "--hub", "ws://127.0.0.1:1", in: folder)
        #expect(lost.code == 2 && lost.errors.contains("cannot be reached"))
    }

    private func run(_ files: [String: String], _ options: [String], in folder: TemporaryFolder) async throws
        -> CommandRun
    {
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
        return try await CommandRun(["scenario", "run"] + files.keys.sorted() + options, in: folder)
    }
}
