public import Foundation

/// The `callhub` program as a user runs it, or another: a process with its output in a file.
public final class Program {
    private let process = Process()
    private let output: URL
    private let input: Pipe?

    /// Where `callhub` is: the test runner lies beside the programs that were built with it.
    public static var path: String {
        let beside = Bundle.main.bundleURL.appending(path: "callhub").path()
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "callhub").path()
    }

    /// Starts `callhub`, or another program, with these arguments; one that `isTypedAt` waits for commands.
    ///
    /// What it says on standard error is part of what it has printed where `withErrors` is true; else it goes to
    /// `standardError`, a `FileHandle` or a `Pipe`.
    public init(
        _ arguments: [String],
        program: String = Program.path,
        in folder: URL,
        isTypedAt: Bool = false,
        environment: [String: String] = [:],
        withErrors: Bool = false,
        standardError: Any = FileHandle.standardError
    ) throws {
        input = isTypedAt ? Pipe() : nil
        output = folder.appending(path: "output-\(UUID().uuidString).txt")
        try Data().write(to: output)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        // What a hub keeps it keeps in the test's folder, and not in the home of who runs the test.
        let home = ["XDG_DATA_HOME": folder.path]
        process.environment = ProcessInfo.processInfo.environment.merging(home) { $1 }.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = input ?? FileHandle.nullDevice
        let file = try FileHandle(forUpdating: output)
        // Both write at the file's end.
        _ = fcntl(file.fileDescriptor, F_SETFL, O_APPEND)
        process.standardOutput = file
        process.standardError = withErrors ? file : standardError
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// What it has printed.
    public var printed: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Types a line.
    public func type(_ line: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Asks it to end, as by Ctrl-C.
    public func interrupt() { process.interrupt() }

    /// Sends it a signal.
    public func send(signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

    /// Its exit code, when it has ended.
    public func exitCode() async -> Int32 {
        let process = process
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }

    /// Waits until a line that has these words is printed; gives the line.
    @discardableResult
    public func line(with words: String) async throws -> String {
        try await line("with \(words)") { $0.contains(words) }
    }

    /// Waits until a line that fits is printed; gives the line.
    @discardableResult
    public func line(_ what: String, where fits: (Substring) -> Bool) async throws -> String {
        // A file tells nobody that it grew: looking again is all there is to wait for.
        for _ in 0..<1500 {
            if let line = printed.split(separator: "\n").first(where: fits) { return String(line) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Silent(description: "\(process.arguments ?? []) printed no line \(what): \(printed)")
    }

    struct Silent: Error, CustomStringConvertible {
        let description: String
    }
}
