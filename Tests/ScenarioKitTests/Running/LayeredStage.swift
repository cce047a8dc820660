@testable import ScenarioKit

/// A virtual stage under another one, which changes or hears what comes over the lines.
class LayeredStage: Stage {
    let stage: VirtualStage
    let slack: Duration

    /// A stage over another, which says by itself how far apart devices learn of things.
    init(over stage: VirtualStage, slack: Duration) {
        (self.stage, self.slack) = (stage, slack)
    }

    var now: Duration { stage.now }
    var lateness: Duration { stage.lateness }
    var settling: Duration { stage.settling }
    var outlivesRun: Bool { stage.outlivesRun }
    func connect(_ line: Int) { stage.connect(line) }
    func send(_ message: LineMessage, over line: Int) { stage.send(message, over: line) }
    func cut(_ line: Int) { stage.cut(line) }
    func hangUp(_ line: Int) { stage.hangUp(line) }
    func setReading(_ reads: Bool, _ line: Int) { stage.setReading(reads, line) }
    func wait(until moment: Duration) -> [Happening] { stage.wait(until: moment) }
    func perform(_ deed: HubDeed) { stage.perform(deed) }
    func jumpClock(by duration: Duration) { stage.jumpClock(by: duration) }
    var hasHub: Bool { stage.hasHub }
    func unaskedEnd(patience: Duration) -> String? { stage.unaskedEnd(patience: patience) }
    func end() { stage.end() }

    /// Runs a scenario on it.
    func run(_ scenario: Scenario) -> RunRecord {
        ScenarioRunner.run(
            scenario,
            on: self,
            accounts: Accounts(scenario, .plain),
            file: nil,
            seed: 1,
            chance: Chance(seed: 1),
            observer: nil
        )
    }
}
