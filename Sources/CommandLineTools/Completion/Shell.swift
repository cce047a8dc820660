/// A shell that completes a program's command line.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script that completes a program's commands; those without words are the program's own.
    package func completion(of program: String, _ commands: [CommandDescription]) -> String {
        switch self {
        case .bash: BashCompletion(program: program, commands: commands).script
        case .zsh: ZshCompletion(program: program, commands: commands).script
        case .fish: FishCompletion(program: program, commands: commands).script
        }
    }
}
