import Foundation
import HubTestSupport

/// The `callhub` program on a pseudoterminal, on which a test types.
final class Pseudoterminal {
    private let controller: Int32
    /// The program's side, kept open because a terminal that no process has open loses its settings.
    private let program: Int32
    private let process: pid_t
    private let folder: TemporaryFolder
    private var hasEnded = false
    /// The output that the terminal has shown.
    private(set) var shown = ""

    /// Starts the program; its standard input, output and error are the terminal.
    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        var (controller, program): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 64)
        guard openpty(&controller, &program, &name, nil, nil) == 0 else {
            throw Failure(description: "there is no pseudo-terminal")
        }
        for descriptor in [controller, program] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (self.controller, self.program) = (controller, program)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal: Ctrl-C sends SIGINT.
        posix_spawn_file_actions_addopen(&actions, 0, &name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The test runner ignores SIGINT when it was started in the background; a terminal's programs do not.
        var usual = sigset_t()
        sigfillset(&usual)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(Self.startsSession | POSIX_SPAWN_SETSIGDEF))
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_DATA_HOME"] = folder.path
        environment["TERM"] = "xterm"
        environment["NO_COLOR"] = nil
        var words = ([Program.path] + arguments).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var started: pid_t = 0
        let fault = posix_spawn(&started, Program.path, &actions, &attributes, &words, &settings)
        guard fault == 0 else { throw Failure(description: String(cString: strerror(fault))) }
        process = started
        self.folder = folder
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(controller)
        close(program)
    }

    /// Types a text; a line ends with a carriage return, Ctrl-C is `\u{3}`.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits until the terminal has shown a text at least so many times.
    func waits(for text: String, times: Int = 1) throws {
        while shown.components(separatedBy: text).count <= times {
            guard try read() else { throw Failure(description: "\(text) was not shown: \(shown)") }
        }
    }

    /// Indicates that typed characters are echoed.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(controller, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until the program is stopped, as by Ctrl-Z.
    func waitUntilStopped() -> Bool {
        var status: Int32 = 0
        return waitpid(process, &status, WUNTRACED) == process && status & 0xFF == 0x7F
    }

    /// Waits for the program's end; returns its exit code, or the negative number of the signal that ended it.
    func end() throws -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            guard ended >= 0 else { throw Failure(description: "it is no child") }
            if ended == process { break }
            _ = try read(within: 50)
        }
        hasEnded = true
        while try read(within: 0) {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Reads output; false: none came in time, or the other end is closed.
    private func read(within milliseconds: Int32 = 30_000) throws -> Bool {
        var wait = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Foundation.read(controller, &bytes, bytes.count)
        guard count > 0 else { return false }
        shown += String(decoding: bytes[..<count], as: UTF8.self)
        return true
    }

    /// POSIX_SPAWN_SETSID, which glibc declares for GNU programs only.
    private static let startsSession: Int32 = 0x80

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
