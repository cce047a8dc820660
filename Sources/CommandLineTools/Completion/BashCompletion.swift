/// The completion of a program's command line in bash.
struct BashCompletion {
    let program: String
    let commands: [CommandDescription]

    /// The script, to be sourced.
    var script: String {
        """
        # bash completion of \(program), by `\(program) completion bash`

        # Sets what follows the words of a command: its options, those with a value by kind, subcommands, files.
        _\(program)_table()
        {
            options= files= folders= others= verbs= operands=
            case $1 in
        \(commands.map(entry).joined(separator: "\n"))
            esac
        }

        _\(program)()
        {
            local options files folders others verbs operands
            local current=${COMP_WORDS[COMP_CWORD]} option= command= word index
            COMPREPLY=()
            _\(program)_table ''
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if [[ $word == '=' ]]; then
                    continue
                elif [[ -n $option ]]; then
                    option=
                elif [[ $word == -* ]]; then
                    [[ " $files $folders $others " == *" $word "* ]] && option=$word
                elif [[ " $verbs " == *" $word "* ]]; then
                    command="${command:+$command }$word"
                    _\(program)_table "$command"
                fi
            done
            [[ $current == '=' ]] && current=
            if [[ -n $option ]]; then
                if [[ " $files " == *" $option "* ]]; then
                    compopt -o filenames
                    mapfile -t COMPREPLY < <(compgen -f -- "$current")
                elif [[ " $folders " == *" $option "* ]]; then
                    compopt -o filenames
                    mapfile -t COMPREPLY < <(compgen -d -- "$current")
                fi
            elif [[ $current == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
            elif [[ -n $verbs ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$current")
            elif [[ -n $operands ]]; then
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
            fi
        }

        complete -F _\(program) \(program)

        """
    }

    private func entry(_ command: CommandDescription) -> String {
        func names(_ kind: Option.ValueKind) -> String {
            command.options.filter { $0.valueKind == kind }.map(\.name).joined(separator: " ")
        }
        let all: [(String, String)] = [
            ("options", command.options.map(\.name).joined(separator: " ")),
            ("files", names(.file)), ("folders", names(.folder)), ("others", names(.other)),
            ("verbs", command.verbs.joined(separator: " ")),
            ("operands", command.verbs.isEmpty && command.takesFiles ? "files" : ""),
        ]
        let sets = all.filter { !$0.1.isEmpty }.map { "\n            \($0.0)='\($0.1)'" }.joined()
        return "        '\(command.words.joined(separator: " "))')\(sets) ;;"
    }
}
