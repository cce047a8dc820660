import CommandLineTools
import HubWire

/// `callhub completion`: prints the completion of the command line for a shell.
///
/// The help of the program does not list it: packages install what it prints.
enum CompletionCommand {
    /// The description of the program itself, whose subcommands are the commands.
    private static func program(_ names: [String], usage: String) -> CommandDescription {
        let options = [Option("--help", help: "the commands"), Option("--version", help: "the program's version")]
        return CommandDescription(words: [], options: options, verbs: names, help: usage)
    }

    /// Prints the completion.
    ///
    /// - Parameters:
    ///   - arguments: The shell's name.
    ///   - commands: The commands that are completed.
    ///   - overview: The program's help.
    /// - Returns: The process's exit code.
    static func run(
        _ arguments: [String],
        of commands: [(name: String, run: @Sendable ([String]) async -> Int32)],
        overview: String
    ) async -> Int32 {
        await Command.run("completion", arguments, options: [], usage: usage) { given in
            let word = try given.words("SHELL", after: "completion")[0]
            guard let shell = Shell(rawValue: word) else {
                throw UsageError("there is no completion for \(quoted(word)); it must be \(shells).")
            }
            var all = [program(commands.map(\.name), usage: overview)]
            for command in commands { all += await CommandDescription.all(of: [command.name], run: command.run) }
            try Command.print(shell.completion(of: "callhub", all))
        }
    }

    private static let shells = "bash, zsh or fish"

    private static let usage = """
        Usage: callhub completion SHELL

        Prints the completion of callhub's command line for a shell: \(shells). The package has installed it.

        \(Arguments.table([Command.help]))
        Exit codes: 0 success; 1 invalid command line.

        Examples:
          source <(callhub completion bash)
          callhub completion zsh > ~/.zfunc/_callhub                          a folder of $fpath
          callhub completion fish > ~/.config/fish/completions/callhub.fish

        """
}
