import Foundation

/// The terminal on standard input, for prompts.
package enum Terminal {
    package static var isInteractive: Bool { Console.isTerminal(STDIN_FILENO) }

    /// Indicates that standard output is a terminal that shows colours.
    package static var hasColours: Bool {
        let environment = ProcessInfo.processInfo.environment
        return Console.isTerminal(STDOUT_FILENO) && environment["TERM"] != "dumb" && environment["NO_COLOR"] == nil
    }

    /// Asks for confirmation.
    ///
    /// - Parameters:
    ///   - question: The question, which names the data that will be lost.
    ///   - option: The option that confirms without a terminal, for the error message.
    /// - Throws: `UsageError` if there is no terminal, `CommandFailure` with exit code 4 if the answer is not yes.
    package static func confirm(_ question: String, orOption option: Option) throws {
        guard isInteractive else {
            throw UsageError("there is no terminal for a confirmation; confirm with \(option.name).")
        }
        Console.err("\(question) [y/N] ")
        let answer = try line() ?? ""
        guard ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw CommandFailure(4, "nothing was changed.")
        }
    }

    /// Prompts for secrets without echoing them.
    ///
    /// - Parameter prompts: The text of each prompt.
    /// - Returns: The lines that the user typed, in order.
    /// - Throws: `CommandFailure` if the echo cannot be turned off, or the input ends.
    package static func secrets(_ prompts: [String]) throws(CommandFailure) -> [String] {
        guard let echo = HiddenEcho(STDIN_FILENO) else {
            throw CommandFailure(
                2,
                "the terminal goes on showing what is typed; give the password by --password-stdin."
            )
        }
        defer { echo.end() }
        var typed: [String] = []
        for prompt in prompts {
            echo.ask(prompt)
            guard let line = try line() else { throw CommandFailure(4, "no password was typed.") }
            typed.append(line)
        }
        return typed
    }

    /// Reads a line of standard input without its end; nil: there is none.
    ///
    /// It is read byte by byte, so that the input after it is left to other readers.
    ///
    /// - Throws: `CommandFailure` if the line is not UTF-8, or longer than 65,536 bytes.
    package static func line() throws(CommandFailure) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if bytes.isEmpty { return nil }
                break
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
            guard bytes.count <= longestLine else {
                throw CommandFailure(
                    1,
                    "the line on standard input is too long; it has more than \(longestLine) bytes."
                )
            }
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(1, "the line on standard input is no UTF-8; set the terminal to UTF-8.")
        }
        return text
    }

    /// More than the length of any password or token.
    private static let longestLine = 65_536
}

/// A terminal with its echo turned off, until `end`, or until a signal ends or stops the program.
final class HiddenEcho: @unchecked Sendable {
    private let descriptor: Int32
    private let before: termios
    private let lock = NSLock()
    private var isHidden = false
    private var prompt = ""

    /// Turns the echo off; nil: it cannot be turned off.
    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        self.before = before
        // The signal handler that restores the echo is installed before the echo is turned off.
        Signals.handle([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]) { [self] in interrupted(by: $0) }
        guard lock.withLock({ hide() }) else { return nil }
    }

    /// Shows a prompt, and keeps it to show it again after a stop.
    func ask(_ text: String) {
        lock.withLock { prompt = text }
        Console.err(text)
    }

    /// Turns the echo on again.
    func end() { lock.withLock { show() } }

    private func hide() -> Bool {
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // The end of the line is echoed, so that further output begins on a new line.
        hidden.c_lflag |= tcflag_t(ECHONL)
        isHidden = tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0
        return isHidden
    }

    private func show() {
        guard isHidden else { return }
        var before = before
        tcsetattr(descriptor, TCSANOW, &before)
        isHidden = false
    }

    private func interrupted(by signal: Int32) {
        lock.lock()
        defer { lock.unlock() }
        let wasHidden = isHidden
        show()
        guard signal == SIGTSTP else {
            if wasHidden { Console.err("\n") }
            Signals.end(by: signal)
            return
        }
        // To this thread alone: it would run on for a moment if another one took the signal for the process.
        raise(SIGSTOP)
        // Execution continues here when the shell resumes the process.
        guard wasHidden, hide() else { return }
        Console.err(prompt)
    }
}
