import CommandLineTools
import Foundation
import HubConfiguration
import HubStore
import HubWire

/// `callhub restore`: a backup in the place of the database of a hub that is stopped.
package enum RestoreCommand {
    /// Runs until the backup is in place; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        await Command.run("restore", arguments, options: StoreLocation.options, usage: usage) { given in
            let backup = try given.words("FILE", after: "restore")[0]
            guard backup != "-" else {
                throw UsageError("a backup cannot be read from standard input, since it is checked; name a file.")
            }
            try restore(backup, to: StoreLocation(given), given)
        }
    }

    private static func restore(_ backup: String, to location: StoreLocation, _ given: Arguments) throws {
        if !given.has(StoreLocation.store) {
            let folder = String(location.path.dropLast(DataDirectory.databaseName.count + 1))
            do {
                _ = try DataDirectory(making: folder)
            } catch {
                throw CommandFailure(2, error.description)
            }
        }
        let replaced: String?
        do {
            replaced = try StoreFile.restore(backup, to: location.path)
        } catch {
            guard error.kind == .unusable, error.message.contains("another hub (") else {
                throw CommandFailure(error, at: location.path)
            }
            throw CommandFailure(2, "a hub is using \(location.path); stop it first: systemctl stop callhub.")
        }
        let accounts = try location.use { file in
            try file.record(AuditAct("store.restore", on: nil, backup), by: .commandLine)
            return try file.load().accounts.count
        }
        try Command.print(
            """
            \(location.path) is now the database of \(backup), with \(accounts) accounts.
            \(replaced.map { "The replaced database is \($0); delete it when all is well." } ?? "There was no database before.")
            Start the hub: systemctl start callhub, or callhub serve\(start(given)).

            """
        )
    }

    /// The option of `callhub serve` that names the data directory; a file of `--store` is in the configuration.
    private static func start(_ given: Arguments) -> String {
        given[StoreLocation.data].map { " --data \($0)" } ?? ""
    }

    static let usage = """
        Usage: callhub restore FILE [OPTIONS]

        Puts a backup in the place of the hub's database, which may be missing. The backup is checked first: it must be
        intact, and of this version or an older one. The hub must be stopped. The replaced database stays beside the new
        one, with the ending .replaced- and the date.

        \(Arguments.table(StoreLocation.options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the backup cannot be used, a hub is running, or a file cannot be
        written; then the database is as before.

        Example:
          systemctl stop callhub
          callhub restore /var/backups/callhub/backup-callhub-20261124T020000Z.db --data /var/lib/callhub
          systemctl start callhub

        """
}
