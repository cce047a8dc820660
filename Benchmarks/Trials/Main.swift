import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The trials of a running hub: what it does with slow listeners, bad networks, abuse, an hour of everything, and sudden death.
@main
enum Main {
    /// Runs the trial that is named and ends the process.
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
        if name == "sign-in-crowd" { exit(crowd(words)) }
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

    /// The process in which the trial by abuse has its attackers.
    private static func attack(_ words: [String]) -> CInt {
        do throws(BenchmarkError) {
            try AttackProcess.run(words)
            return 0
        } catch {
            say("callhub-trials attack: \(error)")
            return 2
        }
    }

    /// The process of a phone in the trial of networks.
    private static func phone(_ words: [String]) async -> CInt {
        do throws(BenchmarkError) {
            try await NetworkPhone.run(words)
            return 0
        } catch {
            say("callhub-trials network-phone: \(error)")
            return 2
        }
    }

    /// The process of those who sign in, in the trial of sign-ins.
    private static func crowd(_ words: [String]) -> CInt {
        do throws(BenchmarkError) {
            try SignInCrowd.run(words)
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
