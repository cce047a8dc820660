import BenchmarkSupport
import Foundation
import HubEngine

/// The figures of one program.
struct CallerResult: Codable {
    /// The name of the program.
    var name: String
    /// The median time from the request of a call until it is connected, in seconds.
    var setup: Double
    /// The CPU time with calls that are held and acted on, as a share of one core.
    var share: Double
}

/// The measurements, turn by turn, so that all programs meet the same machine.
struct CallerRun {
    private let options: Options
    private let callers: [any Caller]

    init(_ options: Options, _ url: String) async throws {
        self.options = options
        callers = [
            AppCaller(url, calls: options.calls + 1),
            try await ClientCaller(url, "HubClient", .manual, calls: options.calls + 1),
            try await ClientCaller(url, "HubClient, automatic", .automatic, calls: options.calls + 1),
        ]
    }

    func results() async throws -> [CallerResult] {
        let setups = try await measureSetups()
        var results: [CallerResult] = []
        for (caller, times) in zip(callers, setups) {
            Progress.show("\(caller.name) holds \(options.calls) calls")
            results.append(
                CallerResult(name: caller.name, setup: median(times), share: try await measureShare(of: caller))
            )
        }
        Progress.clear()
        for caller in callers { await caller.close() }
        return results
    }

    private func measureSetups() async throws -> [[Double]] {
        var times = [[Double]](repeating: [], count: callers.count)
        for turn in 0..<options.setups {
            if turn % 50 == 0 { Progress.show("set-up \(turn) of \(options.setups)") }
            for (index, caller) in callers.enumerated() {
                let start = monotonicNanoseconds()
                let call = try await caller.start()
                // The first calls open connections and caches.
                if turn >= 5 { times[index].append(Double(monotonicNanoseconds() - start) / 1e9) }
                try await caller.end(call)
            }
        }
        return times
    }

    private func measureShare(of caller: any Caller) async throws -> Double {
        var calls: [UUID] = []
        for _ in 0..<options.calls { calls.append(try await caller.start()) }
        let clock = ContinuousClock()
        let (start, cpu) = (clock.now, processNanoseconds)
        let interval = Duration.seconds(1) / options.actions
        for action in 0..<(options.actions * options.seconds) {
            let call = calls[action % calls.count]
            try await caller.mute(call, action / calls.count % 2 == 0)
            try await clock.sleep(until: start + interval * (action + 1))
        }
        let spent = Double(processNanoseconds - cpu) / 1e9
        let share = spent / ((clock.now - start) / .seconds(1))
        for call in calls { try await caller.end(call) }
        return share
    }

    private var processNanoseconds: UInt64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) ?? 0 }
}
