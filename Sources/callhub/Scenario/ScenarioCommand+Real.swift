import ScenarioKit

extension ScenarioCommand {
    /// Runs scenarios against a hub in real time.
    static func runForReal(
        _ items: [ScenarioBatch.Item],
        _ printer: ScenarioPrinter,
        _ given: Arguments
    ) throws {
        throw CommandFailure(2, "not there yet")
    }
}
