import CommandLineTools
import HubCrypto
import HubEngine
import HubStore
import HubWire

/// The subcommands that change one property of an account.
enum AccountChange {
    static let yes = Option("--yes", help: "passkeys, remove, erase, renew-openid: do not ask")

    static let password = AccountCommand.Subcommand(
        name: "passwd",
        synopsis: "NAME",
        purpose: "sets a new password; sessions that signed in with the old\none end, and their calls",
        options: [AccountAdd.noPassword, PasswordInput.fromStandardInput]
    ) { given, location in
        let typedName = try given.words("NAME", after: "account passwd")[0]
        try location.use { file in
            let name = try file.requireAccount(typedName)
            let hash = try AccountAdd.password(of: name, given)
            try file.audited("account.password", on: name, hash == nil ? "none" : nil) { () throws(StoreError) in
                try file.setPasswordHash(hash?.text, of: name)
            }
            try Command.print(
                hash == nil
                    ? "\(visible(name)) has no password now, and signs in with a token or a passkey only.\n"
                    : "\(visible(name)) has a new password.\n"
            )
        }
    }

    static let disable = AccountCommand.Subcommand(
        name: "disable",
        synopsis: "NAME",
        purpose: "refuses its sign-ins until it is enabled; its calls end",
        options: []
    ) { given, location in
        let name = try given.words("NAME", after: "account disable")[0]
        try location.use { file in
            try file.audited("account.disable", on: name) { () throws(StoreError) in
                try file.setDisabled(true, name)
            }
        }
        try Command.print("\(visible(name)) may not sign in from now on.\n")
    }

    static let enable = AccountCommand.Subcommand(
        name: "enable",
        synopsis: "NAME",
        purpose: "permits its sign-ins again",
        options: []
    ) { given, location in
        let name = try given.words("NAME", after: "account enable")[0]
        try location.use { file in
            try file.audited("account.enable", on: name) { () throws(StoreError) in
                try file.setDisabled(false, name)
            }
        }
        try Command.print("\(visible(name)) may sign in again.\n")
    }

    static let admin = AccountCommand.Subcommand(
        name: "admin",
        synopsis: "NAME on|off",
        purpose: "grants or revokes the permission admin; off takes effect\nat once, on with its next sign-in",
        options: []
    ) { given, location in
        let words = try given.words("NAME", "on or off", after: "account admin")
        guard let isAdmin = ["on": true, "off": false][words[1]] else {
            throw UsageError("\(quoted(words[1])) is invalid; it must be on or off.")
        }
        try location.use { file in
            try file.audited("account.admin", on: words[0], isAdmin ? "on" : "off") { () throws(StoreError) in
                try file.setAdmin(isAdmin, words[0])
            }
        }
        try Command.print("\(visible(words[0])) \(isAdmin ? "is" : "is not") an operator's account from now on.\n")
    }

    static let remove = AccountCommand.Subcommand(
        name: "remove",
        synopsis: "NAME",
        purpose: "removes it and frees its handles; its stored data stays\nuntil erase",
        options: [yes]
    ) { given, location in
        let typedName = try given.words("NAME", after: "account remove")[0]
        try location.use { file in
            let name = try file.requireAccount(typedName)
            if !given.has(yes) {
                try Terminal.confirm("Remove \(quoted(name)), so that it cannot sign in any more?", orOption: yes)
            }
            try file.audited("account.remove", on: name) { () throws(StoreError) in
                try file.removeAccount(name)
            }
            try Command.print("\(visible(name)) is removed.\n")
        }
    }
}

extension StoreFile {
    /// Returns an account's name as it was created; throws if no operator has, before the user is asked for anything.
    func requireAccount(_ name: String) throws -> String {
        guard let account = try account(named: name), account.isProvisioned else {
            throw CommandFailure(3, "there is no account \(quoted(name)); callhub account list shows the accounts.")
        }
        return account.name
    }

    /// Returns the account with a name, in any case; nil: nothing is stored under it.
    func account(named name: String) throws -> StoredAccount? {
        let key = FoldedName(name)
        return try accounts().first { FoldedName($0.name) == key }
    }
}
