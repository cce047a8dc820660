package import BenchmarkSupport
import CLinux
import FoundationEssentials
import Glibc
import Synchronization

/// A program that runs beside the benchmark, its output in an anonymous file that is deleted with it.
package final class ChildProcess {
    /// The running children, at most three, so that a signal that ends the benchmark ends them too.
    ///
    /// They are the program under test, its strace, or two phones of it.
    private static let first = Atomic<pid_t>(0)
    private static let second = Atomic<pid_t>(0)
    private static let third = Atomic<pid_t>(0)

    /// The process ID.
    package let id: CInt
    /// The last component of the program's path, for messages.
    package let name: String
    private let output: CInt
    private var isRunning = true

    /// Starts `path` with `arguments` and the benchmark's environment with `environment` put over it.
    package init(path: String, arguments: [String], environment: [String: String] = [:]) throws(BenchmarkError) {
        name = URL(filePath: path).lastPathComponent
        guard access(path, X_OK) == 0 else {
            throw BenchmarkError("\(path) is no executable program; build it first, or give its path")
        }
        output = hub_linux_anonymous_file("output")
        guard output >= 0 else {
            throw .system("memfd_create")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var started: pid_t = 0
        guard posix_spawn(&started, path, &actions, nil, &argv, &envp) == 0 else {
            throw BenchmarkError("\(path) could not be started")
        }
        id = started
        if !Self.first.compareExchange(expected: 0, desired: started, ordering: .relaxed).exchanged,
            !Self.second.compareExchange(expected: 0, desired: started, ordering: .relaxed).exchanged
        {
            Self.third.store(started, ordering: .relaxed)
        }
    }

    deinit {
        end(SIGKILL)
        close(output)
    }

    /// The first 64 KiB that it has printed so far, on both outputs.
    package var printed: String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let length = pread(output, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, length)), as: UTF8.self)
    }

    /// Waits until it has printed the address that it listens on.
    package func waitForAddress(seconds: Int = 10) throws(BenchmarkError) -> ListeningAddress {
        for _ in 0..<(seconds * 100) {
            if let address = ListeningAddress.first(in: printed) {
                return address
            }
            guard waitpid(id, nil, WNOHANG) == 0 else {
                isRunning = false
                throw BenchmarkError("\(name) ended before it listened; it printed:\n\(printed)")
            }
            usleep(10_000)
        }
        throw BenchmarkError("\(name) printed no address such as 127.0.0.1:8080; it printed:\n\(printed)")
    }

    /// Indicates that the process has ended.
    package var hasEnded: Bool {
        if isRunning, waitpid(id, nil, WNOHANG) != 0 {
            isRunning = false
            forget()
        }
        return !isRunning
    }

    /// Waits until it ends by itself, and returns true if its exit status is 0.
    package func succeeds() -> Bool {
        var status: CInt = 0
        isRunning = false
        let isEnded = waitpid(id, &status, 0) == id
        forget()
        return isEnded && status == 0
    }

    /// Sends the signal and waits until the process has ended.
    package func end(_ signal: CInt) {
        guard isRunning else {
            return
        }
        isRunning = false
        kill(id, signal)
        waitpid(id, nil, 0)
        forget()
    }

    private func forget() {
        _ = Self.first.compareExchange(expected: id, desired: 0, ordering: .relaxed)
        _ = Self.second.compareExchange(expected: id, desired: 0, ordering: .relaxed)
        _ = Self.third.compareExchange(expected: id, desired: 0, ordering: .relaxed)
    }

    /// The last ten lines that it printed, for the message about its failure.
    package var lastOutput: String {
        let lines = printed.split(separator: "\n").suffix(10)
        return lines.isEmpty ? "" : "\nit printed last:\n" + lines.joined(separator: "\n")
    }

    /// Makes an interrupt end the children before the benchmark.
    package static func endAllOnInterrupt() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                let children = [
                    ChildProcess.first.load(ordering: .relaxed), ChildProcess.second.load(ordering: .relaxed),
                    ChildProcess.third.load(ordering: .relaxed),
                ]
                for id in children where id > 0 {
                    kill(id, SIGKILL)
                }
                _exit(128 + number)
            }
        }
    }
}
