import Foundation
import FoundationXML
import HubTestSupport
import Testing

/// `callhub scenario run`: the real program, with a hub of its own.
struct ScenarioCommandTests {
    @Test func `a scenario reports each step and passes on a real hub`() async throws {
        let folder = try TemporaryFolder()
        let story = "patience 20 s\n" + SharedScenarios.swapAndMerge
        let run = try await run(["swap.scenario": story], [], in: folder)
        #expect(run.code == 0, "\(run.output) \(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "Carol swaps between two callers, merges them and drops one")
        #expect(lines.filter { $0.hasPrefix("✓ ") }.count == 12)
        #expect(lines.last?.hasPrefix("1 passed in ") ?? false)
    }

    @Test func `a scenario's own hub is killed and restarted, and keeps its stored data`() async throws {
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

    @Test func `a failing scenario is reported in full, and gives exit code 3`() async throws {
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
              actual:   bob's A is ringing, offers accept, decline, shows alice from handle
              seed:     7
              alice
            """
        #expect(run.output.contains(expected), "\(run.output)")
        #expect(run.output.contains("1 failed, 1 passed in "))
        #expect(run.errors == "callhub scenario run: one scenario failed.\n")
    }

    @Test func `with --json each run is one line of JSON`() async throws {
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

    @Test func `each scenario that cannot run is reported in one sentence`() async throws {
        let folder = try TemporaryFolder()
        let wrong = try await run(["a.scenario": "parties alice, bob\nalice cals bob"], [], in: folder)
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("a.scenario:2:7: \"cals\" is no known verb; did you mean calls?"))
        let none = try await CommandRun("scenario", "run", "no-such.scenario", in: folder)
        #expect(none.code == 1 && none.errors.contains("there is no file \"no-such.scenario\"."))
        let gone = try await CommandRun("scenario", "run", "a.scenario", "--hub", "ws://127.0.0.1:1", in: folder)
        #expect(gone.code == 1)
        try Data("alice calls bob".utf8).write(to: folder.url.appending(path: "a.scenario"))
        let lost = try await CommandRun("scenario", "run", "a.scenario", "--hub", "ws://127.0.0.1:1", in: folder)
        #expect(lost.code == 2 && lost.errors.contains("cannot be reached"))
    }

    @Test func `an app under test takes part in a scenario on a running hub`() async throws {
        let folder = try TemporaryFolder()
        let story = ["a.scenario": "parties alice\nparty app: under test\napp calls alice as A"]
        let own = try await run(story, ["--tap", "-"], in: folder)
        #expect(own.code == 0 && own.output.contains("app is under test, which requires a running hub: --hub URL"))
        let virtual = try await run(story, ["--virtual", "--tap", "-"], in: folder)
        #expect(virtual.code == 0 && virtual.output.contains("apps under test cannot connect to a hub in virtual time"))
        let plain = try await run(story, ["--plain-accounts"], in: folder)
        #expect(plain.code == 1 && plain.errors.contains("--plain-accounts requires --hub"))
    }

    // MARK: Reports

    private static let pair = [
        "good.scenario": "for each HOW of accept, decline\nalice calls bob as A\nbob: {HOW} A",
        "bad.scenario": "alice calls bob as A\nexpect bob's A is held within 20 ms",
    ]

    @Test func `reports are written for passing and failing runs, and do not change the exit code`() async throws {
        let folder = try TemporaryFolder()
        let options = ["--virtual", "--junit", "j.xml", "--tap", "t.tap", "--html", "h.html", "--ladder", "l.svg"]
        let run = try await run(Self.pair, options, in: folder)
        #expect(run.code == 3 && run.output.contains("1 failed, 2 passed in "))
        let junit = try read("j.xml", in: folder)
        #expect(XMLParser(data: Data(junit.utf8)).parse())
        #expect(junit.contains("<testsuites tests=\"3\" failures=\"1\""))
        let tap = try read("t.tap", in: folder).split(separator: "\n").filter { $0.contains("ok ") }
        #expect(tap == ["not ok 1 - bad", "ok 2 - good (HOW = accept)", "ok 3 - good (HOW = decline)"])
        let page = try read("h.html", in: folder)
        #expect(page.hasPrefix("<!doctype html>") && page.split(separator: "<svg").count == 4)
        #expect(try ladders(in: folder) == ["l-bad.svg", "l-good-HOW-accept.svg", "l-good-HOW-decline.svg"])
        for name in try ladders(in: folder) {
            #expect(XMLParser(data: Data(try read(name, in: folder).utf8)).parse(), "\(name)")
        }
    }

    @Test func `a single run's ladder is written to the given file, in the format of its extension`() async throws {
        let folder = try TemporaryFolder()
        let story = ["a.scenario": "alice calls bob as A\nbob: accept A"]
        for (file, words) in [("l.svg", "<svg"), ("l.txt", "alice calls bob as A"), ("l.mmd", "sequenceDiagram")] {
            let run = try await run(story, ["--virtual", "--ladder", file], in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try read(file, in: folder).contains(words))
        }
        #expect(try ladders(in: folder) == ["l.mmd", "l.svg", "l.txt"])
        let repeated = try await run(
            story,
            ["--virtual", "--repeat", "2", "--seed", "8", "--ladder=r.txt"],
            in: folder
        )
        #expect(repeated.code == 0)
        #expect(try read("r-a-8.txt", in: folder).contains("seed 8"))
        #expect(try read("r-a-9.txt", in: folder).contains("seed 9"))
    }

    @Test func `a report on standard output is its only content`() async throws {
        let folder = try TemporaryFolder()
        let run = try await run(Self.pair, ["--virtual", "--tap", "-"], in: folder)
        #expect(run.code == 3 && run.errors == "callhub scenario run: one scenario failed.\n")
        #expect(run.output.hasPrefix("TAP version 14\n1..3\nnot ok 1 - bad\n"))
        #expect(run.output.hasSuffix("ok 3 - good (HOW = decline)\n"))
    }

    @Test(arguments: [
        (["--ladder", "l.png"], "--ladder is \"l.png\"; its name must end with .svg, .txt or .mmd."),
        (["--tap", "-", "--json"], "--tap and --json are mutually exclusive: only one can write to standard output."),
        (
            ["--tap", "-", "--junit", "-"],
            "--junit and --tap are mutually exclusive: only one can write to standard output."
        ),
    ])
    func `conflicting report options are refused before any scenario runs`(_ options: [String], _ words: String)
        async throws
    {
        let run = try await run(Self.pair, ["--virtual"] + options, in: try TemporaryFolder())
        #expect(run.code == 1 && run.output.isEmpty && run.errors.contains(words), "\(run.errors)")
    }

    @Test(arguments: [
        ("no/j.xml", "--junit is \"no/j.xml\", which cannot be written: there is no folder \"no\"."),
        (".", "--junit is \".\", which cannot be written: it is a folder."),
    ])
    func `an unwritable report path is detected before any scenario runs`(_ file: String, _ words: String) async throws
    {
        let run = try await run(Self.pair, ["--virtual", "--junit", file], in: try TemporaryFolder())
        #expect(run.code == 1 && run.output.isEmpty && run.errors.contains(words), "\(run.errors)")
    }

    @Test func `a report that cannot be written at the end hides no failure`() async throws {
        let folder = try TemporaryFolder()
        let failed = try await run(Self.pair, ["--virtual", "--junit", "/dev/full"], in: folder)
        #expect(failed.code == 3 && failed.errors.contains("\"/dev/full\" cannot be written: "), "\(failed.errors)")
        #expect(failed.errors.hasSuffix("one scenario failed.\n"))
        let good = try TemporaryFolder()
        let passed = try await run(["a.scenario": "alice calls bob"], ["--virtual", "--tap", "/dev/full"], in: good)
        #expect(passed.code == 1 && passed.errors.contains("\"/dev/full\" cannot be written: "), "\(passed.errors)")
        #expect(FileManager.default.fileExists(atPath: "/dev/full"))
    }

    @Test func `a seed inside a scenario file is not treated as a repetition`() async throws {
        let folder = try TemporaryFolder()
        let stories = ["a.scenario": "alice calls bob", "b.scenario": "seed 99\nalice calls bob"]
        let run = try await run(stories, ["--virtual", "--ladder", "l.txt"], in: folder)
        #expect(run.code == 0)
        #expect(try ladders(in: folder) == ["l-a.txt", "l-b.txt"])
    }

    @Test func `a skipped scenario reports the reason, even if it is the only one`() async throws {
        let folder = try TemporaryFolder()
        let story = "party alice\nparty bob: under test\nalice calls bob as A"
        let run = try await run(["a.scenario": story], ["--virtual"], in: folder)
        #expect(run.code == 0 && run.output.contains("a.scenario: apps under test cannot connect"), "\(run.output)")
    }

    @Test func `faults in audio files and report formats are detected before the run`() async throws {
        let folder = try TemporaryFolder()
        let story = "party alice: plays no-such.ogg\nparty bob\nalice calls bob"
        let sound = try await run(["a.scenario": story], ["--virtual"], in: folder)
        #expect(
            sound.code == 1 && sound.errors.contains("a.scenario:1:20: there is no file \"no-such.ogg\"."),
            "\(sound.errors)"
        )
        try Data([0xFF, 0xFE, 0x61, 0]).write(to: folder.url.appending(path: "b.scenario"))
        let binary = try await CommandRun("scenario", "run", "b.scenario", in: folder)
        #expect(binary.code == 1)
        #expect(
            binary.errors.hasSuffix("b.scenario:1:1: this is no UTF-8 text, as scenarios are.\n"),
            "\(binary.errors)"
        )
        let question = try await run(["c.scenario": "alice cals bob"], ["--virtual"], in: folder)
        #expect(question.errors.hasSuffix("did you mean calls?\n"), "\(question.errors)")
    }

    private func read(_ file: String, in folder: TemporaryFolder) throws -> String {
        try String(contentsOf: folder.url.appending(path: file), encoding: .utf8)
    }

    private func ladders(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("l") }.sorted()
    }

    private func run(_ files: [String: String], _ options: [String], in folder: TemporaryFolder) async throws
        -> CommandRun
    {
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
        return try await CommandRun(["scenario", "run"] + files.keys.sorted() + options, in: folder)
    }
}
