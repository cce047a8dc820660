import Foundation
import HubClient
import ScenarioKit

// Runs in real time: many at once at one hub, and each that needs one at a hub of its own.
extension ScenarioCommand {
    /// Runs scenarios at a hub that runs already, or at hubs of their own.
    static func runForReal(
        _ items: [ScenarioBatch.Item],
        _ printer: ScenarioPrinter,
        _ given: Arguments,
        _ tell: @escaping @Sendable (RunRecord) -> Void
    ) throws {
        let (interruption, underWay) = (Interruption(), DispatchGroup())
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { number in
            // Nothing is left at a hub that others use.
            interruption.interrupt()
            if given.has(hub) { _ = underWay.wait(timeout: .now() + longestLeaving) }
            RealHub.endAll()
            Signals.end(by: number)
        }
        // A thread may let go of its hub only after this process has ended.
        defer { RealHub.endAll() }
        let place = try RealHubs(given[hub], isNeeded: items.contains { !$0.scenario.needsOwnHub })
        // Runs whose parties have the same names would meet.
        let batch = ScenarioBatch(items, workers: given.has(plain) ? 1 : atATime)
        batch.perform { item in
            underWay.enter()
            defer { underWay.leave() }
            if let reason = place.reasonToSkip(item.scenario) {
                var record = RunRecord(item.scenario, file: item.file, seed: item.seed)
                record.verdict = .skipped(reason)
                return record
            }
            let observer = printer.observer(of: item.scenario)
            do throws(HubStartFault) {
                let hub = try place.hub(for: item.scenario)
                return ScenarioRunner.run(
                    item.scenario,
                    at: hub,
                    naming: given.has(plain) ? .plain : nil,
                    file: item.file,
                    seed: item.seed,
                    observer: observer,
                    interruption: interruption
                )
            } catch {
                return place.failed(item, error)
            }
        } done: {
            tell($0)
        }
        if let fault = place.fault { throw CommandFailure(2, "\(fault).") }
    }

    /// More: they are through sooner, as long as the machine can keep the pace of their sound.
    private static let atATime = 24
    /// A hub that does not answer keeps nobody for longer.
    private static let longestLeaving = 3.0
}

/// The hubs of several runs: one for all that need none of their own.
private final class RealHubs: @unchecked Sendable {
    private let shared: RealHub?
    private let isGiven: Bool
    private let lock = NSLock()
    private var firstFault: HubStartFault?

    /// Hubs, of which the common one runs already or is started.
    ///
    /// - Parameters:
    ///   - url: Of a hub that runs already; nil: it is started.
    ///   - isNeeded: Whether anybody needs a hub that is not his own.
    /// - Throws: `UsageError` or `CommandFailure`.
    init(_ url: String?, isNeeded: Bool) throws {
        isGiven = url != nil
        if let url {
            guard let address = HubAddress(url) else {
                throw UsageError("--hub is \(quoted(url)); it must be a URL such as ws://localhost:8080/v1.")
            }
            shared = RealHub(at: address)
            do throws(HubStartFault) {
                try shared?.check()
            } catch {
                throw CommandFailure(2, "\(error).")
            }
        } else if isNeeded {
            do throws(HubStartFault) {
                shared = try RealHub(starting: Self.program)
            } catch {
                throw CommandFailure(2, "\(error).")
            }
        } else {
            shared = nil
        }
    }

    func hub(for scenario: Scenario) throws(HubStartFault) -> RealHub {
        if let shared, isGiven || !scenario.needsOwnHub { return shared }
        return try RealHub(starting: Self.program, for: scenario)
    }

    /// Why a scenario cannot be run here; nil: it can.
    func reasonToSkip(_ scenario: Scenario) -> String? {
        guard !isGiven, !scenario.partiesUnderTest.isEmpty else { return nil }
        return "\(scenario.whoIsUnderTest), and its app is at a hub that runs: --hub URL"
    }

    /// A run that had no hub.
    func failed(_ item: ScenarioBatch.Item, _ fault: HubStartFault) -> RunRecord {
        lock.withLock { firstFault = firstFault ?? fault }
        var record = RunRecord(item.scenario, file: item.file, seed: item.seed)
        record.verdict = .failed(Failure(step: nil, expected: "a hub starts", came: fault.sentence))
        return record
    }

    /// Why a hub could not be started; nil: all were.
    var fault: HubStartFault? { lock.withLock { firstFault } }

    /// This very program.
    private static var program: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
