import HubWire

/// The behaviour that all commands share: help, parsing of the command line, and exit codes.
package enum Command {
    package static let help = Option("--help", help: "this text")
    package static let shortHelp = Option("-h", help: "")
    package static let json = Option("--json", help: "JSON on standard output, for programs")

    /// The outcome of parsing a command line for its subcommand.
    package enum Choice {
        /// A subcommand and the other arguments.
        case verb(String, [String])
        /// Help or an error has been printed; the process ends with this exit code.
        case handled(Int32)
    }

    /// Finds the subcommand on a command line; prints the help if it is asked for, or if there are no arguments.
    ///
    /// - Parameters:
    ///   - name: The name of the command, for error messages.
    ///   - arguments: The arguments after the command's name; options may precede the subcommand.
    ///   - verbs: The names of the subcommands.
    ///   - options: The options of all subcommands.
    ///   - usage: The text of the help.
    /// - Returns: The subcommand, or the exit code if there is nothing more to do.
    package static func choose(
        _ name: String,
        _ arguments: [String],
        among verbs: [String],
        options: [Option],
        usage: String
    ) -> Choice {
        guard !arguments.isEmpty else {
            Console.err(usage)
            return .handled(1)
        }
        let wordIndex: Int?
        do throws(UsageError) {
            wordIndex = try Arguments.firstPositionalIndex(of: arguments, options: options + [help, shortHelp])
        } catch {
            Console.err("callhub \(name): \(error.message)\n")
            return .handled(1)
        }
        let asksForHelp = arguments[..<(wordIndex ?? arguments.count)].contains {
            [help.name, shortHelp.name].contains($0)
        }
        guard !asksForHelp, wordIndex.map({ arguments[$0] }) != "help" else {
            CommandRecorder.current?.add(options + [help])
            CommandRecorder.current?.add(verbs: verbs)
            Console.out(usage)
            return .handled(0)
        }
        guard let wordIndex else {
            Console.err("callhub \(name): what to do is missing, one of \(verbs.joined(separator: ", ")).\n")
            return .handled(1)
        }
        var rest = arguments
        let word = rest.remove(at: wordIndex)
        guard !verbs.contains(word) else { return .verb(word, rest) }
        let nearest = nearestCandidate(to: word, in: verbs)
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; see callhub \(name) --help."
        Console.err("callhub \(name): there is no \(quoted(word))\(hint)\n")
        return .handled(1)
    }

    /// Parses the command line and runs the command.
    ///
    /// - Parameters:
    ///   - name: The command with its subcommand, for error messages.
    ///   - arguments: The arguments after the name.
    ///   - options: The command's options besides `--help`.
    ///   - usage: The text of the help.
    ///   - body: The command itself.
    /// - Returns: The process's exit code: 0; 1 for an invalid command line; else the failure's.
    package static func run(
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

    /// Writes a command's result to standard output; fails if not all is written, since a script would miss the rest.
    package static func print(_ text: String) throws(CommandFailure) {
        guard Console.out(text) else {
            throw CommandFailure(2, "not all of it could be written to standard output.")
        }
    }
}

extension Arguments {
    /// Returns the positional arguments, or throws if there are more than `names` or fewer than are required.
    ///
    /// The names are those in the help; the last `optional` of them may be missing.
    package func words(_ names: String..., optional: Int = 0, after name: String) throws(UsageError) -> [String] {
        if words.count > names.count {
            throw UsageError("\(quoted(words[names.count])) is one word too many; see callhub \(name) --help.")
        }
        if words.count < names.count - optional {
            throw UsageError("\(names[words.count]) is missing; see callhub \(name) --help.")
        }
        return words
    }
}
