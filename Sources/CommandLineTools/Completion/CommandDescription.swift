/// The options, subcommands and help of a command, as the command itself parses and prints them.
package struct CommandDescription: Sendable {
    /// The words that name the command, after the program's name: ["account", "add"]; none: the program itself.
    package let words: [String]
    package let options: [Option]
    /// The names of the subcommands.
    package let verbs: [String]
    /// The help's text.
    package let help: String

    package init(words: [String], options: [Option], verbs: [String], help: String) {
        self.words = words
        self.options = options
        self.verbs = verbs
        self.help = help
    }

    /// The descriptions of a command and of its subcommands.
    ///
    /// Each is asked for its help, which it prints into the description: what a command accepts is written once.
    ///
    /// - Parameters:
    ///   - words: The words that name the command.
    ///   - arguments: The arguments that select a subcommand of it.
    ///   - run: The command, which takes the arguments after its name.
    /// - Returns: The command's own description first.
    package static func all(
        of words: [String],
        _ arguments: [String] = [],
        run: @Sendable ([String]) async -> Int32
    ) async -> [CommandDescription] {
        let recorder = CommandRecorder()
        _ = await CommandRecorder.$current.withValue(recorder) { await run(arguments + [Command.help.name]) }
        let record = recorder.record
        var all = [CommandDescription(words: words, options: record.options, verbs: record.verbs, help: record.help)]
        for verb in record.verbs { all += await Self.all(of: words + [verb], arguments + [verb], run: run) }
        return all
    }

    /// The first clause of the help's text after the usage.
    var purpose: String {
        let paragraphs = help.split(separator: "\n\n", omittingEmptySubsequences: true).dropFirst()
        let lines = (paragraphs.first ?? "").split(separator: "\n").filter { !$0.hasSuffix(":") }
        return lines.joined(separator: " ").before(". ", "; ", ": ")
    }

    /// The options that a shell offers: those of a command with subcommands are offered after the subcommand.
    var offeredOptions: [Option] { verbs.isEmpty || words.isEmpty ? options : [Command.help] }

    /// Indicates that the command takes files as positional arguments, by its usage.
    var takesFiles: Bool {
        let usage = help.split(separator: "\n\n", omittingEmptySubsequences: true).first ?? ""
        return usage.split(separator: "\n").contains { line in
            let words = line.split(separator: " ").map { String($0.drop { $0 == "[" }) }
            return zip(words, [""] + words).contains { $0.hasPrefix("FILE") && !$1.hasPrefix("--") }
        }
    }
}

extension Option {
    /// The kind of an option's value, which a shell completes.
    enum ValueKind {
        case none, file, folder, other
    }

    /// The kind of value, by its placeholder.
    var valueKind: ValueKind {
        switch value {
        case nil: .none
        case "FILE": .file
        case "DIR": .folder
        default: .other
        }
    }

    /// The first clause of the help, in one line.
    var summary: String { help.split(separator: "\n").joined(separator: " ").before(". ", "; ") }
}

extension String {
    /// The text before the first of some ends, without a full stop.
    fileprivate func before(_ ends: String...) -> String {
        let end = ends.compactMap { firstRange(of: $0)?.lowerBound }.min() ?? endIndex
        let text = self[..<end].drop { $0 == " " }
        return String(text.last == "." ? text.dropLast() : text)
    }
}
