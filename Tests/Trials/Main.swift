import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The trials of a running hub: slow listeners, bad networks, abuse, a soak test, a full disk and sudden death.
@main
enum Main {
    /// Runs the trial named on the command line, and ends the process.
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        ChildProcess.endAllOnInterrupt()
        var words = Array(CommandLine.arguments.dropFirst())
        guard let name = words.first, name != "--help", name != "help" else {
            print(Help.overview, terminator: "")
            exit(words.isEmpty ? 64 : 0)
        }
        words.removeFirst()
        if name == "attack" { exit(attack(words)) }
        if name == "network-phone" { exit(await phone(words)) }
        if name == "sign-in-crowd" { exit(signInLoad(words)) }
        guard let trial = Trial(rawValue: name) else {
            say("callhub-trials: there is no trial \"\(name)\"; it must be \(Trial.names)")
            exit(64)
        }
        do throws(BenchmarkError) {
            let options = try TrialOptions(words, trial: trial)
            if options.wantsHelp {
                print(trial.help, terminator: "")
                exit(0)
            }
            exit(await run(trial, options))
        } catch {
            say("callhub-trials \(name): \(error)")
            exit(64)
        }
    }

    /// Runs the attackers' process of the abuse trial.
    private static func attack(_ words: [String]) -> CInt {
        do throws(BenchmarkError) {
            try AttackProcess.run(words)
            return 0
        } catch {
            say("callhub-trials attack: \(error)")
            return 2
        }
    }

    /// Runs a phone's process of the networks trial.
    private static func phone(_ words: [String]) async -> CInt {
        do throws(BenchmarkError) {
            try await NetworkPhone.run(words)
            return 0
        } catch {
            say("callhub-trials network-phone: \(error)")
            return 2
        }
    }

    /// Runs the process of the clients that sign in, of the sign-ins trial.
    private static func signInLoad(_ words: [String]) -> CInt {
        do throws(BenchmarkError) {
            try SignInLoad.run(words)
            return 0
        } catch {
            say("callhub-trials sign-in-crowd: \(error)")
            return 2
        }
    }

    private static func run(_ trial: Trial, _ options: TrialOptions) async -> CInt {
        do throws(BenchmarkError) {
            return try await trial.run(options)
        } catch {
            say("callhub-trials \(trial.rawValue): \(error)")
            return 2
        }
    }
}
