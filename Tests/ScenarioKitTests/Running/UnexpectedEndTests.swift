import Foundation
import HubTestSupport
import Testing

@testable import ScenarioKit

/// A hub that ends without a step of the scenario.
struct UnexpectedEndTests {
    /// Ends a hub when a step is begun.
    private final class Killer: RunObserver {
        private let signal: Int32
        private let process: Int32

        init(_ signal: Int32, _ process: Int32) { (self.signal, self.process) = (signal, process) }

        func began(_ step: StepRecord) {
            if step.text.hasPrefix("wait") { kill(process, signal) }
        }

        func ended(_ step: StepRecord, isFailed: Bool) {}
    }

    @Test(arguments: [false, true])
    func `a hub that crashes fails the run at once, with the step and the reason`(isTold: Bool) throws {
        let hub = try RealHub(starting: Program.path)
        let process = try #require(try hub.own().identifier)
        let text = "patience 20 s\nalice calls bob as A\nbob: accept A\nwait 60 s\nexpect alice hears nothing"
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        // Seen from outside, as with `--hub`, only the connections show it.
        let position = isTold ? hub : RealHub(at: hub.address)
        let record = ScenarioRunner.run(scenario, at: position, observer: Killer(SIGKILL, process))
        let failure = try #require(record.failure)
        #expect(failure.step.map { record.steps[$0].line } == 4)
        #expect(record.duration < .seconds(50))
        let actual = isTold ? "the hub has ended by itself (signal 9)" : "broke: "
        #expect(failure.actual.contains(actual), "\(failure.actual)")
    }

    @Test func `a hub stopped by another process fails the run, even with a closing message`() throws {
        let hub = try RealHub(starting: Program.path)
        let process = try #require(try hub.own().identifier)
        let scenario = try #require(try ScenarioText.scenarios(parsing: "parties alice\nwait 60 s").first)
        let record = ScenarioRunner.run(scenario, at: hub, observer: Killer(SIGTERM, process))
        #expect(record.failure?.step.map { record.steps[$0].line } == 2)
        #expect(record.duration < .seconds(50))
    }
}
