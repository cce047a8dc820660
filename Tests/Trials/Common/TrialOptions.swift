import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The options of a trial's command line.
struct TrialOptions {
    /// The path of this program, for processes that the trial starts.
    let program = realPath("/proc/self/exe")
    /// The path of the hub; by default the program beside this one.
    var hub: String
    /// Arguments for the hub besides those of the trial.
    var hubArguments: [String] = []
    /// The path of the JSON report; "-" is standard output, in place of the table.
    var json: String?
    /// Indicates that a missed threshold makes the exit code 1.
    var isChecking = false
    /// Indicates that only the help was asked for.
    var wantsHelp = false
    /// The trial's own options, by their names.
    private var values: [String: Int] = [:]

    /// Reads the arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the program's and the trial's name.
    ///   - trial: The trial whose own options are allowed.
    /// - Throws: `BenchmarkError` for an unknown option, or a missing or wrong value.
    init(_ arguments: [String], trial: Trial) throws(BenchmarkError) {
        hub = URL(filePath: program).deletingLastPathComponent().appending(path: "callhub").path
        for setting in trial.settings { values[setting.name] = setting.value }
        var words = ArgumentReader(arguments)
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

/// A trial's option, which takes a number.
struct TrialSetting {
    /// The option's name, such as `--name`.
    var name: String
    /// The default.
    var value: Int
    /// The allowed values.
    var range: ClosedRange<Int>
    /// The meaning, in a few words.
    var help: String
}

/// Returns the path with symbolic links resolved; the path itself if it does not exist.
private func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}
