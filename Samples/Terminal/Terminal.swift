import CallSystem
import Dispatch
import Foundation

/// An app's commands in place of its buttons, one per line, for hands at a terminal and for tests.
@MainActor
public final class Terminal {
    /// The closure that performs a command, given the words behind its name.
    public typealias Body = @MainActor (_ words: [String]) async throws -> Void

    private struct Command {
        let name: String
        let parameters: String
        let help: String
        let body: Body

        var usage: String { parameters.isEmpty ? name : "\(name) \(parameters)" }
    }

    private var commands: [Command] = []
    private let write: @MainActor (String) -> Void
    /// Indicates that a line could not be performed.
    private var hasFailed = false
    /// The sources of the signals that end the program.
    private var signals: [any DispatchSourceSignal] = []

    /// Creates a terminal.
    ///
    /// - Parameter write: The receiver of the lines that are printed; by default standard output.
    public init(write: @escaping @MainActor (String) -> Void = Terminal.writeToStandardOutput) {
        self.write = write
        add("help", "", "lists the commands") { [unowned self] _ in
            let width = commands.map(\.usage.count).max() ?? 0
            for command in commands {
                print(command.usage.padding(toLength: width + 2, withPad: " ", startingAt: 0) + command.help)
            }
        }
        add("wait", "SECONDS", "waits, for commands of a file") { words in
            guard let seconds = Double(words[0]), (0...3_600).contains(seconds) else {
                throw TerminalError("\(words[0]) is no time; type seconds from 0 to 3600.")
            }
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    /// Writes a line to standard output at once.
    public static func writeToStandardOutput(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Adds a command.
    ///
    /// - Parameters:
    ///   - name: The first word of its line.
    ///   - parameters: The names of its other words, optional ones in brackets.
    ///   - help: A verb phrase for the list of commands.
    ///   - body: The closure that performs it.
    public func add(_ name: String, _ parameters: String, _ help: String, body: @escaping Body) {
        let required = parameters.split(separator: " ").filter { !$0.hasPrefix("[") }.count
        commands.append(
            Command(name: name, parameters: parameters, help: help) { words in
                guard words.count >= required else { throw TerminalError("Type: \(name) \(parameters)") }
                try await body(words)
            }
        )
    }

    /// Prints a line.
    public func print(_ line: String) {
        write(line)
    }

    /// Prints the reason why something was not possible.
    public func print(_ error: any Error) {
        hasFailed = true
        print("error: \(Self.sentence(for: error))")
    }

    /// Performs a typed line, and prints the reason if that is not possible.
    public func perform(_ line: String) async {
        let words = line.split(separator: " ").map(String.init)
        guard let name = words.first else { return }
        do {
            guard let command = commands.first(where: { $0.name == name }) else {
                throw TerminalError("There is no command \(name); type help.")
            }
            try await command.body(Array(words.dropFirst()))
        } catch {
            print(error)
        }
    }

    /// Returns the reason of an error in one sentence, with CallKit's domain and code where it has them.
    private static func sentence(for error: any Error) -> String {
        if error is TerminalError || error is CallSystemError { return "\(error)" }
        let error = error as NSError
        let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
        return "\(reason) (\(error.domain) \(error.code))"
    }

    /// Performs the lines of standard input, and ends the program with them, by `quit`, or by SIGINT and SIGTERM.
    ///
    /// The program's calls end first. Its exit code is 0, or 1 if standard input is no terminal and a line of it could
    /// not be performed.
    public func run() -> Never {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { [unowned self] in
                Task { await end(128 + number) }
            }
            source.resume()
            signals.append(source)
        }
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        Task {
            print("Type help for the commands, quit to end.")
            for await line in lines {
                if line == "quit" { break }
                await perform(line)
            }
            await end(hasFailed && isatty(STDIN_FILENO) == 0 ? 1 : 0)
        }
        dispatchMain()
    }

    /// Ends the calls and the session of the app, and then the program.
    private func end(_ code: Int32) async -> Never {
        await CallSystem.current.close()
        exit(code)
    }
}

/// The reason why a typed line cannot be performed.
public struct TerminalError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Creates an error with a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
