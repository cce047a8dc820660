/// The completion of a program's command line in zsh.
struct ZshCompletion {
    let program: String
    let commands: [CommandDescription]

    /// The script, a file `_PROGRAM` of `$fpath`.
    var script: String {
        """
        #compdef \(program)
        # by `\(program) completion zsh`

        \(commands.map(function).joined(separator: "\n\n"))

        _\(program) "$@"

        """
    }

    /// The function that completes one command: its options, then subcommands or files.
    private func function(_ command: CommandDescription) -> String {
        let name = Self.name(program, command.words)
        var arguments = command.offeredOptions.map(argument)
        guard !command.verbs.isEmpty else {
            if command.takesFiles { arguments.append("'*:file:_files'") }
            return "\(name)() {\n    _arguments \(list(arguments))\n}"
        }
        arguments += ["'1:command:->command'", "'*::argument:->argument'"]
        let verbs = command.verbs.map { verb in
            let purpose = commands.first { $0.words == command.words + [verb] }?.purpose ?? ""
            return "            \(Self.quoted(verb + ":" + (command.words.isEmpty ? purpose : "")))"
        }
        return """
            \(name)() {
                local curcontext=$curcontext context state state_descr line
                typeset -A opt_args
                _arguments -C \(list(arguments))
                case $state in
                (command)
                    local -a verbs=(
            \(verbs.joined(separator: "\n"))
                    )
                    _describe command verbs ;;
                (argument)
                    local function=\(name)_$words[1]
                    curcontext="${curcontext%:*:*}:\(program)-$words[1]:"
                    (( $+functions[$function] )) && $function ;;
                esac
            }
            """
    }

    private func argument(_ option: Option) -> String {
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let value: String =
            switch option.valueKind {
            case .none: ""
            case .file: ":FILE:_files"
            case .folder: ":DIR:_files -/"
            case .other: ":\((option.value ?? "").replacing(":", with: "\\:")): "
            }
        return Self.quoted("*\(option.name)\(value.isEmpty ? "" : "=")[\(summary)]\(value)")
    }

    private func list(_ arguments: [String]) -> String { arguments.joined(separator: " \\\n        ") }

    private static func name(_ program: String, _ words: [String]) -> String {
        "_" + ([program] + words).joined(separator: "_")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
