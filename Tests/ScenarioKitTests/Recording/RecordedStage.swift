import HubEngine
import HubWire

@testable import ScenarioKit

/// A virtual stage on which each party's account is recorded, by a device of its own.
final class RecordedStage: LayeredStage {
    private let accounts: [String]
    private let settings: HubWishes
    /// The notifications that the recorders received, in order of arrival.
    private(set) var entries: [Recording.Entry] = []
    private(set) var opened: [Int: SessionOpened] = [:]

    /// A stage with a hub that runs, on which all recorders have signed in.
    init(_ scenario: Scenario, seed: UInt64, accounts: [String]) throws {
        (self.accounts, settings) = (accounts, scenario.settings)
        let stage = try VirtualStage(scenario.settings, seed: seed)
        super.init(over: stage, slack: stage.slack)
        for line in accounts.indices {
            stage.connect(-1 - line)
            var request = SessionOpen(account: accounts[line])
            request.permissions = [.record]
            var bytes: [UInt8] = []
            ClientRequest.open(request).encode(id: RequestID(1), into: &bytes)
            stage.send(.text(bytes), over: -1 - line)
        }
    }

    override func wait(until moment: Duration) -> [Happening] {
        let all = super.wait(until: moment)
        for happening in all where happening.line < 0 { take(happening) }
        return all.filter { $0.line >= 0 }
    }

    private func take(_ happening: Happening) {
        guard case .message(.text(let bytes)) = happening.content, let message = try? HubMessage(parsing: bytes) else {
            return
        }
        switch message {
        case .notification(_, .recorded(let news)):
            entries.append(Recording.Entry(account: accounts[-1 - happening.line], news: news))
        case .reply(_, .success(.opened(let session))): opened[-1 - happening.line] = session
        default: break
        }
    }

    /// Returns the recording.
    func recording(_ style: Recording.Style = Recording.Style()) -> Recording {
        var style = style
        // The protocol says it in whole seconds; some of the library's hubs have less.
        style.ringTimeout = settings.ringTimeout
        style.resumeGrace = settings.resumeGrace
        let recorded = accounts.indices.map { line in
            Recording.Account(name: accounts[line], handles: opened[line]?.handles ?? [])
        }
        return Recording(of: entries, accounts: recorded, style: style)
    }
}

/// Runs a scenario virtually and records it.
///
/// - Parameters:
///   - scenario: The scenario to run.
///   - watched: The parties whose accounts are recorded; nil: all.
///   - style: The style of the written scenario.
/// - Returns: The record of the run, and the recording.
/// - Throws: ``MediaError`` where libopus cannot.
func record(
    _ scenario: Scenario,
    watching watched: [String]? = nil,
    style: Recording.Style = Recording.Style()
) throws -> (RunRecord, Recording) {
    let accounts = scenario.parties.map(\.name).filter { watched?.contains($0) ?? true }
    let stage = try RecordedStage(scenario, seed: 1, accounts: accounts)
    let record = stage.run(scenario)
    return (record, stage.recording(style))
}
