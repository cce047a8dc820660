import Foundation

/// The terminal on standard input, for questions.
enum Terminal {
    static var isThere: Bool { Console.isTerminal(STDIN_FILENO) }

    /// Whether standard output is one that shows colours.
    static var hasColours: Bool {
        let environment = ProcessInfo.processInfo.environment
        return Console.isTerminal(STDOUT_FILENO) && environment["TERM"] != "dumb" && environment["NO_COLOR"] == nil
    }

    /// Asks for a yes.
    ///
    /// - Parameters:
    ///   - question: A sentence that says what will be gone.
    ///   - option: What says yes where nobody can be asked.
    /// - Throws: `UsageError` where there is no terminal, `CommandFailure` 4 where the answer is anything else.
    static func confirm(_ question: String, orOption option: Option) throws {
        guard isThere else { throw UsageError("there is no terminal to ask on; say \(option.name) if this is meant.") }
        Console.err("\(question) [y/N] ")
        let answer = try line() ?? ""
        guard ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw CommandFailure(4, "nothing was changed.")
        }
    }

    /// Asks for things without showing what is typed.
    ///
    /// - Parameter prompts: What is said before each.
    /// - Returns: What was typed, in order.
    /// - Throws: `CommandFailure` where nothing comes.
    static func secrets(_ prompts: [String]) throws(CommandFailure) -> [String] {
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

    /// A line of standard input without its end, read byte by byte so that what follows is left for others; nil: there is none.
    ///
    /// - Throws: `CommandFailure` where it is no text, or too long for one.
    static func line() throws(CommandFailure) -> String? {
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

    /// More than any password or token has.
    private static let longestLine = 65_536
}

/// A terminal that does not show what is typed, until `end`, or until a signal ends or stops the program.
final class HiddenEcho: @unchecked Sendable {
    private let descriptor: Int32
    private let before: termios
    private let lock = NSLock()
    private var isHidden = false
    private var prompt = ""

    /// Hides what is typed; nil: it cannot be hidden.
    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        self.before = before
        // First the way back, then what needs it.
        Signals.handle([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]) { [self] in interrupted(by: $0) }
        guard lock.withLock({ hide() }) else { return nil }
    }

    /// Says what is asked for.
    func ask(_ text: String) {
        lock.withLock { prompt = text }
        Console.err(text)
    }

    /// Shows again what is typed.
    func end() { lock.withLock { show() } }

    private func hide() -> Bool {
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // The end of the line is shown, so that what follows stands on a new one.
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
        // To this thread: it would run on for a moment if another one took the signal for all.
        raise(SIGSTOP)
        // Here it goes on when the shell has it do so.
        guard wasHidden, hide() else { return }
        Console.err(prompt)
    }
}
