import Foundation
public import HubTestSupport

/// A child process, with its own children, that ends with this object or with this process, however that ends.
///
/// A guardian, a shell in a process group of its own, reads from a socket whose other end only this process has. When
/// that end is closed, by us or by the kernel because we were killed, the guardian kills the program's whole group and
/// removes its folder.
public final class GuardedProcess: Sendable {
    /// The program's standard output and standard error.
    public let output: PrintedText
    /// The descriptor that writes to the program's descriptor 3.
    let commands: Int32
    /// The descriptor that reads from the program's descriptor 4.
    let answers: Int32
    private let lifeline: Int32
    private let guardian: pid_t

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program, found in the PATH, and its arguments.
    ///   - environment: Variables to add to the environment of this process.
    ///   - folder: The folder to remove when the program has ended; nil: none.
    /// - Throws: ``NotStarted`` when no socket pair can be made or the shell cannot be spawned.
    public init(_ arguments: [String], environment: [String: String] = [:], removing folder: String? = nil) throws {
        let (input, output) = (try SocketPair(), try SocketPair())
        let (print, life) = (try SocketPair(), try SocketPair())
        let silence = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { for mine in [input.reading, output.writing, print.writing, life.reading, silence] { close(mine) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let places = [silence, print.writing, print.writing, input.reading, output.writing, life.reading]
        for (number, descriptor) in places.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Swift's task threads block signals, and the child would inherit that; the shell waits for SIGCHLD.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let words =
            ["sh", "-c", Self.guardianScript, folder ?? "", "env"] + environment.map { "\($0)=\($1)" } + arguments
        let code = withCStrings(words) { posix_spawn(&pid, "/bin/sh", &actions, &attributes, $0, environ) }
        (guardian, lifeline, commands, answers) = (pid, life.writing, input.writing, output.reading)
        self.output = PrintedText(FileHandle(fileDescriptor: print.reading, closeOnDealloc: true))
        guard code == 0 else { throw NotStarted(arguments: arguments, code: code) }
    }

    deinit {
        // The guardian's end closes the other side of the sockets, so that our reader threads end.
        close(lifeline)
        var status: Int32 = 0
        while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
        close(commands)
    }

    /// The error of a program that did not start.
    public struct NotStarted: Error {
        let arguments: [String]
        let code: Int32
    }

    /// The guardian's script: `$0` is the folder; `setsid` puts the program and its children into one process group.
    private static let guardianScript = """
        setsid "$@" 5<&- & program=$!
        exec 1>&- 2>&- 3<&- 4>&-
        read -r line <&5
        kill -s KILL -- -$program || kill -s KILL $program
        wait $program
        while kill -s 0 -- -$program; do sleep 0.02; done
        test -z "$0" || rm -rf "$0"
        """
}

/// Both ends of a socket pair, with descriptors from 10 on, above the numbers that a child is given.
///
/// Sockets, unlike pipes made by `pipe()`, are created with close-on-exec set, so that a child that another thread
/// starts meanwhile does not inherit them.
private struct SocketPair {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw GuardedProcess.NotStarted(arguments: ["socketpair"], code: errno)
        }
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for low in ends { close(low) }
        (reading, writing) = (high[0], high[1])
    }
}

private func withCStrings<Result>(
    _ words: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
}
