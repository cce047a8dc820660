public import Foundation

/// The `callhub` program as a user runs it, or another: a process whose output is read as it comes.
///
/// It is killed with this object, and keeps its folder as long as it lives.
public final class Program {
    private let process = Process()
    private let folder: TemporaryFolder
    private let output: PrintedText
    private let input: Pipe?
    private let end = ProcessEnd()

    /// The path of `callhub`, which is built into the folder of the test runner.
    public static var path: String {
        let beside = Bundle.main.bundleURL.appending(path: "callhub").path()
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "callhub").path()
    }

    /// Starts `callhub`, or another program, with these arguments; `isTypedAt` makes its standard input a pipe.
    ///
    /// With `withErrors` its standard error is part of `printed`; otherwise it goes to `standardError`, a `FileHandle`
    /// or a `Pipe`.
    public init(
        _ arguments: [String],
        program: String = Program.path,
        in folder: TemporaryFolder,
        isTypedAt: Bool = false,
        environment: [String: String] = [:],
        withErrors: Bool = false,
        standardError: Any = FileHandle.standardError
    ) throws {
        self.folder = folder
        input = isTypedAt ? Pipe() : nil
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        // A hub stores its data in the test's folder, and not in the home of the user who runs the test.
        let home = ["XDG_DATA_HOME": folder.path]
        process.environment = ProcessInfo.processInfo.environment.merging(home) { $1 }.merging(environment) { $1 }
        process.currentDirectoryURL = folder.url
        process.standardInput = input ?? FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = withErrors ? pipe : standardError
        process.terminationHandler = { [end] in end.note($0.terminationStatus) }
        output = PrintedText(pipe.fileHandleForReading)
        do {
            try process.run()
        } catch {
            end.note(-1)
            throw error
        }
    }

    deinit {
        guard end.code == nil else { return }
        send(signal: SIGKILL)
        _ = end.wait()
    }

    /// All output so far.
    public var printed: String { output.text }

    /// Writes a line to its standard input.
    public func type(_ line: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Closes its standard input.
    public func endInput() throws { try input?.fileHandleForWriting.close() }

    /// Interrupts it, as by Ctrl-C.
    public func interrupt() { process.interrupt() }

    /// Sends it a signal.
    public func send(signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

    /// Waits until it has ended and all its output is read, and returns its exit code.
    public func exitCode() async -> Int32 {
        let (end, output) = (end, output)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let code = end.wait()
                output.waitForEnd(seconds: 10)
                continuation.resume(returning: code)
            }
        }
    }

    /// Waits until a line is printed that contains these words, and returns the line.
    @discardableResult
    public func line(with words: String) async throws -> String {
        try await line("with \(words)") { $0.contains(words) }
    }

    /// Waits at most 60 s until a line that fits is printed, and returns the line.
    @discardableResult
    public func line(_ what: String, where fits: @escaping @Sendable (Substring) -> Bool) async throws -> String {
        guard let line = await output.line(within: .seconds(60), where: fits) else {
            throw Silent(description: "\(process.arguments ?? []) printed no line \(what): \(printed)")
        }
        return line
    }

    struct Silent: Error, CustomStringConvertible {
        let description: String
    }
}

/// The end of a process, which threads can wait for.
private final class ProcessEnd: @unchecked Sendable {
    private let condition = NSCondition()
    private var known: Int32?

    /// The exit code; nil while it runs.
    var code: Int32? { condition.withLock { known } }

    func note(_ code: Int32) {
        condition.withLock {
            known = code
            condition.broadcast()
        }
    }

    func wait() -> Int32 {
        condition.withLock {
            while true {
                if let known { return known }
                condition.wait()
            }
        }
    }
}
