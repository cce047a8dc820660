import CommandLineTools
import Foundation
import HubStore

/// `callhub backup`: a copy of the database, while a hub uses it.
package enum BackupCommand {
    /// Runs until the copy is complete; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        await Command.run("backup", arguments, options: StoreLocation.options, usage: usage) { given in
            let target = try given.words("FILE", after: "backup")[0]
            guard target != "-" else {
                throw UsageError("a copy cannot be written to standard output, since it is checked; name a new file.")
            }
            try backup(StoreLocation(given), to: target)
        }
    }

    private static func backup(_ location: StoreLocation, to target: String) throws {
        let start = ContinuousClock.now
        var line = ProgressLine()
        do {
            try location.use { file in
                try file.backup(to: target) { share in
                    line.show(share < 1 ? "\(Int(share * 100)) % copied" : "checking the copy")
                }
            }
        } catch {
            line.wipe()
            throw error
        }
        line.wipe()
        var status = stat()
        let bytes = stat(target, &status) == 0 ? Int(status.st_size) : 0
        let time = seconds(start.duration(to: .now))
        try Command.print("\(target) is a complete copy of \(location.path): \(amount(ofBytes: bytes)) in \(time).\n")
    }

    static let usage = """
        Usage: callhub backup FILE [OPTIONS]

        Copies the hub's database to a new file that only its owner may read, and checks the integrity of the copy. A
        running hub may continue to use the database; no call is delayed.

        \(Arguments.table(StoreLocation.options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the database cannot be read or the copy cannot be written; then
        there is no copy.

        Example:
          callhub backup "callhub-$(date +%F).db"

        To restore it: stop the hub, run `callhub restore FILE`, and start the hub. The setting backup.folder makes a
        backup each night (docs/operations.md).

        """
}
