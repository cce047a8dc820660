import CommandLinePhone
import CommandLineTools
import Foundation
import HubReplay
import HubWire
import OperatorCommands
import ScenarioCommands

/// The entry point: runs the command that the first argument names, with the remaining arguments.
@main
enum CallHub {
    static func main() async {
        // A write to a closed pipe returns an error; it must not end the program.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file at its size limit (ulimit -f): a recording ends, the hub does not.
        signal(SIGXFSZ, SIG_IGN)
        guard areValidUTF8(CommandLine.arguments) else {
            Console.err("callhub: an argument is no UTF-8, and cannot be read; set the terminal to UTF-8.\n")
            exit(1)
        }
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Indicates that the arguments are valid UTF-8; Swift replaces what is not by U+FFFD.
    private static func areValidUTF8(_ arguments: [String]) -> Bool {
        guard arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return true }
        let typed = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
        return String(validating: typed, as: UTF8.self) != nil
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        guard let word = arguments.first else {
            Console.err(usage)
            return 1
        }
        if let command = commands.first(where: { $0.name == word }) {
            return await command.run(Array(arguments.dropFirst()))
        }
        switch word {
        case "completion":
            return await CompletionCommand.run(Array(arguments.dropFirst()), of: commands, overview: usage)
        case "--help", "-h", "help": Console.out(usage)
        case "--version": Console.out("callhub \(callHubVersion)\n")
        default:
            let nearest = nearestCandidate(to: word, in: commands.map(\.name) + ["--help", "--version"])
            let hint = nearest.map { "; did you mean \($0)?" } ?? "; see callhub --help."
            Console.err("callhub: there is no command \(quoted(word))\(hint)\n")
            return 1
        }
        return 0
    }

    /// The commands: each takes the arguments after its name, and returns the process's exit code.
    private static let commands: [(name: String, run: @Sendable ([String]) async -> Int32)] = [
        ("up", { await UpCommand.run($0) }),
        ("serve", { await ServeCommand.run($0) }),
        ("phone", { await PhoneCommand.run($0) }),
        ("operate", { await OperateCommand.run($0) }),
        ("replay", { ReplayCommand.run($0) }),
        ("account", { await AccountCommand.run($0) }),
        ("directory", { await DirectoryCommand.run($0) }),
        ("certificate", { await CertificateCommand.run($0) }),
        ("backup", { await BackupCommand.run($0) }),
        ("restore", { await RestoreCommand.run($0) }),
        ("invite", { await InviteCommand.run($0) }),
        ("link", { await LinkCommand.run($0) }),
        ("music", { await MusicCommand.run($0) }),
        ("admin", { await AdminCommand.run($0) }),
        ("health", { await HealthCommand.run($0) }),
        ("scenario", { await ScenarioCommand.run($0) }),
    ]

    private static let usage = """
        Usage: callhub up [OPTIONS]                run a hub for others, with https and accounts
               callhub serve [OPTIONS]             run a hub with settings of your own
               callhub phone ACCOUNT [OPTIONS]     make and answer calls in a terminal
               callhub operate ACCOUNT [OPTIONS]   answer, hold and end the calls of another device
               callhub account COMMAND [OPTIONS]   manage accounts; export and erase their data
               callhub directory COMMAND [OPTIONS] load caller names and blocked numbers
               callhub certificate COMMAND         show and renew the hub's own certificate
               callhub backup FILE [OPTIONS]       copy the database
               callhub restore FILE [OPTIONS]      put a backup in the place of the database
               callhub invite COMMAND [OPTIONS]    invite somebody to an account, or guests to call
               callhub link COMMAND [OPTIONS]      create, list and revoke guest links
               callhub music COMMAND [OPTIONS]     add, list and remove the music for parties on hold
               callhub admin COMMAND [OPTIONS]     list and end the calls and sessions of a running hub
               callhub health [URL]                ask a running hub whether it answers
               callhub scenario run FILE...        run call scenarios and check their audio
               callhub replay FILE [OPTIONS]       replay an event log of a hub
               callhub --help | --version

        For details: callhub COMMAND --help

        """
}
