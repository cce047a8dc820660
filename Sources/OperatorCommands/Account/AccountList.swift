import CommandLineTools
import HubAccountData
import HubEngine
import HubStore
import HubWire

/// `callhub account list`.
enum AccountList {
    static let includesUnprovisioned = Option(
        "--all",
        help: "list: also accounts that no operator created but that have stored data"
    )

    static let json = Option(Command.json.name, help: "list, passkeys: an array of objects, for programs")

    static let subcommand = AccountCommand.Subcommand(
        name: "list",
        synopsis: "[--all] [--json]",
        purpose: "lists the accounts",
        options: [includesUnprovisioned, json],
        body: list
    )

    private static func list(_ given: Arguments, at location: StoreLocation) throws {
        _ = try given.words(after: "account list")
        let accounts = try location.use { try $0.accounts() }.filter {
            $0.isProvisioned || given.has(includesUnprovisioned)
        }
        guard !given.has(Command.json) else { return try Command.print(json(accounts)) }
        var table = TextTable("NAME", "SIGNS IN BY", "ADMIN", "STATE", "LAST SEEN", "PERSON", "DEPARTMENT", "HANDLES")
        for account in accounts {
            table.add(
                account.name,
                account.isProvisioned ? signsInBy(account) : "-",
                account.isAdmin ? "yes" : "-",
                account.isProvisioned ? account.isDisabled ? "disabled" : "enabled" : "not made",
                account.hasSignedIn ? localTime(account.lastSeenAt) : "never",
                account.profile.name ?? "-",
                account.profile.department ?? "-",
                account.handles.map(\.typedText).joined(separator: ", ")
            )
        }
        try Command.print(accounts.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
        if accounts.isEmpty { Console.err("There are no accounts; callhub account add NAME creates one.\n") }
    }

    private static func signsInBy(_ account: StoredAccount) -> String {
        let ways = [account.hasPassword ? "password" : nil, account.passkeys.isEmpty ? nil : "passkey"]
        return ways.contains { $0 != nil } ? ways.compactMap(\.self).joined(separator: ", ") : "token"
    }

    /// An account as `--json` prints it.
    private struct Listed: Encodable {
        struct Address: Encodable {
            let type: String
            let value: String
        }

        let name: String
        let person: String?
        let department: String?
        let handles: [Address]
        let registered: Bool
        let password: Bool
        let passkeys: Int
        let admin: Bool
        let disabled: Bool
        let createdAt: String?
        let lastSeenAt: String?
    }

    private static func json(_ accounts: [StoredAccount]) -> String {
        let listed = accounts.map { account in
            Listed(
                name: account.name,
                person: account.profile.name,
                department: account.profile.department,
                handles: account.handles.map { handle in
                    let type = handle.typedText.prefix { $0 != ":" }
                    return Listed.Address(type: String(type), value: handle.value)
                },
                registered: account.isProvisioned,
                password: account.hasPassword,
                passkeys: account.passkeys.count,
                admin: account.isAdmin,
                disabled: account.isDisabled,
                createdAt: account.createdAt.map { RFC3339.text(of: $0) },
                lastSeenAt: account.hasSignedIn ? RFC3339.text(of: account.lastSeenAt) : nil
            )
        }
        return jsonText(listed)
    }
}
