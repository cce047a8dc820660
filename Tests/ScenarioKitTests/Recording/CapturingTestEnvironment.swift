import HubEngine
import HubWire

@testable import ScenarioKit
@testable import ScenarioSimulation

/// A virtual test environment in which an additional device records each party's account.
final class CapturingTestEnvironment: WrappingTestEnvironment {
    private let accounts: [String]
    private let settings: HubOverrides
    /// The notifications that the recorders received, in order of arrival.
    private(set) var entries: [GeneratedScenario.Entry] = []
    private(set) var opened: [Int: SessionOpenResult] = [:]

    /// An environment with a running hub, on which all recorders have signed in.
    init(_ scenario: Scenario, seed: UInt64, accounts: [String]) throws {
        (self.accounts, settings) = (accounts, scenario.settings)
        let environment = try VirtualTestEnvironment(scenario.settings, seed: seed)
        super.init(over: environment, maximumNotificationSkew: environment.maximumNotificationSkew)
        for connection in accounts.indices {
            environment.connect(-1 - connection)
            var request = SessionOpenRequest(account: accounts[connection])
            request.permissions = [.record]
            var bytes: [UInt8] = []
            ClientRequest.open(request).encode(id: RequestID(1), into: &bytes)
            environment.send(.text(bytes), over: -1 - connection)
        }
    }

    override func wait(until moment: Duration) -> [ConnectionEvent] {
        let all = super.wait(until: moment)
        for event in all where event.connection < 0 { take(event) }
        return all.filter { $0.connection >= 0 }
    }

    private func take(_ event: ConnectionEvent) {
        guard case .message(.text(let bytes)) = event.content, let message = try? HubMessage(parsing: bytes) else {
            return
        }
        switch message {
        case .notification(_, .recorded(let recordedEvent)):
            entries.append(
                GeneratedScenario.Entry(account: accounts[-1 - event.connection], recordedEvent: recordedEvent)
            )
        case .reply(_, .success(.opened(let session))): opened[-1 - event.connection] = session
        default: break
        }
    }

    /// Returns the recording.
    func generatedScenario(_ style: GeneratedScenario.Style = GeneratedScenario.Style()) -> GeneratedScenario {
        var style = style
        // The protocol has whole seconds; some of the library's hubs have shorter times.
        style.ringTimeout = settings.ringTimeout
        style.resumeGrace = settings.resumeGrace
        let recorded = accounts.indices.map { connection in
            GeneratedScenario.Account(name: accounts[connection], handles: opened[connection]?.handles ?? [])
        }
        return GeneratedScenario(of: entries, accounts: recorded, style: style)
    }
}

/// Runs a scenario virtually and records it.
///
/// - Parameters:
///   - scenario: The scenario to run.
///   - watched: The parties whose accounts are recorded; nil: all.
///   - style: The style of the written scenario.
/// - Returns: The record of the run, and the recording.
/// - Throws: ``MediaError`` if libopus fails.
func record(
    _ scenario: Scenario,
    watching watched: [String]? = nil,
    style: GeneratedScenario.Style = GeneratedScenario.Style()
) throws -> (RunResult, GeneratedScenario) {
    let accounts = scenario.parties.map(\.name).filter { watched?.contains($0) ?? true }
    let environment = try CapturingTestEnvironment(scenario, seed: 1, accounts: accounts)
    let record = environment.run(scenario)
    return (record, environment.generatedScenario(style))
}
