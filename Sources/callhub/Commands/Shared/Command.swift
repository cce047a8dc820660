/// Why a command did not do what it was asked, in one sentence, and the exit code that says so to a script.
struct CommandFailure: Error {
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What all commands have in common: help, and how they fail.
enum Command {
    static let help = Option("--help", help: "this text")
    static let shortHelp = Option("-h", help: "")
    static let json = Option("--json", help: "JSON on standard output, for programs")

    /// What a command of several verbs was asked.
    enum Choice {
        /// One of them, and what follows it.
        case verb(String, [String])
        /// Nothing more than has been said already: the process's exit code.
        case told(Int32)
    }

    /// Finds out which of its verbs a command was asked for; without one, and for help, it says what there is.
    ///
    /// - Parameters:
    ///   - name: The command.
    ///   - arguments: What follows it; options may stand before the verb.
    ///   - verbs: What it can do.
    ///   - options: Those of all its verbs.
    ///   - usage: The help.
    /// - Returns: The verb.
    static func choose(
        _ name: String,
        _ arguments: [String],
        among verbs: [String],
        options: [Option],
        usage: String
    ) -> Choice {
        guard !arguments.isEmpty else {
            Console.err(usage)
            return .told(1)
        }
        let place: Int?
        do throws(UsageError) {
            place = try Arguments.firstWord(of: arguments, options: options + [help, shortHelp])
        } catch {
            Console.err("callhub \(name): \(error.message)\n")
            return .told(1)
        }
        let asksForHelp = arguments[..<(place ?? arguments.count)].contains {
            [help.name, shortHelp.name].contains($0)
        }
        guard !asksForHelp, place.map({ arguments[$0] }) != "help" else {
            Console.out(usage)
            return .told(0)
        }
        guard let place else {
            Console.err("callhub \(name): what to do is missing, one of \(verbs.joined(separator: ", ")).\n")
            return .told(1)
        }
        var rest = arguments
        let word = rest.remove(at: place)
        guard !verbs.contains(word) else { return .verb(word, rest) }
        let nearest = nearestWord(to: word, in: verbs)
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; see callhub \(name) --help."
        Console.err("callhub \(name): there is no \(quoted(word))\(hint)\n")
        return .told(1)
    }

    /// Takes the command line apart and runs the command.
    ///
    /// - Parameters:
    ///   - name: What the command is called, in front of what it complains of.
    ///   - arguments: What follows the name.
    ///   - options: Those that it has, besides `--help`.
    ///   - usage: The help.
    ///   - body: Does it.
    /// - Returns: The process's exit code: 0, 1 where the command line is wrong, or the failure's.
    static func run(
        _ name: String,
        _ arguments: [String],
        options: [Option],
        usage: String,
        _ body: (Arguments) async throws -> Void
    ) async -> Int32 {
        do {
            let given = try Arguments(arguments, options: options + [help, shortHelp])
            guard !given.has(help), !given.has(shortHelp) else {
                Console.out(usage)
                return 0
            }
            try await body(given)
            return 0
        } catch let error as UsageError {
            Console.err("callhub \(name): \(error.message)\n")
            return 1
        } catch let error as CommandFailure {
            Console.err("callhub \(name): \(error.message)\n")
            return error.code
        } catch {
            Console.err("callhub \(name): \(error)\n")
            return 2
        }
    }

    /// Writes a command's result to standard output; a script must not take half of it for all.
    static func print(_ text: String) throws(CommandFailure) {
        guard Console.out(text) else {
            throw CommandFailure(2, "not all of it could be written to standard output.")
        }
    }
}

extension Arguments {
    /// The words after the command's own, by their names in the help; exactly so many, but for optional ones at the end.
    func words(_ names: String..., optional: Int = 0, after name: String) throws(UsageError) -> [String] {
        if words.count > names.count {
            throw UsageError("\(quoted(words[names.count])) is one word too many; see callhub \(name) --help.")
        }
        if words.count < names.count - optional {
            throw UsageError("\(names[words.count]) is missing; see callhub \(name) --help.")
        }
        return words
    }
}

extension String {
    /// What a hub says, for people: where it names a method, the command is named that asks by it.
    var namingCommands: String {
        let commands = [
            "admin.calls": "callhub admin calls", "admin.devices": "callhub admin devices",
            "directory.setEnabled": "callhub directory enable", "directory.status": "callhub directory list",
            "directory.load": "callhub directory load",
        ]
        return commands.reduce(self) { $0.replacing($1.key, with: $1.value) }
    }
}
