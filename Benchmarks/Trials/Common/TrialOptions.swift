import BenchmarkSupport
import FoundationEssentials
import Glibc

/// What the command line asks of a trial.
struct TrialOptions {
    /// This program, for processes that play a part in a trial.
    let program = realPath("/proc/self/exe")
    /// The hub; by default the program beside this one.
    var hub: String
    /// Arguments for the hub besides those of the trial.
    var hubArguments: [String] = []
    /// Where the JSON goes; "-" is standard output, in place of the table.
    var json: String?
    /// Whether a broken promise makes the exit code 1.
    var isChecking = false
    /// Whether only the help was asked for.
    var wantsHelp = false
    /// The trial's own options, by their names.
    private var values: [String: Int] = [:]

    /// Reads the arguments.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's and the trial's name.
    ///   - trial: Whose own options there may be.
    /// - Throws: What is wrong with them.
    init(_ arguments: [String], trial: Trial) throws(BenchmarkError) {
        hub = URL(filePath: program).deletingLastPathComponent().appending(path: "callhub").path
        for setting in trial.settings { values[setting.name] = setting.value }
        var words = OptionWords(arguments)
        while let word = words.next() {
            switch word {
            case "--help": wantsHelp = true
            case "--check": isChecking = true
            case "--json": json = try words.value()
            case "--hub-binary": hub = try words.value()
            case "--hub-argument": hubArguments.append(try words.value())
            default:
                guard let setting = trial.settings.first(where: { $0.name == word }) else {
                    throw BenchmarkError("\"\(word)\" is no option of this trial; --help lists them")
                }
                values[word] = try number(try words.value(), word, setting.range)
            }
        }
    }

    /// The value of one of the trial's own options, which must be in its table.
    subscript(name: String) -> Int { values[name] ?? 0 }
}

/// A number that a trial can be given.
struct TrialSetting {
    /// `--name`.
    var name: String
    /// Without the option.
    var value: Int
    /// What it may be.
    var range: ClosedRange<Int>
    /// What it is, in a few words.
    var help: String
}

/// The path without links in it; the same path where there is none.
private func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}
