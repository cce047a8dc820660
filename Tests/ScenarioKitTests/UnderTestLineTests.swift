import ScenarioKit
import ScenarioSimulation
import Testing

/// Tests of the lines about a party whose phone is an app under test, and of the runs that allow such a party.
struct UnderTestLineTests {
    @Test func `a scenario with an app under test is skipped in virtual time`() throws {
        let text = "parties alice\nparty app: under test\napp calls alice"
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let verdict = ScenarioRunner.runVirtually(scenario).verdict
        #expect(verdict == .skipped("apps under test cannot connect to a hub in virtual time, and app is under test"))
    }

    @Test(
        arguments: [
            ("app: mute A", 6, "app is under test: others observe only \"calls\", \": accept\""),
            ("app: accept A, end A", 14, nil),
            ("app drops", 5, "app is under test"),
            ("app cannot hold A: invalidAction", 5, "app is under test"),
            ("app: try hold A", 6, "app is under test"),
            ("app: end A here", 16, "app is under test"),
            ("app calls echo", 11, "app is under test, and only its calls to parties of the run"),
            ("expect app's A is held", 8, "the notifications and the sound of app are known only to its app"),
            ("expect app hears alice", 8, "the notifications and the sound of app are known only to its app"),
            ("expect alice hears app", 20, "\"party app: under test, speaks 1000 Hz\""),
            ("expect alice never heard app", 26, "\"party app: under test, speaks 1000 Hz\""),
        ] as [(String, Int, String?)]
    )
    func `an unobservable condition of an app is refused at its line`(_ line: String, _ column: Int, _ words: String?) {
        let text = "parties alice\nparty app: under test\nalice calls app as A\n\(line)"
        let faults = #expect(throws: ScenarioSyntaxErrors.self) { try ScenarioText.scenarios(parsing: text) }
        let fault = faults?.faults.first
        #expect(fault?.line == 4 && fault?.column == column, "\(fault.map { "\($0)" } ?? "")")
        if let words { #expect(fault?.sentence.contains(words) ?? false, "\(fault.map { "\($0)" } ?? "")") }
    }

    @Test(arguments: [
        ("party app: under test, manual", "determines its phone"),
        ("party app on phone: under test", "determines its phone"),
        ("party app: in process", "stands after \"under test\""),
        ("party app: speaks 1000 Hz", "stands after \"under test\""),
        ("party app: under test, speaks 440 Hz", "440 Hz cannot be distinguished"),
        ("party app: under test, speaks 1600 Hz", "1600 Hz cannot be distinguished"),
        ("party x: under test, speaks 700 Hz\nparty app: under test, speaks 700 Hz", "x speaks 700 Hz already"),
    ])
    func `an option that does not fit an app is refused in its party's line`(_ lines: String, _ words: String) {
        let faults = #expect(throws: ScenarioSyntaxErrors.self) {
            try ScenarioText.scenarios(parsing: "parties alice\n\(lines)\nalice calls app")
        }
        #expect(faults?.faults.first?.sentence.contains(words) ?? false, "\(faults.map { "\($0)" } ?? "")")
    }

    @Test func `a scenario with an app in process runs with apps of a test alone`() throws {
        let text = "parties alice\nparty app: under test, in process\napp calls alice"
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let reason = "app is an app in process, which a Swift test gives to the run (ScenarioApps)"
        #expect(ScenarioRunner.runVirtually(scenario).verdict == .skipped(reason))
    }

    @Test(arguments: [
        ("app: end A here", 4, "an app in process, as app, can call"),
        ("app: pull A", 4, "as app, can call, answer"),
        ("app: do not disturb on", 4, "as app, can call, answer"),
        ("app freezes", 5, "it drops and resumes"),
        ("app reports a call as G", 5, "as app, can call, answer"),
        ("app: nothing", 4, "as app, can call, answer"),
        (#"app: configure provider "Ape", groups 1"#, 4, "as app, can call, answer"),
        ("app's screen: hold A, end A", 13, "one action at a time"),
        ("app's screen drops", 14, "one action at a time"),
    ])
    func `a step that no app can perform is refused at its line`(_ line: String, _ column: Int, _ words: String) {
        let text = "parties alice\nparty app: under test, in process\nalice calls app as A\n\(line)"
        let faults = #expect(throws: ScenarioSyntaxErrors.self) { try ScenarioText.scenarios(parsing: text) }
        let fault = faults?.faults.first
        #expect(fault?.line == 4 && fault?.column == column, "\(fault.map { "\($0)" } ?? "")")
        #expect(fault?.sentence.contains(words) ?? false, "\(fault.map { "\($0)" } ?? "")")
    }
}
