/// The completion of a program's command line in fish.
struct FishCompletion {
    let program: String
    let commands: [CommandDescription]

    /// The script, a file `PROGRAM.fish` of the folder of completions.
    var script: String {
        "# by `\(program) completion fish`\n\ncomplete -c \(program) -f\n"
            + commands.flatMap(lines).map { "complete -c \(program) \($0)\n" }.joined()
    }

    private func lines(_ command: CommandDescription) -> [String] {
        let condition = Self.condition(command)
        var lines = command.verbs.map { verb in
            let purpose = commands.first { $0.words == command.words + [verb] }?.purpose ?? ""
            let description = command.words.isEmpty ? " -d \(Self.quoted(purpose))" : ""
            return "-n \(Self.quoted(condition.verb)) -a \(verb)\(description)"
        }
        lines += command.offeredOptions.map { option in
            let value =
                switch option.valueKind {
                case .none: ""
                case .file: " -r -F"
                case .folder: " -x -a '(__fish_complete_directories)'"
                case .other: " -x"
                }
            let name = option.name.drop { $0 == "-" }
            return "-n \(Self.quoted(condition.option)) -l \(name)\(value) -d \(Self.quoted(option.summary))"
        }
        if command.verbs.isEmpty, command.takesFiles { lines.append("-n \(Self.quoted(condition.option)) -F") }
        return lines
    }

    /// The conditions, in fish, under which the subcommands and the options of a command are offered.
    private static func condition(_ command: CommandDescription) -> (verb: String, option: String) {
        let seen = command.words.map { "__fish_seen_subcommand_from \($0)" }
        let none =
            command.words.isEmpty
            ? "__fish_use_subcommand"
            : "not __fish_seen_subcommand_from \(command.verbs.joined(separator: " "))"
        let verb = (seen + [none]).joined(separator: "; and ")
        return (verb, command.verbs.isEmpty ? seen.joined(separator: "; and ") : verb)
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
