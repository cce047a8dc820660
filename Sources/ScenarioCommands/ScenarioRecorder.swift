import CommandLineTools
import Foundation
import HubClient
import HubEngine
import HubWire
import ScenarioKit

/// Records the notifications of the devices of some accounts, and prints each line of the resulting scenario.
final class ScenarioRecorder {
    /// The reason why a recording is over.
    enum End {
        /// The user ended it, or its time is over.
        case stopped
        /// The hub was lost or ended the recorder's session; the reason is a sentence.
        case lost(String)
    }

    /// An event of the recorder's loop.
    private enum Input: Sendable {
        case event(Int, ClientEvent)
        case tick
        case stop
    }

    private let clients: [HubClient]
    private let recordOptions: RecordCommandOptions
    private let names: [String]
    private var entries: [GeneratedScenario.Entry] = []
    private var printedLineCount = 0
    private var hasNewEntries = false
    /// The time at which a client lost its connection, by index.
    private var lost: [Int: ContinuousClock.Instant] = [:]
    private let inputs: AsyncStream<Input>
    private let post: AsyncStream<Input>.Continuation

    /// Creates a recorder of clients that have signed in with the permission `record`.
    init(_ clients: [HubClient], _ recordOptions: RecordCommandOptions) {
        (self.clients, self.recordOptions) = (clients, recordOptions)
        names = clients.map { $0.session?.account ?? "" }
        (inputs, post) = AsyncStream.makeStream(of: Input.self)
    }

    /// Records until a signal, the end of the time, or the loss of the hub.
    func run() async -> End {
        let post = post
        for (index, client) in clients.enumerated() {
            let events = client.events
            Task { for await event in events { post.yield(.event(index, event)) } }
        }
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { _ in post.yield(.stop) }
        if let time = recordOptions.time { Self.stop(after: time, post) }
        let ticks = Self.tick(post)
        defer { ticks.cancel() }
        printStatus("Recording \(names.map(visible).joined(separator: ", ")); Ctrl-C ends it.\n")
        for await input in inputs {
            if let end = take(input) {
                printNewLines(all: true)
                return end
            }
        }
        return .stopped
    }

    /// Handles an input; returns the end when the recording is over.
    private func take(_ input: Input) -> End? {
        switch input {
        case .tick:
            printNewLines(all: false)
            guard lost.contains(where: { isGone($0.key, since: $0.value) }) else { return nil }
            return .lost("the connection to the hub was lost; earlier events are in the file.")
        case .stop: return .stopped
        case .event(let index, let event): return take(event, of: index)
        }
    }

    private func take(_ event: ClientEvent, of index: Int) -> End? {
        let name = visible(names[index])
        switch event {
        case .notification(.recorded(let recordedEvent)):
            entries.append(GeneratedScenario.Entry(account: names[index], recordedEvent: recordedEvent))
            hasNewEntries = true
        case .ended(let error): return .lost("the recording of \(name) is over: \(error.description)")
        case .reset: return .lost("the session was lost; earlier events are in the file.")
        case .connectionLost(let reason):
            printStatus("The connection of \(name)'s recorder is lost: \(visible(reason))\n")
            lost[index] = .now
        case .resumed: lost[index] = nil
        default: break
        }
        return nil
    }

    /// Indicates that a client has been disconnected for longer than its session can be resumed.
    private func isGone(_ index: Int, since begin: ContinuousClock.Instant) -> Bool {
        begin.duration(to: .now) > .seconds(clients[index].session?.limits.resumeGraceSeconds ?? 0)
    }

    private static func tick(_ post: AsyncStream<Input>.Continuation) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: pollInterval)
                post.yield(.tick)
            }
        }
    }

    private static func stop(after time: Duration, _ post: AsyncStream<Input>.Continuation) {
        Task {
            try? await Task.sleep(for: time)
            post.yield(.stop)
        }
    }

    /// The recording so far.
    func generatedScenario() -> GeneratedScenario {
        var style = recordOptions.style
        if let limits = clients.first?.session?.limits {
            // The hub gives whole seconds; 0 stands for less than one.
            if limits.ringTimeoutSeconds > 0 { style.ringTimeout = .seconds(limits.ringTimeoutSeconds) }
            if limits.resumeGraceSeconds > 0 { style.resumeGrace = .seconds(limits.resumeGraceSeconds) }
        }
        let accounts = zip(names, clients).map { name, client in
            GeneratedScenario.Account(name: name, handles: client.session?.handles ?? [])
        }
        return GeneratedScenario(of: entries, accounts: accounts, style: style)
    }

    /// Prints the new lines, without the last ones that may still change unless `all` is true.
    private func printNewLines(all: Bool) {
        guard hasNewEntries || all else { return }
        hasNewEntries = false
        let steps = generatedScenario().scenario.steps.map { ScenarioText.line(of: $0) }
        for line in steps.dropFirst(printedLineCount).dropLast(all ? 0 : Self.unstableLineCount) {
            printStatus("  \(visible(line))\n")
        }
        printedLineCount = max(printedLineCount, steps.count - (all ? 0 : Self.unstableLineCount))
    }

    /// Prints to standard error; the scenario may go to standard output.
    private func printStatus(_ text: String) { Console.err(text) }

    /// Longer: lines are printed late; shorter: the scenario is generated more often.
    private static let pollInterval = Duration.milliseconds(300)
    /// The number of lines at the end that further events may change.
    private static let unstableLineCount = 1
}
