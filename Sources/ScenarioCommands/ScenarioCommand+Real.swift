import CommandLineTools
import Foundation
import HubClient
import HubWire
import ScenarioKit

// Runs in real time: many at once at one hub, and each that needs a hub of its own at that.
extension ScenarioCommand {
    /// Runs scenarios at a running hub, or at hubs that are started for them.
    static func runInRealTime(
        _ items: [ScenarioBatch.Item],
        _ printer: ScenarioPrinter,
        _ given: Arguments,
        _ report: @escaping @Sendable (RunResult) -> Void
    ) throws {
        let (interruption, activeRuns) = (Interruption(), DispatchGroup())
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { number in
            // The runs hang up and sign out, so that nothing is left at a hub that others use.
            interruption.interrupt()
            if given.has(hub) { _ = activeRuns.wait(timeout: .now() + signOutTimeout) }
            RealHub.killAll()
            Signals.end(by: number)
        }
        // A thread may release its hub only after this process has ended.
        defer { RealHub.killAll() }
        let hubs = try HubPool(given[hub], isNeeded: items.contains { !$0.scenario.needsOwnHub })
        // Runs whose participants have the same names would disturb each other.
        let batch = ScenarioBatch(items, workers: given.has(unsuffixed) ? 1 : maximumConcurrentRuns)
        batch.perform { item in
            activeRuns.enter()
            defer { activeRuns.leave() }
            if let reason = hubs.reasonToSkip(item.scenario) {
                var record = RunResult(item.scenario, file: item.file, seed: item.seed)
                record.verdict = .skipped(reason)
                return record
            }
            let observer = printer.observer(of: item.scenario)
            do throws(HubStartError) {
                let hub = try hubs.hub(for: item.scenario)
                return ScenarioRunner.run(
                    item.scenario,
                    at: hub,
                    naming: given.has(unsuffixed) ? .unsuffixed : nil,
                    file: item.file,
                    seed: item.seed,
                    observer: observer,
                    interruption: interruption
                )
            } catch {
                return hubs.failed(item, error)
            }
        } done: {
            report($0)
        }
        if let fault = hubs.fault { throw CommandFailure(2, "\(fault).") }
    }

    /// More: the batch is finished sooner, as long as the machine can play all audio in time.
    private static let maximumConcurrentRuns = 24
    /// The time that a hub that does not answer may delay the exit, in seconds.
    private static let signOutTimeout = 3.0
}

/// The hubs of several runs: a shared one for all that need none of their own.
private final class HubPool: @unchecked Sendable {
    private let shared: RealHub?
    private let isGiven: Bool
    private let lock = NSLock()
    private var firstFault: HubStartError?

    /// Connects to the given hub, or starts the shared one.
    ///
    /// - Parameters:
    ///   - url: The URL of a running hub; nil: the shared hub is started.
    ///   - isNeeded: True if any scenario uses the shared hub.
    /// - Throws: `UsageError` for an invalid URL, `CommandFailure` if the hub does not answer or cannot be started.
    init(_ url: String?, isNeeded: Bool) throws {
        isGiven = url != nil
        if let url {
            guard let address = HubAddress(url) else {
                throw UsageError("--hub is \(quoted(url)); it must be a URL such as ws://localhost:8080/v1.")
            }
            shared = RealHub(at: address)
            do throws(HubStartError) {
                try shared?.check()
            } catch {
                throw CommandFailure(2, "\(error).")
            }
        } else if isNeeded {
            do throws(HubStartError) {
                shared = try RealHub(starting: Self.program)
            } catch {
                throw CommandFailure(2, "\(error).")
            }
        } else {
            shared = nil
        }
    }

    func hub(for scenario: Scenario) throws(HubStartError) -> RealHub {
        if let shared, isGiven || !scenario.needsOwnHub { return shared }
        return try RealHub(starting: Self.program, for: scenario)
    }

    /// The reason why a scenario cannot be run here; nil: it can.
    func reasonToSkip(_ scenario: Scenario) -> String? {
        if let reason = scenario.reasonForApps { return reason }
        guard !isGiven, !scenario.partiesUnderTest.isEmpty else { return nil }
        return "\(scenario.underTestDescription), which requires a running hub: --hub URL"
    }

    /// The record of a run whose hub could not be started.
    func failed(_ item: ScenarioBatch.Item, _ fault: HubStartError) -> RunResult {
        lock.withLock { firstFault = firstFault ?? fault }
        var record = RunResult(item.scenario, file: item.file, seed: item.seed)
        record.verdict = .failed(Failure(step: nil, expected: "a hub starts", actual: fault.sentence))
        return record
    }

    /// The first error in starting a hub; nil: there was none.
    var fault: HubStartError? { lock.withLock { firstFault } }

    /// The path of the running program, which must be `callhub`: a hub is started by its command `serve`.
    private static var program: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
