import Foundation
import HubEngine

/// A child process `callhub serve`, which can be killed and started again with the same port and data.
///
/// It is used by one run that controls it, or by several that only connect to it; safe on any thread.
final class HubProcess: @unchecked Sendable {
    private let lock = NSCondition()
    private let program: String
    private let folder: URL
    private var process: Process?
    private var output: ProcessOutput?
    /// Indicates that the process was asked to end, at once or after its calls.
    private var isStopRequested = false
    /// The signal or exit code of an unexpected end; nil: there was none.
    private var unexpectedEnd: String?
    private(set) var port = 0
    private static let runningHubs = RunningHubs()

    /// Creates a hub that does not run yet.
    ///
    /// - Parameters:
    ///   - program: The path of `callhub`.
    ///   - overrides: The settings that differ from the hub's defaults.
    /// - Throws: ``TestEnvironmentError`` if its folder cannot be created.
    init(_ program: String, _ overrides: HubOverrides) throws(TestEnvironmentError) {
        self.program = program
        folder = FileManager.default.temporaryDirectory.appending(path: "callhub-scenario-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(overrides.configuration.utf8).write(to: folder.appending(path: "callhub.json5"))
        } catch {
            throw TestEnvironmentError(sentence: "\(folder.path()) cannot be written")
        }
    }

    /// Starts the process, and returns when it listens; throws ``TestEnvironmentError`` if it does not within 20 s.
    func start() throws(TestEnvironmentError) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "serve", "--listen", "127.0.0.1:\(port)", "--data", folder.path(), "--log-level", "info", "--log-format",
            "text", "--config", folder.appending(path: "callhub.json5").path(),
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        process.terminationHandler = { [weak self] process in self?.noteEnd(of: process) }
        lock.withLock { (self.process, isStopRequested, unexpectedEnd) = (process, false, nil) }
        guard (try? process.run()) != nil else { throw TestEnvironmentError(sentence: "\(program) cannot be started") }
        let output = ProcessOutput(pipe)
        lock.withLock { self.output = output }
        Self.runningHubs.note(folder, process.processIdentifier)
        guard let port = output.port(withinSeconds: 20) else {
            throw TestEnvironmentError(sentence: "the hub does not start: \(output.lastLine)")
        }
        self.port = port
    }

    /// Indicates that the process is running.
    var isRunning: Bool { lock.withLock { process }?.isRunning ?? false }

    /// The process ID; nil: the process was never started.
    var identifier: Int32? { lock.withLock { process }?.processIdentifier }

    /// Returns the signal or exit code of an unexpected end: `signal 9`, `exit code 1`.
    ///
    /// - Parameter timeout: The maximum time to wait for an unexpected end.
    /// - Returns: The description; nil: the process has not ended unexpectedly.
    func unexpectedEnd(timeout: Duration) -> String? {
        let end = Date(timeIntervalSinceNow: Double(timeout.wholeNanoseconds) / 1_000_000_000)
        return lock.withLock {
            while unexpectedEnd == nil, !isStopRequested, timeout > .zero, lock.wait(until: end) {}
            return unexpectedEnd
        }
    }

    private func noteEnd(of process: Process) {
        lock.withLock {
            guard process === self.process, !isStopRequested else { return }
            let isBySignal = process.terminationReason == .uncaughtSignal
            unexpectedEnd = "\(isBySignal ? "signal" : "exit code") \(process.terminationStatus)"
            lock.broadcast()
        }
    }

    /// Kills the process (SIGKILL), and waits for its end.
    func kill() { send(SIGKILL, waits: true) }

    /// Stops the process in good order: the first SIGTERM drains, the second one stops.
    func stop() {
        send(SIGTERM)
        send(SIGTERM, waits: true)
    }

    /// Drains the hub (SIGTERM): it accepts no new calls.
    func drain() { send(SIGTERM) }

    /// Suspends the process or continues it (SIGSTOP, SIGCONT).
    func pause(_ isPaused: Bool) { send(isPaused ? SIGSTOP : SIGCONT) }

    /// Kills the process, and removes its folder.
    func end() {
        kill()
        Self.runningHubs.forget(folder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Kills all hubs that this process has started, before it ends itself.
    static func killAll() { runningHubs.killAll() }

    private func send(_ signal: Int32, waits: Bool = false) {
        guard let process = lock.withLock({ self.process }), process.isRunning else { return }
        if [SIGKILL, SIGTERM].contains(signal) { lock.withLock { isStopRequested = true } }
        Foundation.kill(process.processIdentifier, signal)
        guard waits else { return }
        process.waitUntilExit()
        Self.runningHubs.note(folder, nil)
    }
}

/// The running hubs that this process has started, by their folders.
private final class RunningHubs: @unchecked Sendable {
    private let lock = NSLock()
    private var hubs: [URL: Int32?] = [:]

    func note(_ folder: URL, _ process: Int32?) { lock.withLock { hubs[folder] = .some(process) } }

    func forget(_ folder: URL) { lock.withLock { _ = hubs.removeValue(forKey: folder) } }

    func killAll() {
        lock.withLock {
            for (folder, process) in hubs {
                if let process { Foundation.kill(process, SIGKILL) }
                try? FileManager.default.removeItem(at: folder)
            }
            hubs = [:]
        }
    }
}

/// A reader of a hub's standard error.
private final class ProcessOutput: @unchecked Sendable {
    private let condition = NSCondition()
    private var text = ""
    private var isOver = false

    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        let thread = Thread { [self] in
            while case let data = handle.availableData, !data.isEmpty { add(String(decoding: data, as: UTF8.self)) }
            finish()
        }
        thread.name = "hub-output"
        thread.start()
    }

    /// Returns the port on which the hub listens; nil: it has ended, or has not logged a port in time.
    func port(withinSeconds seconds: Double) -> Int? {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            let line = text.split(separator: "\n").first { $0.contains(" listening ") }
            let port = line?.split(separator: " ").first { $0.hasPrefix("port=") }
            if let port { return Int(port.dropFirst(5)) }
            guard !isOver, condition.wait(until: end) else { return nil }
        }
    }

    var lastLine: String {
        condition.lock()
        defer { condition.unlock() }
        return text.split(separator: "\n").last.map(String.init) ?? "it printed nothing"
    }

    private func add(_ more: String) {
        condition.lock()
        text = String((text + more).suffix(4_000))
        condition.signal()
        condition.unlock()
    }

    private func finish() {
        condition.lock()
        isOver = true
        condition.signal()
        condition.unlock()
    }
}

extension HubOverrides {
    /// The settings as a configuration file; those that are nil have the hub's defaults.
    ///
    /// The overload protection is off: a busy hub must not refuse a scenario's requests.
    fileprivate var configuration: String {
        let seconds: [(section: String, key: String, duration: Duration?)] = [
            ("calls", "ringTimeoutSeconds", ringTimeout), ("calls", "startDeadlineSeconds", startDeadline),
            ("calls", "answerDeadlineSeconds", answerDeadline), ("calls", "actionDeadlineSeconds", actionDeadline),
            ("calls", "softPauseSeconds", softPause), ("wake", "waitSeconds", pushWait),
            ("session", "resumeGraceSeconds", resumeGrace), ("drain", "graceSeconds", drainGrace),
        ]
        var sections: [String: [String]] = ["limits": ["overloadBusyShare: 1"]]
        for (section, key, duration) in seconds {
            guard let duration else { continue }
            let value = Double(duration.wholeNanoseconds) / 1_000_000_000
            sections[section, default: []].append("\(key): \(value)")
        }
        if let callsPerDevice { sections["limits", default: []].append("callsPerDevice: \(callsPerDevice)") }
        let lines = sections.sorted { $0.key < $1.key }.map { "  \($0): { \($1.joined(separator: ", ")) }," }
        return "{\n\(lines.joined(separator: "\n"))\n}\n"
    }
}
