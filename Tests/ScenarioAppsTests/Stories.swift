import ScenarioApps
import ScenarioKit
import Testing

/// Plays a story with apps, and expects it to pass.
func expectPassed(
    _ apps: [String: TestedApp],
    _ story: String,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let result = try await ScenarioRunner.play(story, apps: apps)
    #expect(result.verdict == .passed, "\(result.text)", sourceLocation: sourceLocation)
}

/// Plays a story with apps that fails, and returns its failure.
func failure(_ apps: [String: TestedApp], _ story: String) async throws -> Failure? {
    guard case .failed(let failure) = try await ScenarioRunner.play(story, apps: apps).verdict else { return nil }
    return failure
}

extension RunResult {
    /// The run as a ladder, for failed tests.
    fileprivate var text: String { "\(verdict)\n" + LadderText(self, width: 150).text }
}
