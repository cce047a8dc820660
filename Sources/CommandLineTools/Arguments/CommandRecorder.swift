import Synchronization

/// The options and subcommands that a command parses with, and the help that it prints, while it is described.
final class CommandRecorder: Sendable {
    /// The recorder of the command that is being described; nil: commands run as usual.
    @TaskLocal static var current: CommandRecorder?

    /// A command as recorded.
    struct Record {
        var options: [Option] = []
        var verbs: [String] = []
        var help = ""
    }

    private let state = Mutex(Record())

    /// The recorded command.
    var record: Record { state.withLock { $0 } }

    /// Adds options, each name once, without those that have no help.
    func add(_ options: [Option]) {
        state.withLock { record in
            for option in options
            where !option.help.isEmpty && !record.options.contains(where: { $0.name == option.name }) {
                record.options.append(option)
            }
        }
    }

    func add(verbs: [String]) { state.withLock { $0.verbs = verbs } }

    func add(help: String) { state.withLock { $0.help += help } }
}
