import CommandLineTools
import Foundation
import HubEngine
import HubStore
import HubWire

/// `callhub account passkeys`: lists an account's passkeys, or removes one of a lost device.
enum AccountPasskeys {
    static let subcommand = AccountCommand.Subcommand(
        name: "passkeys",
        synopsis: "NAME [remove ID|all]",
        purpose:
            "lists its passkeys, or removes one or all, as of a lost\nphone; sessions that signed in by them end, and their calls",
        options: [AccountList.json, AccountChange.yes],
        body: run
    )

    private static func run(_ given: Arguments, at location: StoreLocation) throws {
        let words = try given.words("NAME", "remove", "ID", optional: 2, after: "account passkeys")
        try location.use { file in
            let name = try file.requireAccount(words[0])
            let passkeys = try file.passkeys(of: name)
            guard words.count > 1 else { return try list(passkeys, asJSON: given.has(Command.json)) }
            guard words[1] == "remove" else {
                throw UsageError("\(quoted(words[1])) is invalid; it must be remove.")
            }
            guard words.count > 2 else {
                throw UsageError("account passkeys NAME remove needs the ID of a passkey, or all.")
            }
            let removed = try chosen(words[2], among: passkeys, of: name)
            if !given.has(AccountChange.yes) {
                let what = removed.count == 1 ? "the passkey \(quoted(removed[0].name))" : "\(removed.count) passkeys"
                try Terminal.confirm("Remove \(what) of \(quoted(name))?", orOption: AccountChange.yes)
            }
            for passkey in removed {
                let act = AuditAct("passkey.remove", passkey: passkey.id, of: name)
                try file.audited(act.name, on: act.target, act.detail) { () throws(StoreError) in
                    _ = try file.removePasskey(passkey.id, of: name)
                }
            }
            try Command.print("Removed \(removed.count == 1 ? "1 passkey" : "\(removed.count) passkeys").\n")
        }
    }

    /// Returns the passkeys that a word means: all, or the one whose ID begins with it.
    private static func chosen(
        _ word: String,
        among passkeys: [StoredPasskey],
        of name: String
    ) throws(CommandFailure) -> [StoredPasskey] {
        let found = word == "all" ? passkeys : passkeys.filter { Base64URL.text(of: $0.id).hasPrefix(word) }
        let hint = "callhub account passkeys \(visible(name)) shows them."
        guard !found.isEmpty else { throw CommandFailure(3, "there is no such passkey; \(hint)") }
        guard word == "all" || found.count == 1 else {
            throw CommandFailure(3, "\(found.count) passkeys have IDs that begin with \(quoted(word)); \(hint)")
        }
        return found
    }

    private static func list(_ passkeys: [StoredPasskey], asJSON: Bool) throws {
        guard !asJSON else { return try Command.print(jsonText(passkeys.map(Listed.init))) }
        var table = TextTable("ID", "NAME", "HOST", "CREATED", "LAST USED")
        for passkey in passkeys {
            table.add(
                Base64URL.text(of: passkey.id),
                passkey.name,
                passkey.site,
                localTime(passkey.createdAt),
                passkey.lastUsedAt.map(localTime) ?? "never"
            )
        }
        try Command.print(passkeys.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
        if passkeys.isEmpty { Console.err("The account has no passkeys; its user adds them in the browser phone.\n") }
    }

    /// A passkey as `--json` prints it.
    private struct Listed: Encodable {
        let id: String
        let name: String
        let host: String
        let createdAt: String
        let lastUsedAt: String?

        init(_ passkey: StoredPasskey) {
            (id, name, host) = (Base64URL.text(of: passkey.id), passkey.name, passkey.site)
            createdAt = RFC3339.text(of: passkey.createdAt)
            lastUsedAt = passkey.lastUsedAt.map { RFC3339.text(of: $0) }
        }
    }
}
