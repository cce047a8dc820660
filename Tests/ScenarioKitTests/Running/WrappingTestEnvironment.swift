@testable import ScenarioKit
@testable import ScenarioSimulation

/// A virtual test environment inside another one, which changes or records messages.
class WrappingTestEnvironment: TestEnvironment {
    let environment: VirtualTestEnvironment
    let maximumNotificationSkew: Duration

    /// An environment around another, with its own delays between the notifications of devices.
    init(over environment: VirtualTestEnvironment, maximumNotificationSkew: Duration) {
        (self.environment, self.maximumNotificationSkew) = (environment, maximumNotificationSkew)
    }

    var now: Duration { environment.now }
    var maximumAudioDelay: Duration { environment.maximumAudioDelay }
    var settlingTime: Duration { environment.settlingTime }
    var outlivesRun: Bool { environment.outlivesRun }
    func connect(_ connection: Int) { environment.connect(connection) }
    func send(_ message: ConnectionMessage, over connection: Int) { environment.send(message, over: connection) }
    func dropConnection(_ connection: Int) { environment.dropConnection(connection) }
    func closeConnection(_ connection: Int) { environment.closeConnection(connection) }
    func setReading(_ reads: Bool, _ connection: Int) { environment.setReading(reads, connection) }
    func wait(until moment: Duration) -> [ConnectionEvent] { environment.wait(until: moment) }
    func perform(_ action: HubProcessAction) { environment.perform(action) }
    func advanceClock(by duration: Duration) { environment.advanceClock(by: duration) }
    var isHubRunning: Bool { environment.isHubRunning }
    func unexpectedEnd(timeout: Duration) -> String? { environment.unexpectedEnd(timeout: timeout) }
    func end() { environment.end() }

    /// Runs a scenario on it.
    func run(_ scenario: Scenario) -> RunResult {
        ScenarioRunner.run(
            scenario,
            on: self,
            accounts: Accounts(scenario, .unsuffixed),
            file: nil,
            seed: 1,
            random: ScenarioRandomSource(seed: 1),
            observer: nil
        )
    }
}
