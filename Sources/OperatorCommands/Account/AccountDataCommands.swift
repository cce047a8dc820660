import CommandLineTools
import Foundation
import HubStore
import HubWire

/// `callhub account export` and `erase`: hands out or deletes all data of an account.
enum AccountDataCommands {
    static let export = AccountCommand.Subcommand(
        name: "export",
        synopsis: "NAME [FILE]",
        purpose:
            "writes all its stored data as JSON to a new file or to\nstandard output",
        options: []
    ) { given, location in
        let words = try given.words("NAME", "FILE", optional: 1, after: "account export")
        let json =
            try location.use { file in
                try file.audited("account.export", on: words[0]) { () throws(StoreError) in
                    try file.export(words[0])
                }.json
            } + "\n"
        guard words.count > 1, words[1] != "-" else { return try Command.print(json) }
        try write(json, to: words[1])
        Console.err("All stored data of \(visible(words[0])) is written to \(visible(words[1])).\n")
    }

    static let erase = AccountCommand.Subcommand(
        name: "erase",
        synopsis: "NAME",
        purpose: "erases the account and all its stored data",
        options: [AccountChange.yes]
    ) { given, location in
        let typedName = try given.words("NAME", after: "account erase")[0]
        try location.use { file in
            guard let name = try file.account(named: typedName)?.name else {
                throw CommandFailure(3, "no data is stored of an account \(quoted(typedName)); name another one.")
            }
            if !given.has(AccountChange.yes) {
                let question = "Erase \(quoted(name)) and all its stored data permanently?"
                try Terminal.confirm(question, orOption: AccountChange.yes)
            }
            // Otherwise a call of the account in a killed hub's journal would be restored at the next start.
            location.recoverJournal()
            try file.audited("account.erase", on: name) { () throws(StoreError) in
                try file.erase(name, notifyingHub: true)
            }
            try waitForHub(at: location.path, toRelease: name, file)
            try Command.print("All data of \(visible(name)) is erased, except in backups.\n")
        }
    }

    /// Waits up to 10 seconds until a running hub has signed the account out and ended its calls.
    ///
    /// Nothing is stored of those calls.
    private static func waitForHub(at path: String, toRelease name: String, _ file: StoreFile) throws {
        let limit = ContinuousClock.now + .seconds(10)
        while Store.isInUse(path), try file.isBeingErased(name) {
            guard .now < limit else {
                let sentence = "\(quoted(name)) is erased from the database, but the running hub has not signed it out"
                throw CommandFailure(2, sentence + " within 10 seconds; check or stop the hub.")
            }
            usleep(50_000)
        }
        try file.removeErasures(of: [name])
    }

    /// Writes an export to a new file that only its owner may read, since it lists the account's calls.
    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it exists already" : String(cString: strerror(errno))
            throw CommandFailure(2, "\(path) cannot be written: \(reason); name a new file that this user may write.")
        }
        let isWritten = Console.write(text, to: descriptor) && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten else {
            unlink(path)
            throw CommandFailure(2, "\(path) could not be written; make room on its disk.")
        }
    }
}
